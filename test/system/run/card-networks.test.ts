import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runInProcess } from '../../support/harnesses/cli-harness.ts'
import { stores } from '../../support/database/stores.ts'
import {
  MARQETA_CREDENTIALS,
  MARQETA_FUNDING,
  marqetaTransaction,
  sentByMarqeta,
} from '../../support/purchases/marqeta-messages.ts'
import {
  signedByStripe,
  STRIPE_SECRET,
  stripeAuthorization,
  stripeEvent,
} from '../../support/purchases/stripe-messages.ts'
import { makeHome, ServiceProcess } from '../../prove/support/service-process.ts'

test.each(stores)(
  'an operator lets Stripe and Marqeta ask a running service on %s',
  async (store) => {
    const home = await makeHome(store)
    onTestFinished(() => home.remove())
    await using service = await ServiceProcess.start(home, ['--fleet-size', '2'], {
      DEMO: 'on',
      LOG_LEVEL: 'info',
    })
    const cli = async <Printed>(...args: string[]) => {
      const { code, out, error } = await runInProcess(home, home.environment, ['--json', ...args])
      expect([args, code, error]).toEqual([args, 0, ''])
      return JSON.parse(out) as Printed
    }
    const { vehicles } = await service.graphql<{ vehicles: { nodes: { id: string }[] } }>(
      '{ vehicles(first: 1) { nodes { id } } }',
    )
    const [application] = await cli<{ id: string }[]>('applications', 'list')
    const own = ['--application', application!.id]
    await cli('purchases', 'assign-card', '--card', 'ic_1', '--vehicle', vehicles.nodes[0]!.id, ...own)
    const file = join(home.folder, 'secret.txt')
    await writeFile(file, STRIPE_SECRET)
    const add = ['purchases', 'networks', 'add', 'stripe', '--default', 'decline', '--secret-file', file]
    const endpoint = await cli<{ id: string; url: string }>(...add, ...own)
    const url = new URL(new URL(endpoint.url).pathname, service.ready.url)
    let sent = 0
    const ask = async () => {
      const authorization = stripeAuthorization({ id: `iauth_${++sent}` })
      const { body, signature } = signedByStripe(stripeEvent('issuing_authorization.request', authorization))
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
      const response = await fetch(url, { method: 'POST', body, headers })
      expect([response.status, response.headers.get('stripe-version')]).toEqual([200, '2026-10-28.endive'])
      return (await response.json()) as { approved: boolean; metadata: Record<string, string> }
    }
    // A busy machine can miss the deadlines of a check. It then gets the default decision.
    const { metadata } = await vi.waitUntil(
      async () => {
        const answer = await ask()
        expect(answer.approved).toBe(answer.metadata['odographDecision'] === 'approve')
        return answer.approved && answer
      },
      { timeout: 60_000 },
    )
    const { purchaseCheck } = await service.graphql<{ purchaseCheck: object }>(
      'query ($id: ID!) { purchaseCheck(id: $id) { authorizationId cardId } }',
      { id: metadata['odographCheck'] },
    )
    expect(purchaseCheck).toEqual({ authorizationId: `iauth_${sent}`, cardId: 'ic_1' })
    await writeFile(file, MARQETA_CREDENTIALS)
    const other = await cli<{ url: string }>(...add.with(3, 'marqeta'), ...own)
    const { body, authorization } = sentByMarqeta(marqetaTransaction())
    const declined = await fetch(new URL(new URL(other.url).pathname, service.ready.url), {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', authorization },
    })
    // Its card is not assigned.
    expect([declined.status, await declined.json()]).toEqual([
      402,
      { jit_funding: expect.objectContaining({ token: MARQETA_FUNDING.token }) },
    ])
    await service.end()
    const lines = service.output()
    for (const secret of [STRIPE_SECRET, MARQETA_CREDENTIALS.split(':')[1]!, authorization.split(' ')[1]!])
      expect(lines).not.toContain(secret)
    expect(lines).toMatch(new RegExp(`"applicationId":"${application!.id}".*"route":"/card-networks/:id"`))
  },
  180_000,
)

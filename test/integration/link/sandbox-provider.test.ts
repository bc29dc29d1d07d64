import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import type { Id } from '../../../src/domain/ids.ts'
import type { Application } from '../../../src/subgraphs/connections/applications/application.ts'
import { updateApplication } from '../../../src/subgraphs/connections/applications/update-application.ts'
import { ConnectionStatus, SyncMode } from '../../../src/subgraphs/connections/connection.ts'
import { linkConnection } from '../../../src/subgraphs/connections/lifecycle/link-connection.ts'
import { beginCheck, checkAccount } from '../../../src/subgraphs/connections/linking/check-account.ts'
import type { LinkRun } from '../../../src/subgraphs/connections/linking/link-run.ts'
import { findRunByToken } from '../../../src/subgraphs/connections/linking/link-run-repository.ts'
import { recordConsent } from '../../../src/subgraphs/connections/linking/record-consent.ts'
import { SandboxNotAllowed } from '../../../src/subgraphs/connections/providers/available-providers.ts'
import { createShortLink } from '../../../src/subgraphs/connections/short-links/create-short-link.ts'
import { updateConnection } from '../../../src/subgraphs/connections/update-connection.ts'
import { dialects } from '../../support/factories.ts'
import type { Browser } from '../../support/link/http-browser.ts'
import { type Integrator, LinkHarness } from '../../support/link/link-harness.ts'

/** An application that had allowed the sandbox provider. `settle` gives it the setting under test. */
interface Visit {
  readonly harness: LinkHarness
  readonly integrator: Integrator
  readonly browser: Browser
  settle(): Promise<unknown>
}

const input = { provider: 'sandbox', credentials: { apiKey: 'sandbox-1-1' }, syncMode: SyncMode.MANUAL }

const shortLink = ({ harness, integrator }: Visit, settings: object) =>
  createShortLink(harness.from, keyHolder(integrator.id), settings)

const linkAccount = ({ harness, integrator }: Visit) =>
  linkConnection(harness.from, keyHolder(integrator.id), input)

/** Whether a command succeeds; false if it refuses the sandbox provider. */
const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof SandboxNotAllowed) return false
      throw error
    },
  )

/** Whether the browser shows the step; false if the page refuses the sandbox provider. */
function shows({ page: { status, html }, step }: Browser, expected: string): boolean {
  if (step === 'refused') expect([status, html]).toEqual([403, expect.stringContaining('for tests only')])
  else expect(step).toBe(expected)
  return step === expected
}

const lists = ({ page: { html } }: Browser): boolean => /name="provider"\s+value="sandbox"/.test(html)

const openChoice = async ({ browser, integrator, settle }: Visit, query = '') => {
  await settle()
  await browser.open(`/link/?key=${integrator.key}${query}`)
}

/** Opens a run at the sandbox provider. */
const openRun = ({ browser, integrator }: Visit) =>
  browser.open(`/link/?key=${integrator.key}&provider=sandbox`)

const runOf = async ({ harness, browser }: Visit): Promise<LinkRun> =>
  (await findRunByToken(harness.db, browser.page.url.pathname.split('/').at(-1) ?? ''))!

/** All ways to a simulated fleet. Each returns whether it is open. */
const doors: Readonly<Record<string, (visit: Visit) => Promise<boolean>>> = {
  async 'the choice of the provider'(visit) {
    await openChoice(visit)
    return lists(visit.browser)
  },
  async 'the search for a provider'(visit) {
    await openChoice(visit)
    await visit.browser.open(`${visit.browser.page.url.href}?q=sandbox`)
    return lists(visit.browser)
  },
  async 'a form that chooses it'(visit) {
    await openChoice(visit)
    await visit.browser.send({ do: 'choose', provider: 'sandbox' })
    return visit.browser.step === 'sign_in'
  },
  async 'the parameter `provider` of a link'(visit) {
    await openChoice(visit, '&provider=sandbox')
    return shows(visit.browser, 'sign_in')
  },
  async 'the provider of a new short link'(visit) {
    await visit.settle()
    return succeeds(shortLink(visit, { provider: 'sandbox' }))
  },
  async 'the provider hints of a new short link'(visit) {
    await visit.settle()
    return succeeds(shortLink(visit, { providerHints: ['harbor', 'sandbox'] }))
  },
  async 'the provider of an earlier short link'(visit) {
    const { code } = (await shortLink(visit, { provider: 'sandbox' })).shortLink
    await visit.settle()
    await visit.browser.open(`/link/s/${code}`)
    return shows(visit.browser, 'sign_in')
  },
  async 'the provider hints of an earlier short link'(visit) {
    const { code } = (await shortLink(visit, { providerHints: ['sandbox'] })).shortLink
    await visit.settle()
    await visit.browser.open(`/link/s/${code}`)
    return lists(visit.browser)
  },
  async 'a sign-in with a form, in an earlier run'(visit) {
    await openRun(visit)
    await visit.settle()
    await visit.browser.submit('sign_in', { apiKey: 'sandbox-1-1' })
    expect((await runOf(visit)).credentialsSealed !== '').toBe(visit.browser.step === 'consent')
    return shows(visit.browser, 'consent')
  },
  async 'the start of a sign-in at the provider'(visit) {
    await openRun(visit)
    await visit.browser.submit('way', { way: 'oauth' })
    await visit.settle()
    await visit.browser.submit('oauth')
    return visit.browser.externalRedirect !== null
  },
  async 'the return from the provider'(visit) {
    await openRun(visit)
    await visit.browser.submit('way', { way: 'oauth' })
    const run = visit.browser.page.url.href
    await visit.browser.submit('oauth')
    await visit.settle()
    const state = visit.browser.externalRedirect?.searchParams.get('state')
    await visit.browser.open(`/link/oauth/callback?state=${state}&code=unknown`)
    await visit.browser.open(run)
    // The provider refuses the code, if it is asked at all.
    expect(['sign_in_expired', 'our_fault']).toContain((await runOf(visit)).problem)
    expect(shows(visit.browser, 'sign_in')).toBe((await runOf(visit)).problem === 'sign_in_expired')
    return (await runOf(visit)).problem === 'sign_in_expired'
  },
  async 'the check of an account'(visit) {
    const { harness, browser } = visit
    await openRun(visit)
    await browser.submit('sign_in', { apiKey: 'sandbox-1-1' })
    const consent = { agreementUrl: 'https://example.com', ipAddress: '127.0.0.1', userAgent: null }
    await recordConsent(harness.from, await runOf(visit), consent)
    const checking = await beginCheck(harness.from, await runOf(visit), '127.0.0.1')
    await visit.settle()
    await checkAccount(harness.from, checking!)
    return (await harness.connectionsOf(visit.integrator)).length > 0
  },
  async 'a new sign-in to an earlier connection'(visit) {
    const { id } = await linkAccount(visit)
    await visit.settle()
    await visit.browser.open(`/link/connection/${id}?key=${visit.integrator.key}`)
    return shows(visit.browser, 'sign_in')
  },
  async 'setting an earlier connection to connected'(visit) {
    const { id: connectionId } = await linkAccount(visit)
    await visit.settle()
    const change = { connectionId, status: ConnectionStatus.CONNECTED }
    return succeeds(updateConnection(visit.harness.from, keyHolder(visit.integrator.id), change))
  },
  async 'a connection with given credentials'(visit) {
    await visit.settle()
    return succeeds(linkAccount(visit))
  },
}

describe.each(dialects)('the sandbox provider on %s', (dialect) => {
  let harness: LinkHarness
  beforeAll(async () => void (harness = await LinkHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  async function visit(
    environment: Application['environment'],
    allowsSandbox: boolean | null,
  ): Promise<Visit> {
    const integrator = await harness.integrator({ environment })
    const allow = (value: boolean | null) =>
      updateApplication(harness.from, keyHolder(integrator.id as Id<'application'>), { allowsSandbox: value })
    await allow(true)
    return { harness, integrator, browser: harness.browser(), settle: () => allow(allowsSandbox) }
  }

  describe.each([
    ['closed', 'a production application', 'prod', null, false],
    ['open', 'a production application that allows it', 'prod', true, true],
    ['open', 'a sandbox application', 'sandbox', null, true],
    ['closed', 'a sandbox application that does not allow it', 'sandbox', false, false],
  ] as const)('is %s to %s, through', (_state, _name, environment, allowsSandbox, isOpen) => {
    test.each(Object.keys(doors))('%s', async (door) => {
      expect(await doors[door]!(await visit(environment, allowsSandbox))).toBe(isOpen)
    })
  })

  test('is marked on every page that shows it, and other providers are not', async () => {
    const { browser, integrator } = await visit('sandbox', null)
    const marks = () => browser.page.html.split('Simulated data').length - 1
    await browser.open(`/link/?key=${integrator.key}`)
    expect(marks()).toBe(1)
    await browser.submit('choose', { provider: 'sandbox' })
    expect([browser.step, marks()]).toEqual(['sign_in', 1])
    await browser.submit('sign_in', { apiKey: 'sandbox-1-1' })
    expect([browser.step, marks()]).toEqual(['consent', 1])
    await browser.submit('agree', { agreed: 'on' })
    await harness.checked(browser)
    expect([browser.step, marks()]).toEqual(['done', 1])
    await browser.open(`/link/?key=${integrator.key}&provider=harbor`)
    expect([browser.step, marks()]).toEqual(['sign_in', 0])
  })
})

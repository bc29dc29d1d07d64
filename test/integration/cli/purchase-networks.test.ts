import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEncryption } from '../../../src/auth/envelope-encryption.ts'
import { stores } from '../../support/database/stores.ts'
import { seedApplication, unknownId } from '../../support/factories.ts'
import {
  type CliHarness,
  MASTER_KEY,
  openCliHarness,
  runProgram,
} from '../../support/harnesses/cli-harness.ts'
import { MARQETA_CREDENTIALS } from '../../support/purchases/marqeta-messages.ts'
import { STRIPE_SECRET } from '../../support/purchases/stripe-messages.ts'
import { decryptedColumn } from '../../support/secrets/decrypted-column.ts'

const NEW_SECRET = 'whsec_that_stripe_gave_later'

interface Endpoint {
  readonly id: string
}

describe.each(stores)('endpoints of card networks at the command line on %s', (store) => {
  let harness: CliHarness
  let own: readonly string[]

  beforeAll(async () => {
    harness = await openCliHarness(store, {
      ENCRYPTION_KEY: MASTER_KEY,
      PUBLIC_URL: 'https://fleet.example.com/api',
    })
  })
  beforeEach(async () => {
    own = ['--application', (await seedApplication(harness.db, [])).id]
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const run = (command: string, ...args: string[]) =>
    harness.cli('--json', 'purchases', 'networks', command, ...args, ...own)

  async function secretOf({ id }: Endpoint): Promise<string> {
    const [row] = await harness.db.rows<{ id: string; applicationId: string; secretSealed: string }>(
      'SELECT `id`, `applicationId`, `secretSealed` FROM `card_network_endpoints` WHERE `id` = ?',
      [id],
    )
    const encryption = createEncryption(Buffer.from(MASTER_KEY, 'base64'))
    return decryptedColumn(encryption, 'card_network_endpoints.secretSealed', row!)
  }

  async function secretFile(secret: string): Promise<string> {
    const file = join(harness.home.folder, 'secret.txt')
    await writeFile(file, `${secret}\n`)
    return file
  }

  test('are added, listed, changed and removed, and never show their secret', async () => {
    const added = await run('add', 'stripe', '--default', 'approve')
    expect([added.code, added.error]).toEqual([0, expect.stringContaining('networks update --secret-file')])
    const endpoint = JSON.parse(added.out) as Endpoint
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^cne_/),
      network: 'stripe',
      url: `https://fleet.example.com/api/card-networks/${endpoint.id}`,
      default: 'approve',
      hasSecret: false,
      createdAt: expect.any(String),
    })
    const updated = await run('update', endpoint.id, '--secret-file', await secretFile(STRIPE_SECRET))
    const ready = { ...endpoint, hasSecret: true }
    expect({ ...updated, out: JSON.parse(updated.out) as Endpoint }).toEqual({
      code: 0,
      error: '',
      out: ready,
    })
    expect(await secretOf(endpoint)).toBe(STRIPE_SECRET)
    await run('update', endpoint.id, '--default', 'decline')
    expect(await secretOf(endpoint)).toBe(STRIPE_SECRET)
    const listed = await run('list')
    expect(JSON.parse(listed.out)).toEqual([{ ...ready, default: 'decline' }])
    expect(await run('remove', endpoint.id)).toMatchObject({ code: 0, out: '' })
    expect(JSON.parse((await run('list')).out)).toEqual([])
    for (const { out, error } of [added, updated, listed]) expect(out + error).not.toContain(STRIPE_SECRET)
  })

  test('of Marqeta get credentials, which are shown once', async () => {
    const added = await run('add', 'marqeta', '--default', 'approve')
    const { user, password, ...endpoint } = JSON.parse(added.out) as Endpoint & Record<string, string>
    expect([added.code, added.error]).toEqual([0, expect.stringContaining('shown only once')])
    expect(endpoint).toMatchObject({ network: 'marqeta', hasSecret: true })
    expect(await secretOf(endpoint)).toBe(`${user}:${password}`)
    const listed = await run('list')
    expect(JSON.parse(listed.out)).toEqual([endpoint])
    const updated = await run('update', endpoint.id, '--default', 'decline')
    for (const { out, error } of [listed, updated]) expect(out + error).not.toContain(password)
    const own = await secretFile(MARQETA_CREDENTIALS)
    const given = await run('add', 'marqeta', '--default', 'approve', '--secret-file', own)
    await run('update', endpoint.id, '--secret-file', own)
    for (const one of [endpoint, JSON.parse(given.out) as Endpoint])
      expect(await secretOf(one)).toBe(MARQETA_CREDENTIALS)
    expect(given).toMatchObject({ code: 0, error: '' })
    expect(given.out).not.toContain(MARQETA_CREDENTIALS.split(':')[1])
    const refused = await run('update', endpoint.id, '--secret-file', await secretFile(STRIPE_SECRET))
    expect([refused.code > 0, refused.error]).toEqual([true, expect.stringContaining('Give user:password')])
    expect(refused.error).not.toContain(STRIPE_SECRET)
  })

  test('take their secret from standard input', async () => {
    const { environment, folder } = harness.home
    const command = ['--json', 'purchases', 'networks', 'add', 'stripe', '--default', 'decline', ...own]
    const { code, out, error } = await runProgram(
      ['--data', folder, ...command, '--secret-file', '-'],
      { ...environment, ENCRYPTION_KEY: MASTER_KEY },
      `${NEW_SECRET}\n`,
    )
    expect([code, error]).toEqual([0, ''])
    expect(out).not.toContain(NEW_SECRET)
    expect(await secretOf(JSON.parse(out) as Endpoint)).toBe(NEW_SECRET)
  })

  test('of other kinds and applications are refused', async () => {
    const { id } = JSON.parse((await run('add', 'stripe', '--default', 'approve')).out) as Endpoint
    const file = await secretFile('sk_live_that_is_no_signing_secret')
    own = ['--application', (await seedApplication(harness.db, [])).id]
    const refusals: readonly (readonly [string, readonly string[]])[] = [
      ['Give one of stripe, marqeta', ['add', 'visa', '--default', 'approve']],
      ['--default', ['add', 'stripe']],
      ['approve, decline', ['add', 'stripe', '--default', 'confirm']],
      ['begins with whsec_', ['add', 'stripe', '--default', 'approve', '--secret-file', file]],
      ['cannot be read', ['add', 'stripe', '--default', 'approve', '--secret-file', '/none']],
      ['Give an id like cne_', ['remove', 'stripe']],
      ['nothing to change', ['update', id]],
      ['has no endpoint', ['update', id, '--default', 'decline']],
      ['has no endpoint', ['remove', id]],
      ['has no endpoint', ['remove', unknownId('cardNetworkEndpoint')]],
    ]
    for (const [message, [command, ...args]] of refusals) {
      const { code, out, error } = await run(command!, ...args)
      expect([code > 0, error]).toEqual([true, expect.stringContaining(message)])
      expect(out + error).not.toContain('sk_live')
    }
    expect(JSON.parse((await run('list')).out)).toEqual([])
  })
})

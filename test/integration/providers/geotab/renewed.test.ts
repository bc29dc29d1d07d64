import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../../../src/providers/rate-limit/memory-store.ts'
import { createRateLimiter } from '../../../../src/providers/rate-limit/rate-limiter.ts'
import { DEFAULT_SERVER } from '../../../../src/providers/geotab/servers.ts'
import type { ProviderCredentials } from '../../../../src/providers/provider.ts'
import { registry } from '../../../../src/providers/registry.ts'
import { createInProcessNotifier } from '../../../../src/queue/notifier.ts'
import { createApplication } from '../../../../src/subgraphs/connections/applications/create-application.ts'
import { openAccount } from '../../../../src/subgraphs/connections/credentials/open-account.ts'
import { storedCredentials } from '../../../../src/subgraphs/connections/credentials/stored-credentials.ts'
import { createConnection } from '../../../../src/subgraphs/connections/lifecycle/create-connection.ts'
import { masterEncryption, newRenewals } from '../../../support/factories.ts'
import { makeHome } from '../../../prove/support/service-process.ts'
import { stores } from '../../../support/database/stores.ts'
import {
  countsOf,
  never,
  NOW,
  type RunningGeotab,
  signIn,
  startGeotab,
  newUserCredentials,
} from '../../../support/providers/geotab-harness.ts'

const READERS = 40
const clock = { now: () => Date.parse(NOW) }

describe.each(stores)('a session that has expired, on %s', (store) => {
  let geotab: RunningGeotab
  beforeAll(async () => {
    geotab = await startGeotab()
  })
  afterAll(() => geotab[Symbol.asyncDispose]())

  test('is renewed once, although many workers of two processes use it at the same time', async () => {
    const home = await makeHome(store)
    await using _ = { [Symbol.asyncDispose]: () => home.remove() }
    const processes = [await home.open(), await home.open()] as const
    await processes[0].migrate()
    const { adapter, fake } = geotab
    const tools = processes.map((db) => ({
      db,
      secrets: masterEncryption,
      registry: registry([adapter]),
      notifier: createInProcessNotifier(),
      renewals: newRenewals(),
      clock,
    }))
    const [db] = processes
    const now = clock.now()
    const { application } = await createApplication(db, { name: 'Test', environment: 'sandbox', now })
    const { connection } = await createConnection(
      { db, secrets: masterEncryption, now },
      {
        applicationId: application.id,
        provider: adapter,
        credentials: newUserCredentials(geotab),
        backfillFrom: now,
      },
    )
    const device = (process: number) =>
      openAccount(tools[process % 2] as (typeof tools)[0], connection, never).then((api) =>
        api.post('/apiv1', { method: 'Get', params: { typeName: 'Device' } }),
      )
    await device(0)
    const before = await storedCredentials(db, masterEncryption, connection)
    await fetch(`${fake.url}/_geotab/sessions`, { method: 'DELETE' })
    await fake.forgetCalls()
    const answers = await Promise.all(Array.from({ length: READERS }, (_, reader) => device(reader)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect((await countsOf(fake))['fleet_1 Authenticate']).toBe(1)
    const after = await storedCredentials(db, masterEncryption, connection)
    expect(after?.credentials?.['sessionId']).not.toBe(before?.credentials?.['sessionId'])
    for (const open of processes) await open.close()
  })
})

test('a database that has moved to another server is found through the first server', async () => {
  await using geotab = await startGeotab()
  await geotab.fake.behave({ path: 'another' })
  const moved = await signIn(geotab, newUserCredentials(geotab))
  await geotab.fake.behave({ path: 'ThisServer' })
  const back = await signIn(geotab, moved)
  expect([moved['server'], back['server']]).not.toContain(new URL(geotab.fake.url).host)
  expect(back['server']).toBe(DEFAULT_SERVER)
  const account = await geotab.adapter.identify(geotab.adapter.api(back, never), back)
  expect(account.sourceId).toBe('fleet_1')
})

test('sign-ins have a separate budget, and those beyond it send no request', async () => {
  const store = createMemoryStore()
  await using geotab = await startGeotab({}, (options) => createRateLimiter(store, options))
  const entered: ProviderCredentials = newUserCredentials(geotab)
  for (let count = 0; count < 8; count++) await signIn(geotab, entered)
  await expect(signIn(geotab, entered)).rejects.toMatchObject({ kind: 'limited' })
  expect((await countsOf(geotab.fake))['fleet_1 Authenticate']).toBe(8)
  await signIn(geotab, newUserCredentials(geotab))
})

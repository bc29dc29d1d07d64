import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openAccount } from '../../../../src/subgraphs/connections/credentials/open-account.ts'
import { pollConnection } from '../../../../src/sync/poll-connection.ts'
import { stores } from '../../../support/database/stores.ts'
import { MINUTE_MS, OAuthHarness, renewing, unstopped } from '../../../support/providers/oauth-harness.ts'

const GRACE_SECONDS = 20
let fleets = 0
const someFleet = () => `sandbox-3-${++fleets}`

/** Returns a promise and its resolve function. */
function gate(): [Promise<void>, () => void] {
  let open: () => void = () => undefined
  return [new Promise<void>((resolve) => (open = resolve)), () => open()]
}

describe.each(stores)('expiring credentials, on %s', (store) => {
  let harness: OAuthHarness
  beforeAll(async () => {
    harness = await OAuthHarness.start(store, { refreshGraceSeconds: GRACE_SECONDS })
  })
  afterEach(() => harness.adaptNothing())
  afterAll(() => harness[Symbol.asyncDispose]())

  test('are renewed before their last minute, stored, and then used', async () => {
    const fleet = someFleet()
    const connection = await harness.linkByOAuth(fleet)
    const before = await harness.stored(connection)
    const poll = () =>
      pollConnection(harness.processes[0], connection.id, 'LatestVehicleLocation', {
        id: 'poll',
        attempt: 1,
        signal: unstopped(),
      })
    await harness.moveClock(58 * MINUTE_MS)
    await poll()
    expect(await harness.stored(connection)).toEqual(before)
    await harness.moveClock(1.5 * MINUTE_MS)
    await poll()
    const after = await harness.stored(connection)
    expect(after).toMatchObject({ user: fleet })
    expect(after['accessToken']).not.toBe(before['accessToken'])
    expect(after['refreshToken']).not.toBe(before['refreshToken'])
    await harness.moveClock(2 * MINUTE_MS)
    await poll()
    // One request for the code, one for the renewal.
    expect(await harness.requests(fleet)).toBe(2)
    expect(await harness.count('latest_vehicle_locations', connection)).toBeGreaterThan(0)
  })

  test('cost one renewal for any number of concurrent readers, in two processes', async () => {
    const fleet = someFleet()
    const connection = await harness.linkByOAuth(fleet)
    await harness.control('sign-ins', { key: fleet, end: 'access' })
    const readers = Array.from({ length: 100 }, async (_, reader) => {
      const api = await openAccount(harness.processes[reader % 2 ? 1 : 0], connection, unstopped(), 'live')
      return api.get('/account')
    })
    const answers = await Promise.all(readers)
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await harness.requests(fleet)).toBe(2)
  })

  test('may expire repeatedly during a sync: no page is lost', async () => {
    const fleet = someFleet()
    const byKey = await harness.link({ apiKey: fleet })
    expect(await harness.sync(byKey.id)).toMatchObject({ status: 'completed' })
    const connection = await harness.linkByOAuth(fleet)
    let pages = 0
    harness.adapt[0] = (adapter) => {
      const { readers } = adapter
      const reader = readers.VehicleLocation
      if (!reader) throw new Error('no such reader')
      const read: typeof reader.read = async (...requested) => {
        pages++
        await harness.control('sign-ins', { key: fleet, end: 'access' })
        return reader.read(...requested)
      }
      return { ...adapter, readers: { ...readers, VehicleLocation: { ...reader, read } } }
    }
    expect(await harness.sync(connection.id)).toMatchObject({ status: 'completed' })
    expect(pages).toBeGreaterThan(0)
    expect(await harness.requests(fleet)).toBe(1 + pages)
    for (const table of ['vehicles', 'drivers', 'vehicle_locations', 'vehicle_stat_logs', 'hos_logs']) {
      const count = await harness.count(table, connection)
      expect({ table, count }).toEqual({ table, count: await harness.count(table, byKey) })
      expect(count).toBeGreaterThan(0)
    }
    expect(await harness.disconnections(connection)).toBe(0)
  })

  test('are renewed by two workers if the first is slow, and both continue', async () => {
    const fleet = someFleet()
    const connection = await harness.linkByOAuth(fleet)
    await harness.control('sign-ins', { key: fleet, end: 'access' })
    const [requested, hasAsked] = gate()
    const [late, goOn] = gate()
    harness.adapt[0] = renewing((renew) => async (...given) => {
      const renewed = await renew(...given)
      hasAsked()
      await late
      return renewed
    })
    const read = async (process: 0 | 1) =>
      (await openAccount(harness.processes[process], connection, unstopped())).get('/account')
    const slow = read(0)
    await requested
    // The first has new credentials that are not stored yet.
    await harness.endLease(connection)
    await expect(read(1)).resolves.toMatchObject({ id: expect.any(String) })
    const stored = await harness.stored(connection)
    goOn()
    await expect(slow).resolves.toMatchObject({ id: expect.any(String) })
    expect(await harness.stored(connection)).toEqual(stored)
    expect(await harness.statusOf(connection)).toBe('connected')
  })

  test.each([
    [
      'continues if the provider accepts the old ones for a while',
      GRACE_SECONDS - 9,
      'completed',
      'connected',
    ],
    ['is disconnected if it does not', GRACE_SECONDS + 1, 'failed', 'disconnected'],
  ])(
    'that are lost between the response and the store: the connection %s',
    async (_what, laterSeconds, sync, status) => {
      const fleet = someFleet()
      const connection = await harness.linkByOAuth(fleet)
      await harness.control('sign-ins', { key: fleet, end: 'access' })
      harness.adapt[0] = renewing((renew) => async (...requested) => {
        await renew(...requested)
        throw new Error('killed')
      })
      const killed = openAccount(harness.processes[0], connection, unstopped()).then((api) =>
        api.get('/account'),
      )
      await expect(killed).rejects.toThrow('killed')
      await harness.endLease(connection)
      await harness.moveClock(laterSeconds * 1000)
      expect(await harness.sync(connection.id, harness.processes[1])).toMatchObject({ status: sync })
      expect(await harness.statusOf(connection)).toBe(status)
      expect(await harness.disconnections(connection)).toBe(status === 'connected' ? 0 : 1)
    },
  )

  test('survive a token endpoint that is down: the sync waits, and nothing is revoked', async () => {
    const fleet = someFleet()
    const connection = await harness.linkByOAuth(fleet)
    await harness.control('sign-ins', { key: fleet, end: 'access' })
    await harness.control('faults', { key: fleet, path: '/oauth/token', status: 503, count: 4 })
    await harness.control('faults', { key: fleet, path: '/oauth/token', status: 0, count: 1 })
    expect(await harness.sync(connection.id)).toMatchObject({ status: 'completed' })
    expect(await harness.requests(fleet)).toBe(1 + 5 + 1)
    expect(await harness.disconnections(connection)).toBe(0)
  })

  test('are used until they expire while the token endpoint is down', async () => {
    const fleet = someFleet()
    const connection = await harness.linkByOAuth(fleet)
    await harness.moveClock(59.5 * MINUTE_MS)
    await harness.control('faults', { key: fleet, path: '/oauth/token', status: 503, count: 1000 })
    const api = await openAccount(harness.processes[0], connection, unstopped())
    await expect(api.get('/account')).resolves.toMatchObject({ id: expect.any(String) })
    await harness.moveClock(MINUTE_MS)
    await expect(api.get('/account')).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await harness.statusOf(connection)).toBe('connected')
  })

  test('that are revoked disconnect the connection once, and fail the sync with a message without secrets', async () => {
    const fleet = someFleet()
    const connection = await harness.linkByOAuth(fleet)
    await harness.control('sign-ins', { key: fleet, end: 'all' })
    expect(await harness.sync(connection.id)).toEqual({
      status: 'failed',
      failureReason: 'The provider no longer accepts the credentials.',
    })
    const reads = harness.processes.map(async (tools) =>
      (await openAccount(tools, connection, unstopped(), 'live')).get('/account'),
    )
    for (const read of await Promise.allSettled(reads))
      expect(read).toMatchObject({ status: 'rejected', reason: { kind: 'invalid_credentials' } })
    expect(await harness.statusOf(connection)).toBe('disconnected')
    expect(await harness.disconnections(connection)).toBe(1)
  })

  test("are renewed during a caller's request, which gets an error if they are revoked", async () => {
    const fleet = someFleet()
    const connection = await harness.linkByOAuth(fleet)
    await harness.control('sign-ins', { key: fleet, end: 'access' })
    await harness.control('faults', { key: fleet, path: '/oauth/token', status: 503, count: 2 })
    expect(await harness.passThrough(connection, '/account')).toMatchObject({ status: 200 })
    expect(await harness.requests(fleet)).toBe(1 + 2 + 1)
    await harness.control('sign-ins', { key: fleet, end: 'all' })
    const refused = { code: 'connection_disconnected' }
    await expect(harness.passThrough(connection, '/account')).rejects.toMatchObject(refused)
    expect([await harness.statusOf(connection), await harness.disconnections(connection)]).toEqual([
      'disconnected',
      1,
    ])
  })

  test('are stored even if a key rotation encrypts them again in the meantime', async () => {
    const fleet = someFleet()
    const connection = await harness.linkByOAuth(fleet)
    await harness.control('sign-ins', { key: fleet, end: 'access' })
    harness.adapt[0] = renewing((renew) => async (...requested) => {
      const renewed = await renew(...requested)
      await harness.sealAgain(connection)
      return renewed
    })
    const before = await harness.stored(connection)
    const api = await openAccount(harness.processes[0], connection, unstopped())
    await expect(api.get('/account')).resolves.toMatchObject({ id: expect.any(String) })
    expect(await harness.stored(connection)).not.toEqual(before)
    expect(await harness.requests(fleet)).toBe(2)
  })

  test('yield to those of a new sign-in in the meantime', async () => {
    const fleet = someFleet()
    const connection = await harness.linkByOAuth(fleet)
    await harness.control('sign-ins', { key: fleet, end: 'access' })
    const again = await harness.signIn(fleet)
    harness.adapt[0] = renewing((renew) => async (...requested) => {
      const renewed = await renew(...requested)
      await harness.store(connection, again)
      return renewed
    })
    const api = await openAccount(harness.processes[0], connection, unstopped())
    await expect(api.get('/account')).resolves.toMatchObject({ id: expect.any(String) })
    expect(await harness.stored(connection)).toEqual(again)
  })

  test('from a password are a session, which is requested again when it ends', async () => {
    const fleet = someFleet()
    const connection = await harness.link({ user: fleet, password: 'any' })
    const read = async () =>
      (await openAccount(harness.processes[0], connection, unstopped())).get('/account')
    await read()
    await read()
    // The session of the account check is stored.
    expect(await harness.requests(fleet, '/sessions')).toBe(1)
    await harness.control('sign-ins', { key: fleet, end: 'access' })
    await read()
    expect(await harness.requests(fleet, '/sessions')).toBe(2)
    await harness.control('sign-ins', { key: fleet, revoked: true })
    expect(await harness.sync(connection.id)).toMatchObject({ status: 'failed' })
    expect(await harness.disconnections(connection)).toBe(1)
  })
})

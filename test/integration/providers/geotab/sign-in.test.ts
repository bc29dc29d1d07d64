import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { geotabUrl } from '../../../../src/providers/geotab/servers.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'
import {
  countsOf,
  connectionWith,
  never,
  NOW,
  type RunningGeotab,
  signIn,
  startGeotab,
  newUserCredentials,
} from '../../../support/providers/geotab-harness.ts'

const DAY_MS = 86_400_000

let geotab: RunningGeotab
beforeAll(async () => {
  geotab = await startGeotab()
})
afterAll(() => geotab[Symbol.asyncDispose]())
beforeEach(async () => {
  await geotab.fake.heal()
  await geotab.fake.behave({ path: 'ThisServer', errorNames: 'both' })
  await geotab.fake.forgetCalls()
})

const window = { from: 0, to: Date.parse(NOW) }

const devicesOf = (api: ReturnType<typeof connectionWith>['api']) =>
  geotab.adapter.readers.Device?.read(api, null, window, emptyRoster)

describe('a session', () => {
  test('is opened with a database, a user and a password, and keeps them for renewals', async () => {
    const { adapter } = geotab
    const entered = newUserCredentials(geotab)
    const credentials = await signIn(geotab, entered)
    expect(credentials).toMatchObject(entered)
    expect(adapter.renewal?.expiryOf(entered)).toBe(0)
    expect(adapter.renewal?.expiryOf(credentials)).toBe(Date.parse(NOW) + 13 * DAY_MS)
    const account = await adapter.identify(adapter.api(credentials, never), credentials)
    expect(account).toMatchObject({ sourceId: 'fleet_1', name: 'fleet_1' })
    expect(account.timeZone).toMatch(/^[A-Z]\w+\/\w+$/)
  })

  test('continues on the server that the sign-in names', async () => {
    await geotab.fake.behave({ path: 'another' })
    const entered = newUserCredentials(geotab)
    const credentials = await signIn(geotab, entered)
    expect(credentials['server']).not.toBe(entered.server)
    const { records } = (await devicesOf(connectionWith(geotab, credentials).api)) ?? {}
    expect(records?.length).toBeGreaterThan(0)
  })

  test('that has expired is renewed, and the request is sent again', async () => {
    const credentials = await signIn(geotab, newUserCredentials(geotab))
    const connection = connectionWith(geotab, credentials)
    await geotab.fake.fail({ kind: 'status', status: 401, key: 'fleet_1 Get Device' })
    const { records } = (await devicesOf(connection.api)) ?? {}
    expect(records?.length).toBeGreaterThan(0)
    expect(connection.credentials()['sessionId']).not.toBe(credentials['sessionId'])
    expect(await countsOf(geotab.fake)).toEqual({ 'fleet_1 Authenticate': 2, 'fleet_1 Get Device': 2 })
  })

  test('of a locked-out user is renewed only once', async () => {
    const entered = newUserCredentials(geotab)
    const connection = connectionWith(geotab, await signIn(geotab, entered))
    await lockOut(entered.userName)
    await expect(devicesOf(connection.api)).rejects.toMatchObject({ kind: 'invalid_credentials' })
    expect(await countsOf(geotab.fake)).toMatchObject({ 'fleet_1 Authenticate': 2, 'fleet_1 Get Device': 1 })
  })
})

const lockOut = (userName: string) =>
  fetch(`${geotab.fake.url}/_geotab/users`, {
    method: 'POST',
    body: JSON.stringify({ database: 'fleet_1', userName, isAdmitted: false }),
  })

describe.each(['both', 'data', 'errors'])('with the error type in %s', (errorNames) => {
  beforeEach(() => geotab.fake.behave({ errorNames }))

  test.each([
    ['a wrong password', { password: 'another' }, 'invalid_credentials'],
    ['a database that is not there', { database: 'nobody' }, 'invalid_credentials'],
  ])('%s', async (_name, entered, kind) => {
    await expect(signIn(geotab, { ...newUserCredentials(geotab), ...entered })).rejects.toMatchObject({
      kind,
    })
  })

  test('a rate limit has the pause that the provider requests', async () => {
    const { api } = connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab)))
    await geotab.fake.fail({ kind: 'status', status: 429, key: 'fleet_1 Get Device' })
    await expect(devicesOf(api)).rejects.toMatchObject({ kind: 'limited', retryAfterMs: 58_000 })
  })

  test('a request to a starting database is sent again', async () => {
    const { api } = connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab)))
    await geotab.fake.fail({ kind: 'status', status: 503, key: 'fleet_1 Get Device' })
    expect((await devicesOf(api))?.records.length).toBeGreaterThan(0)
    expect(await countsOf(geotab.fake)).toMatchObject({ 'fleet_1 Get Device': 2 })
  })

  test('a missing permission is reported as scope_missing', async () => {
    const { api } = connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab)))
    await geotab.fake.fail({ kind: 'status', status: 403, key: 'fleet_1 Get Device' })
    await expect(devicesOf(api)).rejects.toMatchObject({ kind: 'scope_missing' })
  })
})

describe('servers', () => {
  test.each([
    ['my.geotab.com', 'https://my.geotab.com'],
    ['https://my112.geotab.com/fleet_1/', 'https://my112.geotab.com'],
    ['MY.Geotab.com', 'https://my.geotab.com'],
  ])('%s is accepted', (server, url) => expect(geotabUrl(server)).toBe(url))

  test.each([
    'geotab.com.example.net',
    'notgeotab.com',
    'geotab.com',
    '127.0.0.1',
    'localhost',
    'http://my.geotab.com',
    'my.geotab.com:8443',
    'my.geotab.com@example.net',
    'example.net/#.geotab.com',
    '',
  ])('%j is refused', (server) => {
    expect(() => geotabUrl(server)).toThrow(expect.objectContaining({ kind: 'invalid_credentials' }))
  })

  test('a server outside MyGeotab is refused even if the sign-in names it', async () => {
    const [endpoint, key] = ['POST /apiv1', 'fleet_1 Authenticate']
    const credentials = { database: 'fleet_1', userName: 'reader', sessionId: '1' }
    const body = { jsonrpc: '2.0', result: { credentials, path: 'collector.example.net' } }
    await geotab.fake.fail({ kind: 'status', status: 200, endpoint, key, body })
    await expect(signIn(geotab, newUserCredentials(geotab))).rejects.toMatchObject({
      kind: 'invalid_credentials',
    })
  })
})

import { describe, expect, test } from 'vitest'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { passwordOf } from '../../../fakes/geotab/protocol/sessions.ts'

const USER = 'reader@fleet.example'

/** Posts like an SDK. */
async function post<Result>(url: string, method: string, params: object) {
  const response = await fetch(`${url}/apiv1`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: -1, method, params }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    ...(parseJson(text) as { result: Result; error?: Refused }),
  }
}

interface Refused {
  readonly message: string
  readonly data: { readonly type: string; readonly requestIndex: number }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

async function signIn({ url }: RunningFake, database = 'fleet_1') {
  const params = { database, userName: USER, password: passwordOf(USER) }
  return (await post<{ credentials: object; path: string }>(url, 'Authenticate', params)).result
}

describe('the process', () => {
  test('answers over HTTP, counts calls by database and method, and provides the truth', async () => {
    await using fake = await startFake('geotab', { vehicles: 3, accounts: 2, days: 5 })
    const { credentials } = await signIn(fake, 'fleet_2')
    const trips = await post<object[]>(fake.url, 'Get', { typeName: 'Trip', credentials })
    expect(trips.headers.get('x-rate-limit-remaining')).toBe('1199')
    expect(await fake.truth<object[]>('Trip', { account: 2 })).toHaveLength(trips.result.length)
    expect(trips.result.length).toBeGreaterThan(3)
    const { byKey } = await fake.calls(60_000)
    expect(byKey.map(({ key, calls }) => [key, calls])).toEqual([
      ['fleet_2 Authenticate', 1],
      ['fleet_2 Get Trip', 1],
    ])
  })

  test('redirects callers to a second port, the only one with the database', async () => {
    await using fake = await startFake('geotab', { vehicles: 2, days: 2 })
    await fake.behave({ path: 'another' })
    const { credentials, path } = await signIn(fake)
    expect(path).toMatch(/^127\.0\.0\.1:\d+$/)
    expect(fake.url).not.toContain(path)
    const params = { typeName: 'Device', credentials }
    expect((await post(fake.url, 'GetCountOf', params)).error?.message).toContain('UnknownDatabase')
    expect((await post(`http://${path}`, 'GetCountOf', params)).result).toBe(2)
  })

  test('fails on request, with the errors of MyGeotab', async () => {
    await using fake = await startFake('geotab', { vehicles: 2, days: 2 })
    const { credentials } = await signIn(fake)
    const get = () => post<unknown[]>(fake.url, 'Get', { typeName: 'Group', credentials })
    const key = 'fleet_1 Get Group'
    await fake.fail(
      { kind: 'status', status: 401, key },
      { kind: 'status', status: 429, key },
      { kind: 'status', status: 503, key },
    )
    expect((await get()).error?.data.type).toBe('InvalidUserException')
    const limited = await get()
    expect([limited.status, limited.headers.get('retry-after'), limited.error?.data.type]).toEqual([
      200,
      '58',
      'OverLimitException',
    ])
    expect((await get()).error?.message).toContain('Initializing')
    await fake.fail({ kind: 'truncated', key }, { kind: 'status', status: 502, key })
    expect((await get()).result).toBeUndefined()
    expect(await get()).toMatchObject({ status: 502, text: expect.stringContaining('<html>') })
    expect((await get()).result.length).toBeGreaterThan(1)
  })

  test('refuses a barred user, and ends sessions when its clock moves', async () => {
    await using fake = await startFake('geotab', { vehicles: 2, days: 2 })
    const first = await signIn(fake)
    const get = (credentials: object) => post<unknown[]>(fake.url, 'Get', { typeName: 'Group', credentials })
    await fake.move({ advanceMilliseconds: 15 * 86_400_000 })
    expect((await get(first.credentials)).error?.data.type).toBe('InvalidUserException')
    const second = await signIn(fake)
    expect((await get(second.credentials)).result.length).toBeGreaterThan(1)
    const admit = (isAdmitted: boolean) =>
      fetch(`${fake.url}/_geotab/users`, {
        method: 'POST',
        body: JSON.stringify({ database: 'fleet_1', userName: USER, isAdmitted }),
      })
    await admit(false)
    expect(await signIn(fake)).toBeUndefined()
    await admit(true)
    expect((await signIn(fake)).path).toBe('ThisServer')
  })

  test('writes a speed of NaN as invalid JSON on request', async () => {
    await using fake = await startFake('geotab', { vehicles: 6, days: 3, now: '2026-06-15T08:00:00.000Z' })
    const { credentials } = await signIn(fake)
    const infos = () =>
      post<{ speed: unknown }[]>(fake.url, 'Get', { typeName: 'DeviceStatusInfo', credentials })
    expect((await infos()).result.map(({ speed }) => speed)).toContain('NaN')
    await fake.behave({ nanSpeed: 'bare' })
    const bare = await infos()
    expect([bare.result, bare.text]).toEqual([undefined, expect.stringContaining('"speed":NaN')])
  })
})

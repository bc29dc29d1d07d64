import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newConnectionToken, newSecretKey } from '../../src/auth/keys.ts'
import { newId } from '../../src/ids.ts'
import { type PlantedApplication, plantApplication, unknownId, vehicleRow } from '../factories.ts'
import { headersOf, type Rest, startRest } from './rig.ts'

let rest: Rest
let lenient: Rest
let ours: PlantedApplication
let foreign: PlantedApplication

beforeAll(async () => {
  rest = await startRest()
  lenient = await startRest({ unknownParameters: 'ignore' })
  ours = await plantApplication(rest.db, [(owner) => ({ vehicles: [vehicleRow(owner)] })])
  foreign = await plantApplication(rest.db, [(owner) => ({ vehicles: [vehicleRow(owner)] })])
})

afterAll(async () => {
  await rest[Symbol.asyncDispose]()
  await lenient[Symbol.asyncDispose]()
})

const ids = (kind: 'vehicle' | 'driver', count: number) => Array.from({ length: count }, () => newId(kind)).join(',')

/** Path, the parameter that is wrong, and what is suggested instead. */
const badQueries: readonly (readonly [path: string, parameter: string, suggestion?: string])[] = [
  ...['0', '-1', '1.5', '0x10', 'NaN', ' 5', '5 ', '%2B5', 'ten', '0e5', '１'].map(
    (limit) => [`/vehicles?limit=${limit}`, 'limit'] as const,
  ),
  ['/vehicles?limit=1&limit=2', 'limit'],
  ['/vehicles?limit=&limit=2', 'limit'],
  ['/vehicles?limit[]=1', 'limit'],
  ['/vehicles?limit[]=', 'limit'],
  ['/vehicles?limit[a]=1', 'limit'],
  ['/vehicles?limit%5Ba%5D=1', 'limit'],
  ['/connections?tag=a&tags=b', 'tag'],
  ...['garbage', 'a', '%00', '💥', 'x'.repeat(4000)].map((cursor) => [`/trips?cursor=${encodeURIComponent(cursor)}`, 'cursor'] as const),
  ...[
    '2026-01-01T00:00:00', '2026-01-01', '2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '2026-06-30T23:59:60Z', '0000-01-01T00:00:00Z',
    '%2B275760-09-13T00:00:00Z', '1767225600000', 'yesterday', '2026-01-01T00:00:00+02:00',
  ].map((time) => [`/vehicles?modifiedAfter=${time}`, 'modifiedAfter'] as const),
  ['/connections?updatedBefore=now', 'updatedBefore'],
  ['/trips?endedBefore=now', 'endedBefore'],
  ...['1', 'yes', 'TRUE', 'on', 'null'].map((word) => [`/drivers?raw=${word}`, 'raw'] as const),
  ['/drivers?deleted=0', 'deleted'],
  ['/drivers?hidden=fals', 'hidden'],
  ['/vehicles?expand=group', 'expand', 'groups'],
  ['/vehicles?expand=groups,groups', 'expand'],
  ['/vehicles?expand=groups, devices', 'expand', 'devices'],
  ['/vehicles?expand=groups,', 'expand', 'groups'],
  ['/drivers?expand=devices', 'expand', 'groups'],
  ['/connections?status=conected', 'status', 'connected'],
  ['/connections?status=CONNECTED', 'status', 'connected'],
  [`/trips?vehicleIds=${ids('vehicle', 51)}`, 'vehicleIds'],
  [`/vehicles/locations?driverIds=${ids('driver', 51)}`, 'driverIds'],
  [`/trips?vehicleIds=${ids('driver', 1)}`, 'vehicleIds'],
  [`/trips?vehicleIds=${ids('vehicle', 2)},`, 'vehicleIds'],
  [`/trips?driverIds=${ids('driver', 1).toLowerCase()}`, 'driverIds'],
  ["/trips?driverIds=' OR 1=1 --", 'driverIds'],
  ['/trips?startTime=x', 'startTime', 'startedAfter'],
  ['/trips?driverId=x', 'driverId', 'driverIds'],
  ['/vehicles?Limit=1', 'Limit', 'limit'],
  ['/vehicles?cursr=1', 'cursr', 'cursor'],
  ['/vehicles?__proto__=1', '__proto__', 'groups'],
  ['/connections/current?raw=true', 'raw'],
  ['/providers?code=x', 'code'],
]

describe('400', () => {
  test.each(badQueries.map(([path, ...row]) => [path.replaceAll(' ', '%20'), ...row] as const))('%.80s', async (path, parameter, suggestion) => {
    const { status, body, statements } = await rest.get(path, ours.narrowed(0))
    expect(body).toEqual({ code: 'bad_request', message: expect.any(String), detail: [expect.any(Object)] })
    const [problem] = body.detail
    expect([status, problem.path]).toEqual([400, `{requestQuery}.${parameter}`])
    expect(problem.message).toMatch(/\S/)
    if (parameter !== '__proto__') expect(problem.suggestion).toBe(suggestion)
    expect(statements).toEqual([])
  })

  test('names every problem at once', async () => {
    const { body } = await rest.get('/trips?limit=0&raw=maybe&foo=1&driverIds=x', ours.narrowed(0))
    expect(body.detail.map(({ path }: { path: string }) => path).toSorted()).toEqual(
      ['driverIds', 'foo', 'limit', 'raw'].map((name) => `{requestQuery}.${name}`),
    )
  })

  test('takes fifty ids, and the same one as often as it comes', async () => {
    const same = newId('vehicle')
    for (const vehicleIds of [ids('vehicle', 50), Array(80).fill(same).join(',')])
      expect((await rest.get(`/trips?vehicleIds=${vehicleIds}`, ours.narrowed(0))).status).toBe(200)
  })
})

describe('an empty value counts as absent', () => {
  test.each(['limit=', 'cursor=', 'expand=', 'raw=', 'modifiedAfter=', 'foo=', 'limit', '&', ''])('?%s', async (query) => {
    expect((await rest.get(`/vehicles?${query}`, ours.narrowed(0))).status).toBe(200)
  })
})

describe('unknown parameters that are ignored', () => {
  test('do no harm', async () => {
    const application = await plantApplication(lenient.db, [(owner) => ({ vehicles: [vehicleRow(owner)] })])
    const { status, body } = await lenient.get('/vehicles?foo=1&foo=2&driverId=x&__proto__=1&limit=5', application.narrowed(0))
    expect([status, body.results.length]).toEqual([200, 1])
  })

  test.each(['limit[]=1', 'limit=0', 'limit=1&limit=1'])('leave ?%s refused', async (query) => {
    const application = await plantApplication(lenient.db, [() => ({})])
    expect((await lenient.get(`/vehicles?${query}`, application.narrowed(0))).status).toBe(400)
  })
})

const withKey = ['/connections', '/connections/current', '/vehicles', `/vehicles/${unknownId('vehicle')}`, '/vehicles/locations', '/drivers', '/trips']
const withToken = withKey.slice(1)

describe('401', () => {
  const authorizations: readonly (readonly [string, string | undefined])[] = [
    ['no key', undefined],
    ['an empty header', ''],
    ['Basic', 'Basic c2s6'],
    ['no scheme', newSecretKey('sandbox')],
    ['two values', `Bearer ${newSecretKey('sandbox')}, Bearer ${newSecretKey('sandbox')}`],
    ['8 kB', `Bearer sk_sandbox_${'x'.repeat(8192)}`],
    ['an unknown key', `Bearer ${newSecretKey('sandbox')}`],
    ['a connection token', `Bearer ${newConnectionToken()}`],
    ['a publishable key', 'Bearer pk_sandbox_12345678901234567890123456789012'],
  ]

  test.each(withKey.flatMap((path) => authorizations.map((row) => [path, ...row] as const)))('%s with %s', async (path, _, authorization) => {
    const { token } = ours.narrowed(0)
    const answer = await rest.send('GET', `${path}?limit=0`, { 'connection-token': token!, ...(authorization === undefined ? {} : { authorization }) })
    expect(answer.body).toEqual({ code: 'unauthorized', message: expect.any(String), detail: expect.any(String) })
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
  })

  test('a wrong key is refused also where none is needed', async () => {
    expect((await rest.get('/providers', null, { authorization: 'Bearer nonsense' })).status).toBe(401)
  })

  test('takes the scheme in any case', async () => {
    const { secretKey, token } = ours.narrowed(0)
    expect((await rest.get('/vehicles', null, { authorization: `bearer ${secretKey}`, 'connection-token': token! })).status).toBe(200)
  })
})

describe('403', () => {
  const tokens: readonly (readonly [string, () => string | undefined])[] = [
    ['no token', () => undefined],
    ['an empty token', () => ''],
    ['a malformed token', () => 'pub_tkn_1'],
    ['an unknown token', newConnectionToken],
    ["another application's token", () => foreign.narrowed(0).token!],
  ]

  test.each(withToken.flatMap((path) => tokens.map((row) => [path, ...row] as const)))('%s with %s', async (path, _, tokenOf) => {
    const token = tokenOf()
    const answer = await rest.get(`${path}?limit=0`, ours.party, token === undefined ? {} : { 'connection-token': token })
    expect(answer.body).toEqual({ code: 'forbidden', message: expect.any(String), detail: expect.any(String) })
    expect(answer.status).toBe(403)
  })
})

describe('404', () => {
  test("another application's vehicle is like one that nobody has", async () => {
    const answers = await Promise.all(
      [foreign.connections[0]!.vehicles[0]!.id, unknownId('vehicle'), unknownId('driver')].map((id) => rest.get(`/vehicles/${id}`, ours.narrowed(0))),
    )
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]!.body).toEqual({ code: 'not_found', message: 'There is no such vehicle.' })
  })

  test.each(['x', 'vcl_', unknownId('vehicle').toLowerCase(), `${unknownId('vehicle')}0`, 'vcl_8ZZZZZZZZZZZZZZZZZZZZZZZZZ', '%00', '..%2Fdrivers', '%F0%9F%92%A5'])(
    '/vehicles/%s does not reach the database',
    async (id) => {
      const { status, body, statements } = await rest.get(`/vehicles/${id}`, ours.narrowed(0))
      expect([status, body.code, statements]).toEqual([404, 'not_found', []])
    },
  )

  test.each(['/', '/vehicle', '/vehicles/a/b', '/vehicles/locations/latest', '/Vehicles', '/connections/current/x'])('%s', async (path) => {
    const { status, body } = await rest.get(path, ours.narrowed(0))
    expect([status, body]).toEqual([404, { code: 'not_found', message: 'There is no such path.' }])
  })
})

describe('405', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])('%s tells what a path takes', async (method) => {
    for (const path of ['/vehicles', `/vehicles/${unknownId('vehicle')}`, '/connections/current', '/providers?x=1']) {
      const { status, headers, body } = await rest.send(method, path, headersOf(ours.narrowed(0)))
      expect(body).toEqual({ code: 'method_not_allowed', message: expect.stringContaining('GET, HEAD') })
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD'])
    }
  })

  test('comes before the body is looked at', async () => {
    const sent = { ...headersOf(ours.narrowed(0)), 'content-type': 'text/xml' }
    expect((await rest.send('POST', '/vehicles', sent, '<a/>')).status).toBe(405)
    expect((await rest.send('POST', '/nothing', { 'content-type': 'application/json' }, '{')).status).toBe(404)
  })
})

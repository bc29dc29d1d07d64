import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newConnectionToken, newSecretKey } from '../../src/auth/keys.ts'
import { type PlantedApplication, plantApplication, unknownId, vehicleRow } from '../factories.ts'
import { headersOf, type Rest, startRest } from './rig.ts'

let rest: Rest
let ours: PlantedApplication
let foreign: PlantedApplication

beforeAll(async () => {
  rest = await startRest()
  ours = await plantApplication(rest.db, [(owner) => ({ vehicles: [vehicleRow(owner)] })])
  foreign = await plantApplication(rest.db, [(owner) => ({ vehicles: [vehicleRow(owner)] })])
})

afterAll(() => rest[Symbol.asyncDispose]())

const withKey = [
  '/connections',
  '/connections/current',
  '/vehicles',
  `/vehicles/${unknownId('vehicle')}`,
  '/vehicles/locations',
  '/drivers',
  '/trips',
]
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

  test.each(withKey.flatMap((path) => authorizations.map((row) => [path, ...row] as const)))(
    '%s with %s',
    async (path, _, authorization) => {
      const { token } = ours.narrowed(0)
      const answer = await rest.send('GET', `${path}?limit=0`, {
        'connection-token': token!,
        ...(authorization === undefined ? {} : { authorization }),
      })
      expect(answer.body).toEqual({
        code: 'unauthorized',
        message: expect.any(String),
        detail: expect.any(String),
      })
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    },
  )

  test('a wrong key is refused also where none is needed', async () => {
    expect((await rest.get('/providers', null, { authorization: 'Bearer nonsense' })).status).toBe(401)
  })

  test('takes the scheme in any case', async () => {
    const { secretKey, token } = ours.narrowed(0)
    expect(
      (
        await rest.get('/vehicles', null, {
          authorization: `bearer ${secretKey}`,
          'connection-token': token!,
        })
      ).status,
    ).toBe(200)
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

  test.each(withToken.flatMap((path) => tokens.map((row) => [path, ...row] as const)))(
    '%s with %s',
    async (path, _, tokenOf) => {
      const token = tokenOf()
      const answer = await rest.get(
        `${path}?limit=0`,
        ours.party,
        token === undefined ? {} : { 'connection-token': token },
      )
      expect(answer.body).toEqual({
        code: 'forbidden',
        message: expect.any(String),
        detail: expect.any(String),
      })
      expect(answer.status).toBe(403)
    },
  )
})

describe('404', () => {
  test("another application's vehicle is like one that nobody has", async () => {
    const answers = await Promise.all(
      [foreign.connections[0]!.vehicles[0]!.id, unknownId('vehicle'), unknownId('driver')].map((id) =>
        rest.get(`/vehicles/${id}`, ours.narrowed(0)),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]!.body).toEqual({ code: 'not_found', message: 'There is no such vehicle.' })
  })

  test.each([
    'x',
    'vcl_',
    unknownId('vehicle').toLowerCase(),
    `${unknownId('vehicle')}0`,
    'vcl_8ZZZZZZZZZZZZZZZZZZZZZZZZZ',
    '%00',
    '..%2Fdrivers',
    '%F0%9F%92%A5',
  ])('/vehicles/%s does not reach the database', async (id) => {
    const { status, body, statements } = await rest.get(`/vehicles/${id}`, ours.narrowed(0))
    expect([status, body.code, statements]).toEqual([404, 'not_found', []])
  })

  test.each([
    '/',
    '/vehicle',
    '/vehicles/a/b',
    '/vehicles/locations/latest',
    '/Vehicles',
    '/connections/current/x',
  ])('%s', async (path) => {
    const { status, body } = await rest.get(path, ours.narrowed(0))
    expect([status, body]).toEqual([404, { code: 'not_found', message: 'There is no such path.' }])
  })
})

describe('405', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    '%s tells what a path takes',
    async (method) => {
      for (const path of [
        '/vehicles',
        `/vehicles/${unknownId('vehicle')}`,
        '/connections/current',
        '/providers?x=1',
      ]) {
        const { status, headers, body } = await rest.send(method, path, headersOf(ours.narrowed(0)))
        expect(body).toEqual({ code: 'method_not_allowed', message: expect.stringContaining('GET, HEAD') })
        expect([status, headers['allow']]).toEqual([405, 'GET, HEAD'])
      }
    },
  )

  test('comes before the body is looked at', async () => {
    const sent = { ...headersOf(ours.narrowed(0)), 'content-type': 'text/xml' }
    expect((await rest.send('POST', '/vehicles', sent, '<a/>')).status).toBe(405)
    expect((await rest.send('POST', '/nothing', { 'content-type': 'application/json' }, '{')).status).toBe(
      404,
    )
  })
})

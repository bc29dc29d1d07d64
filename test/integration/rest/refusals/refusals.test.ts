import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newConnectionToken, newSecretKey } from '../../../../src/auth/keys.ts'
import { idPrefixes, type Kind } from '../../../../src/domain/ids.ts'
import {
  driverRow,
  eventRow,
  type SeededApplication,
  type SeededConnection,
  seedApplication,
  safetyEventRow,
  syncRow,
  unknownId,
  vehicleRow,
} from '../../../support/factories.ts'
import { issueRow } from '../../../support/rows/record-rows.ts'
import { seedWebhooks } from '../../../support/graph/webhook-rows.ts'
import { type Example, examples, withQuery } from '../../../support/rest/route-examples.ts'
import { routes } from '../../../../rest-compat/routes.ts'
import { headersOf, type RestHarness, startRest } from '../../../support/rest/rest-harness.ts'

let rest: RestHarness
let ours: SeededApplication
let foreign: SeededApplication
/** Ids of records of another application, by kind. */
let theirs: Readonly<Partial<Record<Kind, string>>>

beforeAll(async () => {
  rest = await startRest()
  ours = await seedApplication(rest.db, [(owner) => ({ vehicles: [vehicleRow(owner)] })])
  foreign = await seedApplication(rest.db, [
    (owner) => {
      const vehicles = [vehicleRow(owner)]
      return {
        vehicles,
        drivers: [driverRow(owner)],
        safetyEvents: [safetyEventRow(owner, { vehicleId: vehicles[0]!.id })],
        syncs: [syncRow(owner)],
        issues: [issueRow(owner)],
        events: [eventRow(owner)],
      }
    },
  ])
  const [{ vehicles, drivers, safetyEvents, syncs, issues }] = foreign.connections as [SeededConnection]
  theirs = {
    vehicle: vehicles[0]!.id,
    driver: drivers[0]!.id,
    safetyEvent: safetyEvents[0]!.id,
    sync: syncs[0]!.id,
    issue: issues[0]!.id,
    ...(await seedWebhooks(rest.db, foreign)),
  }
})

afterAll(() => rest[Symbol.asyncDispose]())

const withKey = examples.filter(({ route }) => route.auth !== 'none')
const withToken = examples.filter(({ route }) => route.auth === 'connection')

/** Sends a request that is invalid in every part: authentication is checked first. */
const sendInvalid = ({ method, url }: Example, headers: Readonly<Record<string, string>>) =>
  method === 'GET'
    ? rest.send(method, withQuery(url, 'limit=0'), headers)
    : rest.send(method, url, { ...headers, 'content-type': 'application/json' }, '{"x":')

const nameOf = (example: Example) => `${example.method} ${example.route.path}`

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

  test.each(
    withKey.flatMap((example) => authorizations.map((row) => [nameOf(example), ...row, example] as const)),
  )('%s with %s', async (_, __, authorization, example) => {
    const { token } = ours.narrowed(0)
    const answer = await sendInvalid(example, {
      'connection-token': token!,
      ...(authorization === undefined ? {} : { authorization }),
    })
    expect(answer.body).toEqual({
      code: 'unauthorized',
      message: expect.any(String),
      detail: expect.any(String),
    })
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
  })

  test('a wrong key is refused also by a path that needs no key', async () => {
    expect((await rest.get('/providers', null, { authorization: 'Bearer nonsense' })).status).toBe(401)
  })

  test('the scheme is accepted in upper or lower case', async () => {
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

  test.each(withToken.flatMap((example) => tokens.map((row) => [nameOf(example), ...row, example] as const)))(
    '%s with %s',
    async (_, __, tokenOf, example) => {
      const token = tokenOf()
      const answer = await sendInvalid(example, {
        ...headersOf(ours.client),
        ...(token === undefined ? {} : { 'connection-token': token }),
      })
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
  const withId = examples.filter(({ route }) => route.params)
  const client = ({ route }: Example) => (route.auth === 'key' ? ours.client : ours.narrowed(0))

  test.each(withId.map((example) => [nameOf(example), example] as const))(
    '%s: records of others get the same response as missing records',
    async (_, example) => {
      const [kind] = Object.values(example.route.params ?? {})
      const urlOf = (id: string) => example.url.replace(unknownId(kind!), id)
      const answers = await Promise.all(
        [theirs[kind as keyof typeof theirs]!, unknownId(kind!)].map((id) =>
          rest.write(example.method as 'POST', urlOf(id), client(example), example.body),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual([404, 404])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(answers[0]!.body).toEqual({ code: 'not_found', message: expect.stringMatching(/\S/) })
    },
  )

  const malformedIds = (kind: Kind) => [
    'x',
    `${idPrefixes[kind]}_`,
    unknownId(kind).toLowerCase(),
    `${unknownId(kind)}0`,
    `${idPrefixes[kind]}_8ZZZZZZZZZZZZZZZZZZZZZZZZZ`,
    unknownId(kind === 'driver' ? 'vehicle' : 'driver'),
    '%00',
    '..%2Fdrivers',
    '%F0%9F%92%A5',
  ]

  test.each(withId.map((example) => [nameOf(example), example] as const))(
    '%s: a malformed id does not reach the database',
    async (_, example) => {
      const [kind] = Object.values(example.route.params ?? {}) as [Kind]
      for (const id of malformedIds(kind)) {
        const url = example.url.replace(unknownId(kind), id)
        const { status, body, statements } = await rest.write(example.method as 'POST', url, client(example))
        expect([id, status, body.code, statements]).toEqual([id, 404, 'not_found', []])
      }
    },
  )

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
  const methodsByPath = new Map<string, string[]>()
  for (const { path, method } of routes)
    methodsByPath.set(path, [
      ...(methodsByPath.get(path) ?? []),
      ...(method === 'GET' ? ['GET', 'HEAD'] : [method]),
    ])
  const refusedMethods = [...methodsByPath].flatMap(([path, methods]) =>
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
      .filter((method) => !methods.includes(method))
      .map((method) => [method, path, methods] as const),
  )

  test.each(refusedMethods)('%s %s lists the methods of the path', async (method, path, methods) => {
    const url = path.replaceAll(/\{\w+\}/g, unknownId('vehicle'))
    const answers = await Promise.all(
      [url, `${url}?x=1`].map((one) => rest.send(method, one, headersOf(ours.narrowed(0)))),
    )
    for (const { status, headers, body } of answers) {
      expect(body).toEqual({ code: 'method_not_allowed', message: expect.any(String) })
      expect(status).toBe(405)
      expect(String(headers['allow']).split(', ').toSorted()).toEqual(methods.toSorted())
    }
  })

  test('is returned before the body is read', async () => {
    const sent = { ...headersOf(ours.narrowed(0)), 'content-type': 'text/xml' }
    expect((await rest.send('POST', '/vehicles', sent, '<a/>')).status).toBe(405)
    expect((await rest.send('POST', '/nothing', { 'content-type': 'application/json' }, '{')).status).toBe(
      404,
    )
  })
})

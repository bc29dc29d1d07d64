import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SeededApplication, seedApplication, unknownId } from '../../../support/factories.ts'
import { type Example, examples } from '../../../support/rest/route-examples.ts'
import { headersOf, type RestHarness, startRest } from '../../../support/rest/rest-harness.ts'

let rest: RestHarness
let lenient: RestHarness
let ours: SeededApplication
let lenientOurs: SeededApplication

beforeAll(async () => {
  rest = await startRest()
  lenient = await startRest({ unknownParameters: 'ignore' })
  ours = await seedApplication(rest.db, [() => ({})])
  lenientOurs = await seedApplication(lenient.db, [() => ({})])
})

afterAll(async () => {
  await rest[Symbol.asyncDispose]()
  await lenient[Symbol.asyncDispose]()
})

const writes = examples.filter(({ method }) => method !== 'GET')
const withMembers = writes.filter(({ route }) => route.requestBody)
const titled = (list: readonly Example[]) =>
  list.map((example) => [`${example.method} ${example.route.path}`, example] as const)

const json = { 'content-type': 'application/json' }

const sendText = ({ method, url }: Example, text: string) =>
  rest.send(method, url, { ...headersOf(ours.narrowed(0)), ...json }, text)

const byName = (name: string) => examples.find((example) => example.name === name)!

/** The operation, an invalid body, the invalid member, and the suggestion in the response. */
const wrongBodies: readonly (readonly [name: string, body: object, path: string, suggestion?: string])[] = [
  ['PublicTokenExchange', {}, 'publicToken'],
  ['PublicTokenExchange', { publicToken: 'con_tkn_1' }, 'publicToken'],
  ['PublicTokenExchange', { publicToken: 'pub_tkn_a b' }, 'publicToken'],
  ['PublicTokenExchange', { publicToken: 7 }, 'publicToken'],
  ['CreateConnection', { provider: 'sandbox' }, 'credentials'],
  ['CreateConnection', { credentials: {} }, 'provider'],
  ['CreateConnection', { provider: 'sandbox', credentials: 'x' }, 'credentials'],
  ['CreateConnection', { provider: 'sandbox', credentials: {}, syncMode: 'auto' }, 'syncMode'],
  ['CreateConnection', { provider: 'sandbox', credentials: {}, tags: 'a' }, 'tags'],
  ['CreateConnection', { provider: 'sandbox', credentials: {}, tags: [1] }, 'tags.0'],
  [
    'CreateConnection',
    { provider: 'sandbox', credentials: {}, backfill: { day: 1 } },
    'backfill.day',
    'days',
  ],
  ['CreateConnection', { provider: 'sandbox', credentials: {}, backfill: { days: -1 } }, 'backfill.days'],
  [
    'CreateConnection',
    { provider: 'sandbox', credentials: {}, agreements: [{ agreementUrl: 'https://a', acceptedAt: 'now' }] },
    'agreements.0.acceptedAt',
  ],
  [
    'CreateConnection',
    { provider: 'sandbox', credentials: {}, agreements: [{}] },
    'agreements.0.agreementUrl',
  ],
  ['UpdateCurrentConnection', { status: 'deleted' }, 'status', 'connected'],
  ['UpdateCurrentConnection', { status: 'ARCHIVED' }, 'status', 'archived'],
  ['UpdateCurrentConnection', { status: null }, 'status'],
  ['UpdateCurrentConnection', { options: [] }, 'options'],
  ['UpdateCurrentConnection', { company: { dotNumber: [] } }, 'company.dotNumber', 'dotNumbers'],
  ['UpdateCurrentConnection', { company: { dotNumbers: [7] } }, 'company.dotNumbers.0'],
  ['UpdateCurrentConnection', { externalId: 7 }, 'externalId'],
  ['UpdateCurrentConnection', { externalId: 'x'.repeat(1000) }, 'externalId'],
  ['UpdateCurrentConnection', { syncMode: 'AUTOMATIC' }, 'syncMode'],
  ['UpdateCurrentConnection', { tags: {} }, 'tags'],
  ['UpdateCurrentConnection', { tags: [''] }, 'tags'],
  ['UpdateCurrentConnection', { filters: { vehicles: { status: 'gone' } } }, 'filters.vehicles.status'],
  [
    'UpdateCurrentConnection',
    { filters: { vehicles: { includeIds: [unknownId('driver')] } } },
    'filters.vehicles.includeIds.0',
  ],
  ['UpdateCurrentConnection', { filters: { vehicle: {} } }, 'filters.vehicle', 'vehicles'],
  ['UpdateCurrentConnection', { state: 'archived' }, 'state', 'status'],
  ['UpdateCurrentConnection', { connectionId: unknownId('connection') }, 'connectionId'],
  ['RequestSync', { days: '7' }, 'days'],
  ['RequestSync', { days: -1 }, 'days'],
  ['RequestSync', { startFrom: 'yesterday' }, 'startFrom'],
  ['RequestSync', { startFrom: '2126-01-01T00:00:00Z' }, 'startFrom'],
  ['RequestSync', { providerRequests: ['files'] }, 'providerRequests.0'],
  ['RequestSync', { providerRequests: [{ type: 'files' }] }, 'providerRequests.0'],
  ['RequestSync', { day: 7 }, 'day', 'days'],
  ['Passthrough', { method: 'HEAD', path: '/' }, 'method'],
  ['Passthrough', { method: 'get', path: '/' }, 'method', 'GET'],
  ['Passthrough', { method: 'GET' }, 'path'],
  ['Passthrough', { method: 'GET', path: '//evil.example.com' }, 'path'],
  ['Passthrough', { method: 'GET', path: '/', headers: { a: 1 } }, 'headers.a'],
  ['Passthrough', { method: 'GET', path: '/', headers: { 'a\r\nb': 'c' } }, 'headers'],
  ['Passthrough', { method: 'POST', path: '/', body: { a: 1 } }, 'body'],
  ['PassthroughRaw', { method: 'GET', paths: '/' }, 'paths', 'path'],
]

describe('400', () => {
  test.each(wrongBodies.map((row) => [`${row[0]} ${JSON.stringify(row[1]).slice(0, 80)}`, ...row] as const))(
    '%s',
    async (_, name, body, path, suggestion) => {
      const { status, body: answer } = await sendText(byName(name), JSON.stringify(body))
      expect([status, answer.code]).toEqual([400, 'bad_request'])
      const at = `{requestBody}.${path}`
      expect(answer.detail.map((one: { path: string }) => one.path)).toContain(at)
      const problem = answer.detail.find((one: { path: string }) => one.path === at)
      expect(problem.message).toMatch(/\S/)
      if (suggestion !== undefined) expect(problem.suggestion).toBe(suggestion)
    },
  )

  test('a missing member is named as missing, and a wrong one is not', async () => {
    const messageOf = async (address: object) => {
      const merchant = { name: 'Stop', categoryCode: '5542', address }
      const body = { idempotencyKey: 'key', merchant, amount: { value: 1, currency: 'USD' } }
      const { body: answer } = await sendText(byName('CreatePurchaseCheck'), JSON.stringify(body))
      return answer.detail.map((one: { message: string; path: string }) => `${one.path}: ${one.message}`)
    }
    const path = '{requestBody}.merchant.address.country'
    expect(await messageOf({ state: 'ME' })).toEqual([`${path}: This member is missing. Give a text.`])
    expect(await messageOf({ state: 'ME', country: 7 })).toEqual([`${path}: Give a text.`])
  })

  test.each(titled(withMembers))('%s accepts only a JSON object', async (_, example) => {
    for (const text of ['{', '[]', 'null', '7', '"x"', '{}x', '\u0000', '{"a":1,}']) {
      const { status, body, statements } = await sendText(example, text)
      expect([text, status, body.detail[0].path]).toEqual([text, 400, '{requestBody}'])
      expect(statements).toEqual([])
    }
  })

  test.each(titled(writes))('%s refuses unknown members', async (_, example) => {
    const { status, body, statements } = await sendText(
      example,
      `{"__proto__":{"a":1},"constructor":1,${JSON.stringify(example.body ?? {}).slice(1)}`.replace(
        ',}',
        '}',
      ),
    )
    const paths = body.detail.map(({ path }: { path: string }) => path)
    expect([status, statements]).toEqual([400, []])
    expect(paths.toSorted()).toEqual(['{requestBody}.__proto__', '{requestBody}.constructor'])
  })

  test('names every problem of a body at once', async () => {
    const { body } = await sendText(
      byName('UpdateCurrentConnection'),
      JSON.stringify({ status: 'gone', tags: 7, foo: 1, company: { nme: 'x' } }),
    )
    expect(body.detail.map(({ path }: { path: string }) => path).toSorted()).toEqual(
      ['company.nme', 'foo', 'status', 'tags'].map((name) => `{requestBody}.${name}`),
    )
  })
})

describe('unknown members', () => {
  test('have no effect if they are ignored', async () => {
    const { status, body } = await lenient.write('PATCH', '/connections/current', lenientOurs.narrowed(0), {
      foo: 1,
      tags: ['a'],
      company: { name: 'New', nme: 'x' },
    })
    expect([status, body.tags, body.company.name]).toEqual([200, ['a'], 'New'])
  })

  test('do not change the refusal of invalid members', async () => {
    const { status, body } = await lenient.write('PATCH', '/connections/current', lenientOurs.narrowed(0), {
      foo: 1,
      tags: 7,
    })
    expect([status, body.detail.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['{requestBody}.tags'],
    ])
  })
})

describe('content types', () => {
  test.each(titled(withMembers))('%s accepts only JSON', async (_, { method, url, body }) => {
    for (const type of ['text/xml', 'application/x-www-form-urlencoded', 'text/plain']) {
      const headers = { ...headersOf(ours.narrowed(0)), 'content-type': type }
      const answer = await rest.send(method, url, headers, JSON.stringify(body))
      expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type'])
    }
  })

  test.each(titled(writes))('%s accepts the JSON content type with an empty body', async (_, example) => {
    const headers = { ...headersOf(ours.narrowed(0)), ...json }
    for (const text of [undefined, '', ' \n']) {
      const { status } = await rest.send(example.method, example.url, headers, text)
      const required = Object.keys(example.body ?? {}).length > 0
      if (required) expect(status).toBe(400)
      else expect([200, 201, 202, 404, 409, 422]).toContain(status)
    }
  })

  test('a body that is too large is refused', async () => {
    const { status, body } = await sendText(
      byName('RequestSync'),
      JSON.stringify({ startFrom: 'x'.repeat(200_000) }),
    )
    expect([status, body.code]).toEqual([413, 'payload_too_large'])
  })
})

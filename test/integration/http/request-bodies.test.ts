import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FederationHarness, type GatewayClient } from '../../support/federation/federation-harness.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'

let federation: FederationHarness
let gateway: GatewayClient

beforeAll(async () => {
  federation = await FederationHarness.start([])
  gateway = await federation.startGateway()
})
afterAll(() => federation[Symbol.asyncDispose]())

const NAME = 'Zoë'
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** Requests that store a JSON value, and how to read the code of an error. */
const requests = {
  GraphQL: {
    path: '/graphql',
    method: 'POST',
    body: (value: string) =>
      `{"query":"mutation ($x: JSON) { updateConnection(input: { filters: $x }) { connection { filters } } }","variables":{"x":${value}}}`,
    code: (body: unknown) =>
      (body as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions.code.toLowerCase(),
  },
  REST: {
    path: '/tsp/v1/connections/current',
    method: 'PATCH',
    body: (value: string) => `{"filters":${value}}`,
    code: (body: unknown) => (body as { code: string }).code.replace('bad_request', 'bad_user_input'),
  },
} as const

const filter = `{"VehicleFilter":[{"name":"${NAME}"}]}`

describe.each(Object.entries(requests))('a body of %s', (_name, { path, body, code, ...request }) => {
  const send = async (bytes: Buffer | string, more: Record<string, string> = {}) => {
    const response = await fetch(gateway.url + path, {
      ...request,
      headers: {
        ...(headersOf(federation.fleet.narrowed(0)) as Record<string, string>),
        'content-type': 'application/json',
        ...more,
      },
      body: bytes as BodyInit,
    })
    return { status: response.status, body: (await response.json()) as unknown }
  }

  test.each([
    [
      'ISO 8859-1',
      Buffer.from(body(filter), 'latin1'),
      { 'content-type': 'application/json; charset=iso-8859-1' },
    ],
    [
      'UTF-16',
      Buffer.from(body(filter), 'utf16le'),
      { 'content-type': 'application/json; charset="UTF-16"' },
    ],
    ['gzip', gzipSync(body(filter)), { 'content-encoding': 'gzip' }],
    ['gzip in capitals', gzipSync(body(filter)), { 'content-encoding': 'identity, GZIP' }],
  ])('in %s is refused with 415', async (_encoding, bytes, more) => {
    const { status, body: answer } = await send(bytes, more as Record<string, string>)
    expect([status, code(answer)]).toEqual([415, 'unsupported_media_type'])
  })

  test.each([
    ['bytes of ISO 8859-1 without a charset', Buffer.from(body(filter), 'latin1')],
    ['a character that is cut', Buffer.from(body(filter).replace(NAME, 'ë')).subarray(0, -1)],
    [
      'half a surrogate pair',
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    ],
  ])('with %s is refused with 400', async (_what, bytes) => {
    const { status, body: answer } = await send(bytes)
    expect([status, code(answer)]).toEqual([400, 'bad_user_input'])
  })

  test.each([
    ['a byte order mark', `\ufeff${body('null')}`, {}],
    ['the charset UTF-8', body('null'), { 'content-type': 'application/json; charset=UTF-8' }],
    ['the charset utf8', body('null'), { 'content-type': 'application/json;charset=utf8' }],
    ['no compression', body('null'), { 'content-encoding': 'identity' }],
    ['no compression in capitals, twice', body('null'), { 'content-encoding': 'Identity, IDENTITY' }],
    ['an empty list of compressions', body('null'), { 'content-encoding': '' }],
  ])('with %s is read', async (_what, bytes, more) => {
    expect((await send(bytes, more as Record<string, string>)).status).toBe(200)
  })

  test.each([1000, 5000, 40_000])('nested %i levels deep is refused with 400', async (depth) => {
    const { status, body: answer } = await send(body(`{"VehicleFilter":${nested(depth)}}`))
    expect([status, code(answer)]).toEqual([400, 'bad_user_input'])
    expect(JSON.stringify(answer)).toContain('nested deeper than 500 levels')
  })

  test('with many brackets in texts is not nested', async () => {
    const texts = JSON.stringify({ VehicleFilter: [{ name: '[{\\"'.repeat(2000) }] })
    expect(JSON.stringify((await send(body(texts))).body)).not.toContain('nested')
  })
})

describe('a GraphQL body above the limit', () => {
  test('gets an error in the form of GraphQL', async () => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        ...(headersOf(federation.fleet.narrowed(0)) as Record<string, string>),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query: `{ connection { id } } #${'x'.repeat(110 * 1024)}` }),
    })
    expect([response.status, await response.json()]).toMatchObject([
      413,
      { errors: [{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }] },
    ])
  })
})

import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import * as zlib from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mountMedia } from '../../../src/http/media-proxy.ts'
import { createApp } from '../../../src/http/app.ts'
import { mountCors } from '../../../src/http/cors.ts'
import { mountGraphql } from '../../../src/http/graphql/graphql-endpoint.ts'
import { createGateway } from '../../../src/gateway/gateway.ts'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { callerOf } from '../../support/factories.ts'
import { FederationHarness, type GatewayClient } from '../../support/federation/federation-harness.ts'
import { silent } from '../../support/graph/graph-harness.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Encoding of the body; undefined if it is not compressed. */
  readonly encoding: string | undefined
  readonly bytes: Buffer
  /** Body without its encoding. */
  readonly text: string
}

interface Sent {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PATCH'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

const { zstdDecompressSync: unzstd } = zlib as { readonly zstdDecompressSync?: (bytes: Buffer) => Buffer }

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  ...(unzstd ? { zstd: unzstd } : {}),
}

/** Sends a request that accepts gzip. Unlike `fetch`, it returns the bytes that were sent. */
async function send(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> {
  const response = await request(url, {
    method,
    headers: {
      'accept-encoding': 'gzip',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const bytes = Buffer.from(await response.body.arrayBuffer())
  const encoding = response.headers['content-encoding']?.toString()
  const decode = encoding === undefined || bytes.length === 0 ? undefined : decoders[encoding]
  return {
    status: response.statusCode,
    headers: response.headers,
    encoding,
    bytes,
    text: (decode ? decode(bytes) : bytes).toString(),
  }
}

const urlOf = (app: FastifyInstance) => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

/** Whether caches keep the response for each encoding. */
const varies = ({ headers }: Answer) => String(headers['vary']).includes('accept-encoding')

const LONG = JSON.stringify(Array.from({ length: 100 }, (_, at) => ({ id: at, name: `Vehicle ${at}` })))

describe('a response', () => {
  let app: FastifyInstance
  let off: FastifyInstance

  type Reply = (reply: FastifyReply) => unknown

  const json =
    (body: string): Reply =>
    (reply) =>
      reply.type('application/json').send(body)

  const replies: Readonly<Record<string, Reply>> = {
    '/json': json(LONG),
    '/1024': json(JSON.stringify('x'.repeat(1022))),
    '/1025': json(JSON.stringify('x'.repeat(1023))),
    // 600 characters, 1,200 bytes.
    '/umlauts': json('ü'.repeat(600)),
    '/no-content': (reply) => reply.code(204).type('application/json').send(),
    '/not-modified': (reply) => reply.header('etag', '"1"').code(304).send(),
    '/encoded': (reply) => reply.header('content-encoding', 'gzip').type('text/plain').send(LONG),
    '/no-transform': (reply) =>
      reply
        .header('cache-control', 'public, no-transform')
        .header('etag', '"1"')
        .type('text/plain')
        .send(LONG),
    '/bytes': (reply) => reply.type('application/json').send(Buffer.from(LONG)),
    '/stream': (reply) => reply.type('text/plain').send(Readable.from([LONG])),
    '/vary': (reply) => reply.header('vary', 'accept').type('text/html').send(LONG),
    '/vary-all': (reply) => reply.header('vary', '*').type('text/html').send(LONG),
    '/vary-already': (reply) => reply.header('vary', 'Accept-Encoding, accept').type('text/html').send(LONG),
    '/etag': (reply) => reply.header('etag', '"1"').type('text/css').send(LONG),
    '/weak-etag': (reply) => reply.header('etag', 'W/"1"').type('text/css').send(LONG),
    '/large': json(LONG.repeat(2000)),
  }

  const types = [
    'application/json',
    'application/json; charset=utf-8',
    'application/graphql-response+json; charset=utf-8',
    'application/vnd.oai.openapi+json;version=3.1',
    'text/plain',
    'text/html; charset=utf-8',
    'text/css',
    'text/javascript',
    'application/javascript',
    'image/svg+xml',
  ]
  const otherTypes = [
    'text/event-stream',
    'text/event-stream; charset=utf-8',
    'multipart/mixed; boundary=-',
    'application/octet-stream',
    'video/mp4',
    'image/png',
    'application/zip',
    'application/jsonish',
  ]

  async function start(compression?: boolean): Promise<FastifyInstance> {
    const started = createApp({ log: silent, ...(compression === undefined ? {} : { compression }) })
    await mountCors(started, ['https://app.example.com', 'https://other.example.com'])
    for (const [path, handler] of Object.entries(replies))
      started.get(path, (_request, reply) => {
        reply.isCompressible = true
        return handler(reply)
      })
    for (const [at, type] of [...types, ...otherTypes].entries())
      started.get(`/type/${at}`, (_request, reply) => {
        reply.isCompressible = true
        return reply.header('content-type', type).send(LONG)
      })
    started.get('/unmarked', (_request, reply) => json(LONG)(reply))
    mountMedia(started, async () => new Response(LONG, { headers: { 'content-type': 'image/png' } }))
    await started.listen({ port: 0, host: '127.0.0.1' })
    return started
  }

  const get = (path: string, headers: Record<string, string> = {}) => send(urlOf(app) + path, { headers })

  beforeAll(async () => {
    app = await start()
    off = await start(false)
  })
  afterAll(async () => {
    await app.close()
    await off.close()
  })

  test.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', unzstd ? 'zstd' : 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
  ])('to a client that accepts %s has the encoding %s', async (accepted, encoding) => {
    const answer = await get('/json', { 'accept-encoding': accepted })
    expect([answer.status, answer.encoding, answer.text]).toEqual([200, encoding, LONG])
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
    expect(answer.bytes.length).toBeLessThan(LONG.length / 2)
  })

  test.each(['identity', 'deflate', 'gzip;q=0', '*;q=0', 'identity;q=0', 'identity;q=0, *;q=0', ''])(
    'to a client that accepts %s is not compressed, and is no error',
    async (accepted) => {
      const answer = await get('/json', { 'accept-encoding': accepted })
      expect([answer.status, answer.encoding, answer.text]).toEqual([200, undefined, LONG])
      expect(varies(answer)).toBe(true)
    },
  )

  test('is not compressed unless its handler allows it', async () => {
    const answer = await get('/unmarked')
    expect([answer.encoding, varies(answer), answer.text]).toEqual([undefined, false, LONG])
  })

  test('is compressed above 1 KiB, in bytes', async () => {
    const answers = await Promise.all(['/1024', '/1025', '/umlauts'].map((path) => get(path)))
    expect(answers.map(({ encoding }) => encoding)).toEqual([undefined, 'gzip', 'gzip'])
    expect(answers.map(varies)).toEqual([true, true, true])
    expect(answers[2]!.text).toBe('ü'.repeat(600))
  })

  test.each(types.map((type, at) => [type, at] as const))(
    'of the type %s is compressed',
    async (_type, at) => {
      const answer = await get(`/type/${at}`)
      expect([answer.encoding, varies(answer), answer.text]).toEqual(['gzip', true, LONG])
    },
  )

  test.each(otherTypes.map((type, at) => [type, types.length + at] as const))(
    'of the type %s is not compressed',
    async (_type, at) => {
      const answer = await get(`/type/${at}`)
      expect([answer.encoding, varies(answer), answer.text]).toEqual([undefined, false, LONG])
    },
  )

  test('without a body is not compressed', async () => {
    const [noContent, notModified] = await Promise.all([get('/no-content'), get('/not-modified')])
    expect([noContent.status, noContent.encoding, varies(noContent)]).toEqual([204, undefined, false])
    expect([notModified.status, notModified.encoding, notModified.bytes.length]).toEqual([304, undefined, 0])
    expect([varies(notModified), notModified.headers['etag']]).toEqual([true, 'W/"1"'])
  })

  test('that has an encoding keeps it', async () => {
    const answer = await request(`${urlOf(app)}/encoded`, { headers: { 'accept-encoding': 'br, gzip' } })
    expect([answer.headers['content-encoding'], await answer.body.text()]).toEqual(['gzip', LONG])
  })

  test('with no-transform is not changed', async () => {
    const answer = await get('/no-transform')
    expect([answer.encoding, answer.headers['etag'], varies(answer)]).toEqual([undefined, '"1"', false])
  })

  test.each(['/bytes', '/stream'])('of raw bytes is not compressed: %s', async (path) => {
    const answer = await get(path)
    expect([answer.encoding, answer.text]).toEqual([undefined, LONG])
  })

  test('of proxied media is not compressed', async () => {
    const answer = await get('/media/film')
    expect([answer.status, answer.encoding, varies(answer), answer.text]).toEqual([
      200,
      undefined,
      false,
      LONG,
    ])
  })

  test('keeps the values of its Vary header', async () => {
    const answers = await Promise.all(['/vary', '/vary-all', '/vary-already'].map((path) => get(path)))
    expect(answers.map(({ headers }) => headers['vary'])).toEqual([
      'accept, accept-encoding',
      '*',
      'Accept-Encoding, accept',
    ])
    const { headers } = await get('/json', { origin: 'https://app.example.com' })
    expect(headers['vary']).toBe('Origin, accept-encoding')
    expect(headers['access-control-allow-origin']).toBe('https://app.example.com')
  })

  test('has a weak ETag, the same in every encoding', async () => {
    for (const path of ['/etag', '/weak-etag'])
      for (const accepted of ['gzip', 'br', 'identity'])
        expect((await get(path, { 'accept-encoding': accepted })).headers['etag']).toBe('W/"1"')
  })

  test('to HEAD has the headers of GET', async () => {
    for (const path of ['/json', '/1024', '/etag', '/vary']) {
      const answer = await get(path)
      const head = await send(urlOf(app) + path, { method: 'HEAD' })
      expect([head.status, head.bytes.length]).toEqual([answer.status, 0])
      const ofConnection = { date: '', 'x-request-id': '', connection: '', 'keep-alive': '' }
      expect({ ...head.headers, ...ofConnection }).toEqual({ ...answer.headers, ...ofConnection })
    }
  })

  test('leaves the event loop to others while it is compressed', async () => {
    let turns = 0
    let isDone = false
    const count = () => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    const answer = await app.inject({ url: '/large', headers: { 'accept-encoding': 'gzip' } })
    isDone = true
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(turns).toBeGreaterThan(50)
  })

  test('is complete when many are compressed at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => get(['/json', '/umlauts', '/etag', '/vary'][at % 4]!)),
    )
    expect(answers.map(({ encoding }) => encoding)).toEqual(answers.map(() => 'gzip'))
    expect(answers.map(({ text }) => text)).toEqual(
      answers.map((_, at) => (at % 4 === 1 ? 'ü'.repeat(600) : LONG)),
    )
  })

  test('is unchanged if compression is off', async () => {
    const answer = await send(`${urlOf(off)}/etag`)
    expect([answer.encoding, answer.headers['etag'], varies(answer), answer.text]).toEqual([
      undefined,
      '"1"',
      false,
      LONG,
    ])
  })
})

describe('the API', () => {
  let federation: FederationHarness
  let gateway: GatewayClient

  beforeAll(async () => {
    federation = await FederationHarness.start([])
    gateway = await federation.startGateway()
  })
  afterAll(() => federation[Symbol.asyncDispose]())

  const key = () => headersOf(federation.fleet.client)
  const keyAndToken = () => headersOf(federation.fleet.narrowed(0))

  /** Selects fields many times, so that the response is long. */
  const long = (field: string) => Array.from({ length: 60 }, (_, at) => `a${at}: ${field}`).join(' ')

  const graphql = (
    query: string,
    { variables = {}, headers = {} }: { variables?: object; headers?: Record<string, string> } = {},
  ) =>
    send(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { ...keyAndToken(), ...headers },
      body: { query, variables },
    })

  const QUERY = `{ connection { ${long('createdAt')} } }`

  test.each([
    ['a query', QUERY, {}],
    ['a list', `{ vehicles { nodes { id ${long('name')} } } }`, {}],
    ['introspection', '{ __schema { types { name description } } }', {}],
    [
      'a query that skips its secret',
      `query ($a: Boolean!) { connection { ${long('createdAt')} token @include(if: $a) } }`,
      { a: false },
    ],
  ])('compresses the response to %s', async (_what, query, variables) => {
    // The first time Apollo Server executes the query, the second time the fast path does.
    for (const _ of ['first', 'second']) {
      const answer = await graphql(query, { variables })
      expect([answer.status, answer.encoding, varies(answer)]).toEqual([200, 'gzip', true])
      expect(JSON.parse(answer.text).errors).toBeUndefined()
    }
  })

  test.each([
    ['a query for a token', `{ connection { ${long('createdAt')} token } }`, {}],
    ['a query for a token by another name', `{ connection { ${long('createdAt')} id: token } }`, {}],
    [
      'a query with a condition for a token',
      `query ($a: Boolean!) { connection { ${long('createdAt')} token @include(if: $a) } }`,
      { a: true },
    ],
    ['events', '{ events(first: 50) { nodes { id type timestamp detail } } }', {}],
    ['raw records', `{ vehicles { nodes { ${long('name')} raw { data } } } }`, {}],
    ['a mutation', `mutation { updateConnection(input: {}) { connection { ${long('createdAt')} } } }`, {}],
  ])('does not compress the response to %s', async (_what, query, variables) => {
    for (const _ of ['first', 'second']) {
      const answer = await graphql(query, { variables })
      expect([answer.status, answer.encoding, varies(answer)]).toEqual([200, undefined, false])
      expect(JSON.parse(answer.text).errors).toBeUndefined()
      expect(answer.bytes.length).toBeGreaterThan(1024)
    }
  })

  test('chooses by the operation that runs, not by the others of its document', async () => {
    const query = `query Long ${QUERY} query Secret { connection { ${long('createdAt')} token } }`
    const run = (operationName: string) =>
      send(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: keyAndToken(),
        body: { query, operationName },
      })
    for (const _ of ['first', 'second'])
      expect([(await run('Long')).encoding, (await run('Secret')).encoding]).toEqual(['gzip', undefined])
  })

  test('compresses queries by GET and persisted queries', async () => {
    const get = (parameters: Record<string, string>) =>
      send(`${gateway.url}/graphql?${new URLSearchParams(parameters)}`, {
        headers: { ...keyAndToken(), 'apollo-require-preflight': '1' },
      })
    const sha256Hash = createHash('sha256').update(QUERY).digest('hex')
    const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash } })
    const answers = [
      await get({ query: QUERY }),
      await get({ query: QUERY, extensions }),
      await get({ extensions }),
    ]
    expect(answers.map(({ status, encoding }) => [status, encoding])).toEqual(
      answers.map(() => [200, 'gzip']),
    )
  })

  test('does not compress the response to a request without an Authorization header', async () => {
    const app = createApp({ log: silent })
    const { contextFor } = federation
    const caller = callerOf(federation.fleet.narrowed(0))
    const open = createGateway({ authenticate: async () => caller, contextFor, log: silent })
    await mountGraphql(app, { gateway: open, introspection: true, log: silent })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const run = (headers: Record<string, string>) =>
      send(`${urlOf(app)}/graphql`, { method: 'POST', headers, body: { query: QUERY } })
    for (const _ of ['first', 'second']) {
      expect((await run({ authorization: 'Bearer of-somebody' })).encoding).toBe('gzip')
      const answer = await run({ cookie: 'session=of-somebody' })
      expect([answer.status, answer.encoding, varies(answer)]).toEqual([200, undefined, false])
      expect(answer.bytes.length).toBeGreaterThan(1024)
    }
    await app.close()
  })

  test('does not compress event streams', async () => {
    for (const accept of ['text/event-stream', 'text/event-stream, */*;q=0.1']) {
      const answer = await graphql(QUERY, { headers: { accept } })
      expect(answer.headers['content-type']).toContain('text/event-stream')
      expect([answer.encoding, varies(answer)]).toEqual([undefined, false])
      expect(answer.bytes.length).toBeGreaterThan(1024)
    }
  })

  test.each(['/vehicles', '/vehicles?expand=groups', '/drivers', '/trips', '/providers'])(
    'compresses GET %s of REST',
    async (path) => {
      const url = `${gateway.url}/tsp/v1${path}`
      const answer = await send(url, { headers: keyAndToken() })
      expect([answer.status, answer.encoding, varies(answer)]).toEqual([200, 'gzip', true])
      const plain = await send(url, { headers: { ...keyAndToken(), 'accept-encoding': 'identity' } })
      expect([plain.encoding, plain.text]).toEqual([undefined, answer.text])
      const head = await send(url, { method: 'HEAD', headers: keyAndToken() })
      for (const name of ['content-type', 'content-length', 'content-encoding', 'vary'])
        expect([name, head.headers[name]]).toEqual([name, answer.headers[name]])
    },
  )

  test.each([
    '/connections',
    '/connections/current',
    '/events',
    '/vehicles?raw=true',
    '/issues?expand=connection',
  ])('does not compress GET %s of REST, which returns secrets', async (path) => {
    const headers = path === '/connections' || path.startsWith('/issues') ? key() : keyAndToken()
    const answer = await send(`${gateway.url}/tsp/v1${path}`, { headers })
    expect([answer.status, answer.encoding, varies(answer)]).toEqual([200, undefined, false])
    expect(answer.bytes.length).toBeGreaterThan(1024)
  })

  test('does not compress other methods of REST', async () => {
    const url = `${gateway.url}/tsp/v1/issues`
    const { results } = JSON.parse((await send(url, { headers: key() })).text) as {
      results: { id: string }[]
    }
    const answer = await send(`${url}/${results[0]?.id}/resolve`, { method: 'POST', headers: key() })
    expect([answer.status, answer.encoding, varies(answer)]).toEqual([200, undefined, false])
  })

  test('serves the OpenAPI document compressed, with an ETag that every encoding shares', async () => {
    const url = `${gateway.url}/tsp/v1/openapi.json`
    const [gzip, br, plain] = await Promise.all(
      ['gzip', 'br', 'identity'].map((encoding) => send(url, { headers: { 'accept-encoding': encoding } })),
    )
    expect([gzip!.encoding, br!.encoding, plain!.encoding]).toEqual(['gzip', 'br', undefined])
    expect(new Set([gzip!.text, br!.text, plain!.text]).size).toBe(1)
    const etag = String(gzip!.headers['etag'])
    expect([etag, br!.headers['etag'], plain!.headers['etag']]).toEqual([
      expect.stringMatching(/^W\/"/),
      etag,
      etag,
    ])
    for (const encoding of ['gzip', 'br', 'identity']) {
      const again = await send(url, { headers: { 'accept-encoding': encoding, 'if-none-match': etag } })
      expect([again.status, again.bytes.length, again.headers['etag']]).toEqual([304, 0, etag])
      expect([again.encoding, varies(again)]).toEqual([undefined, true])
    }
    // Clients may still have the strong ETag of an earlier version.
    expect((await send(url, { headers: { 'if-none-match': etag.replace('W/', '') } })).status).toBe(304)
    const head = await send(url, { method: 'HEAD' })
    expect([head.status, head.encoding, head.headers['content-length'], head.headers['etag']]).toEqual([
      200,
      'gzip',
      String(gzip!.bytes.length),
      etag,
    ])
  })
})

describe.each(['on', 'off'] as const)('a service with COMPRESSION=%s', (setting) => {
  let home: Home
  let service: ServiceProcess

  beforeAll(async () => {
    home = await makeHome('sqlite')
    service = await ServiceProcess.start(home, ['--fleet-size', '20'], {
      METRICS: 'on',
      // `on` is the default.
      ...(setting === 'on' ? {} : { COMPRESSION: setting }),
    })
  })
  afterAll(async () => {
    await service.end('SIGKILL')
    await home.remove()
  })

  const isOn = setting === 'on'
  const html = { accept: 'text/html' }

  test('compresses or not: pages, the OpenAPI document, metrics and records', async () => {
    const { url, restUrl, graphqlUrl } = service.ready
    const requests: readonly [string, Record<string, string>][] = [
      [`${url}/`, html],
      [`${url}/docs/rest`, html],
      [`${restUrl}/openapi.json`, {}],
      [`${url}/metrics`, {}],
      [`${restUrl}/vehicles`, service.headers()],
    ]
    for (const [address, headers] of requests) {
      const answer = await send(address, { headers })
      expect([address, answer.status, answer.encoding, varies(answer)]).toEqual([
        address,
        200,
        isOn ? 'gzip' : undefined,
        isOn,
      ])
      expect(answer.text.length).toBeGreaterThan(1024)
    }
    const graphiql = await send(graphqlUrl, { headers: html })
    expect(String(graphiql.headers['vary'])).toBe(isOn ? 'accept, accept-encoding' : 'accept')
  })

  test('serves the files of the pages with the encodings that they are stored in', async () => {
    const { url } = service.ready
    const { text } = await send(`${url}/docs`, { headers: html })
    const [asset = ''] = /\/assets\/[^"]+\.js/.exec(text) ?? []
    for (const path of [asset, '/docs/search.json', '/docs/images/overview.svg']) {
      const gzip = await send(url + path)
      const plain = await send(url + path, { headers: { 'accept-encoding': 'gzip;q=0' } })
      expect([path, gzip.status, gzip.encoding, varies(gzip)]).toEqual([path, 200, 'gzip', true])
      expect([plain.status, plain.encoding, varies(plain)]).toEqual([200, undefined, true])
      expect(gzip.text).toBe(plain.text)
      for (const { headers } of [gzip, plain]) {
        const etag = String(headers['etag'])
        const accepted = headers === gzip.headers ? 'gzip' : 'gzip;q=0'
        const again = await send(url + path, {
          headers: { 'accept-encoding': accepted, 'if-none-match': etag },
        })
        expect(again.status).toBe(304)
      }
    }
  })

  test('does not compress link pages, which have tokens in their forms', async () => {
    const { url, publishableKey } = service.ready
    const start = await send(`${url}/link?key=${publishableKey}`, { headers: html })
    expect(start.status).toBe(303)
    const page = await send(new URL(String(start.headers['location']), url).href, { headers: html })
    expect([page.status, page.encoding, varies(page)]).toEqual([200, undefined, false])
    expect(page.text).toContain('<form')
    expect(page.bytes.length).toBeGreaterThan(1024)
    const [styles = ''] = /[^"]*\/assets\/[^"]+\.css/.exec(page.text) ?? []
    const asset = await send(new URL(styles, url).href)
    expect([asset.status, asset.encoding, varies(asset)]).toEqual([200, isOn ? 'gzip' : undefined, isOn])
  })

  test('does not compress passthrough responses', async () => {
    for (const path of ['/passthrough', '/passthrough/raw']) {
      const answer = await send(`${service.ready.restUrl}${path}`, {
        method: 'POST',
        headers: service.headers(),
        body: { method: 'GET', path: '/vehicles?limit=20' },
      })
      expect([path, answer.status, answer.encoding, varies(answer)]).toEqual([path, 200, undefined, false])
      expect(answer.bytes.length).toBeGreaterThan(1024)
    }
  })
})

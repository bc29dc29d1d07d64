import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createClient as createStreamClient } from 'graphql-sse'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RateLimitStore } from '../../../src/gateway/rate-limit/rate-limit-store.ts'
import { RequestRateLimiter } from '../../../src/gateway/rate-limit/request-rate-limiter.ts'
import type { LoggedRequest } from '../../../src/subgraphs/connections/requests/logged-request.ts'
import {
  createRequestLogWriter,
  type RequestLogWriter,
  ROWS_PER_SECOND,
} from '../../../src/subgraphs/connections/requests/request-log-writer.ts'
import { dialects, NOON, type ApiClient, type SeededApplication, unknownId } from '../../support/factories.ts'
import { FederationHarness, type GatewayClient, until } from '../../support/federation/federation-harness.ts'
import { headersOf } from '../../support/rest/rest-harness.ts'
import { clientOf, seedKey } from '../../support/rows/key-rows.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const sentHeaders = (client: ApiClient) => headersOf(client) as Record<string, string>
const websocketOf = (gateway: GatewayClient) => `${gateway.url.replace('http', 'ws')}/graphql`

const VEHICLES = 'query Fleet($first: Int) { vehicles(first: $first) { nodes { id } } }'
const FOLLOW = 'subscription Follow { events { id } }'

describe.each(dialects)('the request log on %s', (dialect) => {
  let federation: FederationHarness
  let requestLog: RequestLogWriter
  let gateway: GatewayClient
  let a: SeededApplication
  let admin: ApiClient
  const writeErrors: unknown[] = []

  beforeAll(async () => {
    federation = await FederationHarness.start([], dialect)
    requestLog = newRequestLog()
    gateway = await federation.startGateway({ requestLog })
    a = federation.fleets.a
    admin = clientOf(
      a,
      await seedKey(federation.db, a.id, { scopes: ['admin', 'sessions:write', 'vehicles:read'] }),
    )
  })
  afterAll(async () => {
    await requestLog.close()
    await federation[Symbol.asyncDispose]()
  })

  const newRequestLog = (now = () => Date.now()) =>
    createRequestLogWriter({
      db: federation.db,
      clock: { now },
      onWriteError: (error) => writeErrors.push(error),
    })

  const rows = (where = '1 = 1', parameters: readonly unknown[] = []) =>
    federation.db.rows<LoggedRequest>(
      `SELECT * FROM \`request_log\` WHERE ${where} ORDER BY \`id\``,
      parameters,
    )

  /** Waits until the log has requests that meet a condition. The answer can arrive before the server records it. */
  async function logged(where: string, parameters: readonly unknown[], count = 1): Promise<LoggedRequest[]> {
    let found: LoggedRequest[] = []
    await until(async () => {
      await requestLog.close()
      found = await rows(where, parameters)
      return found.length >= count
    })
    return found
  }

  const loggedAs = (requestId: string, count = 1) => logged('`requestId` = ?', [requestId], count)

  const post = (body: object, client: ApiClient, headers: Record<string, string> = {}, of = gateway) =>
    fetch(`${of.url}/graphql`, {
      method: 'POST',
      headers: { ...sentHeaders(client), 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  const keyIdOf = async (client: ApiClient) => {
    const [row] = await federation.db.rows<{ id: string }>(
      'SELECT `id` FROM `api_keys` WHERE `applicationId` = ? ORDER BY `createdAt` LIMIT 1',
      [client.applicationId],
    )
    return row!.id
  }

  test.each([
    ['/vehicles?limit=1', 'GET /tsp/v1/vehicles', 200, null],
    ['/vehicles?limit=none', 'GET /tsp/v1/vehicles', 400, 'bad_request'],
    [`/vehicles/${unknownId('vehicle')}`, 'GET /tsp/v1/vehicles/:id', 404, 'not_found'],
    ['/nothing', 'GET none', 404, 'not_found'],
  ])('has the REST request %s', async (path, operation, status, errorCode) => {
    const client = a.narrowed(0)
    const response = await fetch(`${gateway.url}/tsp/v1${path}`, { headers: sentHeaders(client) })
    expect(response.status).toBe(status)
    const [row, ...more] = await loggedAs(response.headers.get('x-request-id')!)
    expect(more).toEqual([])
    expect(row).toMatchObject({ interface: 'rest', operation, status, errorCode, documentHash: null })
    const isKnown = operation !== 'GET none'
    expect(row).toMatchObject({
      applicationId: isKnown ? a.id : '',
      connectionId: isKnown ? client.connectionId : null,
      keyId: isKnown ? await keyIdOf(client) : null,
      sessionId: null,
    })
    expect(Math.abs(Number(row!.at) - Date.now())).toBeLessThan(60_000)
    expect(row!.durationMs).toBeGreaterThan(0)
  })

  test('has a GraphQL request by either path, with name, hash and the cost of its header', async () => {
    for (let time = 0; time < 3; time++) {
      const response = await post({ query: VEHICLES, variables: { first: 2 } }, a.client)
      const [row] = await loggedAs(response.headers.get('x-request-id')!)
      expect(row).toMatchObject({
        applicationId: a.id,
        connectionId: null,
        interface: 'graphql',
        operation: 'Fleet',
        documentHash: hashOf(VEHICLES),
        cost: Number(response.headers.get('x-query-cost')),
        status: 200,
        errorCode: null,
      })
    }
  })

  test.each([
    ['a syntax error', { query: '{' }, 400, 'GRAPHQL_PARSE_FAILED', null],
    ['an unknown field', { query: '{ none }' }, 400, 'GRAPHQL_VALIDATION_FAILED', null],
    ['no document', {}, 400, 'BAD_REQUEST', null],
    [
      'an unknown id',
      { query: 'query ById { vehicle(id: "x") { id } auditLog { totalCount } }' },
      200,
      'forbidden',
      'ById',
    ],
  ])('has a GraphQL request with %s', async (_name, body, status, errorCode, operation) => {
    const response = await post(body, a.client)
    expect(response.status).toBe(status)
    const [row] = await loggedAs(response.headers.get('x-request-id')!)
    expect(row).toMatchObject({ applicationId: a.id, status, errorCode, operation })
  })

  test('has a request without valid credentials, without an application', async () => {
    const client = { ...a.client, secretKey: `sk_sandbox_${'x'.repeat(32)}` }
    for (const send of [
      () => post({ query: VEHICLES }, client),
      () => fetch(`${gateway.url}/tsp/v1/vehicles`, { headers: sentHeaders(client) }),
    ]) {
      const response = await send()
      const [row] = await loggedAs(response.headers.get('x-request-id')!)
      expect(row).toMatchObject({ applicationId: '', keyId: null, status: 401, errorCode: 'unauthorized' })
    }
  })

  test('has the session of a request instead of a key', async () => {
    const created = await post(
      { query: 'mutation { createSession(input: {}) { token session { id } } }' },
      admin,
    )
    const { data } = (await created.json()) as {
      data: { createSession: { token: string; session: { id: string } } }
    }
    expect(data).not.toBeNull()
    const { token, session } = data.createSession
    const response = await post({ query: VEHICLES }, { ...a.client, secretKey: token })
    const [row] = await loggedAs(response.headers.get('x-request-id')!)
    expect(row).toMatchObject({ applicationId: a.id, keyId: null, sessionId: session.id, status: 200 })
  })

  test('has an operation and a subscription on an event stream', async () => {
    const requestId = randomUUID()
    const client = createStreamClient({
      url: `${gateway.url}/graphql`,
      headers: { ...sentHeaders(a.narrowed(0)), 'x-request-id': requestId },
      retryAttempts: 0,
    })
    for await (const _ of client.iterate({ query: VEHICLES })) break
    const [query] = await loggedAs(requestId)
    expect(query).toMatchObject({ interface: 'sse', operation: 'Fleet', documentHash: hashOf(VEHICLES) })
    const events = client.iterate({ query: FOLLOW })
    const first = events.next()
    await until(() => gateway.streams.open === 1)
    await federation.appendEvent(7001)
    await first
    expect(await rows('`requestId` = ?', [requestId])).toHaveLength(1)
    await events.return?.()
    const [, subscription] = await loggedAs(requestId, 2)
    expect(subscription).toMatchObject({
      applicationId: a.id,
      interface: 'sse',
      operation: 'Follow',
      status: 200,
      errorCode: null,
    })
    client.dispose()
  })

  test('has each operation on a websocket, under the id of the socket and a number', async () => {
    const requestId = randomUUID()
    const { secretKey: authorization } = a.client
    class Socket extends WebSocket {
      constructor(url: string, protocol: string) {
        super(url, protocol, { headers: { 'x-request-id': requestId } })
      }
    }
    const client = createClient({
      url: websocketOf(gateway),
      webSocketImpl: Socket,
      connectionParams: { authorization: `Bearer ${authorization}` },
      lazy: false,
      retryAttempts: 0,
    })
    for await (const _ of client.iterate({ query: VEHICLES })) continue
    await expect(client.iterate({ query: '{ none }' }).next()).rejects.toBeDefined()
    const events = client.iterate({ query: FOLLOW })
    const first = events.next()
    await until(() => gateway.sockets.counts().subscriptions === 1)
    await federation.appendEvent(7002)
    await first
    await events.return?.()
    const found = await logged('`requestId` LIKE ?', [`${requestId}.%`], 3)
    expect(found.map((row) => [row.requestId, row.operation, row.status, row.errorCode])).toEqual([
      [`${requestId}.1`, 'Fleet', null, null],
      [`${requestId}.2`, null, null, 'GRAPHQL_VALIDATION_FAILED'],
      [`${requestId}.3`, 'Follow', null, null],
    ])
    for (const row of found) expect(row).toMatchObject({ interface: 'websocket', applicationId: a.id })
    await client.dispose()
  })

  test('has the internal error under the id in its text, over HTTP and a websocket', async () => {
    const { broken } = federation.fleets
    const query = 'query Broken { vehicles { nodes { status } } }'
    const overHttp = (await (await post({ query }, broken.client)).json()) as { errors: AnError[] }
    const client = createClient({
      url: websocketOf(gateway),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${broken.client.secretKey}` },
      retryAttempts: 0,
    })
    const { value } = await client.iterate({ query }).next()
    for (const { errors } of [overHttp, value as { errors: AnError[] }]) {
      const [row] = await loggedAs(errors[0]!.extensions.requestId)
      expect(row).toMatchObject({ applicationId: broken.id, errorCode: 'internal_server_error' })
    }
    await client.dispose()
  })

  test('has no secret of a header, a query string, a variable, a literal or a credential', async () => {
    const secret = () => `sk_sandbox_${randomBytes(16).toString('hex')}`
    const plain = () => `planted-${randomUUID()}`
    const [inUrl, inHeader, inVariable, inLiteral, inId, inName, inBody, inParams] = [
      plain(),
      plain(),
      plain(),
      plain(),
      secret(),
      secret(),
      plain(),
      plain(),
    ] as [string, string, string, string, string, string, string, string]
    const headers = sentHeaders(a.client)
    await fetch(`${gateway.url}/tsp/v1/vehicles?limit=1&${inUrl}=${inUrl}`, {
      headers: { ...headers, cookie: inHeader, 'x-request-id': inId },
    })
    await fetch(`${gateway.url}/tsp/v1/${inUrl}/${inUrl}`, { headers })
    await fetch(`${gateway.url}/tsp/v1/connections`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'sandbox', credentials: { apiKey: inBody } }),
    })
    const literal = `query ${inName} { vehicles(after: "${inLiteral}") { nodes { id } } }`
    await post({ query: literal }, a.client)
    await post(
      { query: 'query ($v: String) { vehicles(after: $v) { nodes { id } } }', variables: { v: inVariable } },
      a.client,
    )
    await fetch(`${gateway.url}/graphql?query=${encodeURIComponent(VEHICLES)}&extra=${inUrl}`, { headers })
    const client = createClient({
      url: websocketOf(gateway),
      webSocketImpl: WebSocket,
      connectionParams: { ...headers, more: inParams },
      retryAttempts: 0,
    })
    for await (const _ of client.iterate({ query: VEHICLES, variables: { first: 1 } })) continue
    await client.dispose()
    const last = await post({ query: VEHICLES }, a.client)
    await loggedAs(last.headers.get('x-request-id')!)
    const blanked = literal.replace(`"${inLiteral}"`, '""')
    const text = JSON.stringify(await logged('`documentHash` = ?', [hashOf(blanked)]).then(() => rows()))
    const secrets = [
      inUrl,
      inHeader,
      inVariable,
      inLiteral,
      inId,
      inName,
      inBody,
      inParams,
      a.client.secretKey,
    ]
    for (const planted of [...secrets, a.narrowed(0).token!]) expect(text).not.toContain(planted)
    expect(text).not.toContain(hashOf(literal))
  })

  test('shows an application its own requests only, also by id', async () => {
    const { b } = federation.fleets
    const other = clientOf(b, await seedKey(federation.db, b.id, { scopes: ['admin'] }))
    const second = await federation.startGateway({ requestLog })
    const sharedId = randomUUID()
    const mine = await post({ query: VEHICLES }, a.client, { 'x-request-id': sharedId })
    expect(mine.headers.get('x-request-id')).toBe(sharedId)
    const theirs = await post({ query: VEHICLES }, b.client, {}, second)
    const theirId = theirs.headers.get('x-request-id')!
    await post({ query: VEHICLES }, b.client, { 'x-request-id': sharedId }, second)
    await loggedAs(theirId)
    await loggedAs(sharedId, 2)
    const ask = async (client: ApiClient, query: string, variables = {}) =>
      (await (await post({ query, variables }, client)).json()) as { data: Shown; errors?: AnError[] }
    const ONE = 'query ($id: ID!) { request(requestId: $id) { requestId keyId operation } }'
    expect((await ask(admin, ONE, { id: theirId })).data.request).toBeNull()
    expect((await ask(other, ONE, { id: theirId })).data.request).toMatchObject({ requestId: theirId })
    expect((await ask(admin, ONE, { id: sharedId })).data.request).toEqual({
      requestId: sharedId,
      keyId: await keyIdOf(a.client),
      operation: 'Fleet',
    })
    expect((await ask(admin, ONE, { id: `${sharedId} ` })).data.request).toBeNull()
    const ALL =
      'query ($id: ID) { requests(first: 1000, requestId: $id) { totalCount nodes { id requestId } } }'
    expect((await ask(admin, ALL, { id: theirId })).data.requests.nodes).toEqual([])
    expect((await ask(admin, ALL, { id: sharedId })).data.requests.nodes).toHaveLength(1)
    const own = (await ask(admin, ALL)).data.requests.nodes.map(({ id }) => id)
    const ofOthers = new Set((await rows('`applicationId` <> ?', [a.id])).map(({ id }) => id))
    expect(own.length).toBeGreaterThan(1)
    expect(own.filter((id) => ofOthers.has(id))).toEqual([])
    for (const client of [a.client, a.narrowed(0), { ...admin, token: a.narrowed(0).token }])
      for (const query of [ONE, ALL])
        expect((await ask(client, query, { id: sharedId })).errors?.[0]?.extensions.code).toBe('FORBIDDEN')
  })

  test('filters by connection, error code and time, newest first and page by page', async () => {
    const client = a.narrowed(1)
    const since = new Date().toISOString()
    for (const path of ['/vehicles?limit=1', '/vehicles?limit=none', '/vehicles?limit=1']) {
      const response = await fetch(`${gateway.url}/tsp/v1${path}`, { headers: sentHeaders(client) })
      await loggedAs(response.headers.get('x-request-id')!)
    }
    const QUERY =
      'query ($after: String, $code: String, $connection: ID, $since: DateTime, $until: DateTime) { requests(first: 2, after: $after, errorCode: $code, connectionId: $connection, since: $since, until: $until) { totalCount nodes { at status } pageInfo { endCursor } } }'
    const list = async (variables: object) => {
      const response = await post(
        { query: QUERY, variables: { connection: client.connectionId, ...variables } },
        admin,
      )
      return ((await response.json()) as { data: Shown }).data.requests
    }
    const first = await list({ since })
    expect(first.totalCount).toBe(3)
    expect(first.nodes.map(({ status }) => status)).toEqual([200, 400])
    const next = await list({ since, after: first.pageInfo.endCursor })
    expect(next.nodes.map(({ status }) => status)).toEqual([200])
    expect(next.nodes[0]!.at <= first.nodes[1]!.at).toBe(true)
    expect((await list({ since, code: 'bad_request' })).nodes.map(({ status }) => status)).toEqual([400])
    expect((await list({ until: since })).totalCount).toBe(0)
    expect((await list({ connection: unknownId('connection') })).totalCount).toBe(0)
  })

  test('a flood of refused requests leaves a few rows', async () => {
    const store = new RateLimitStore(null, () => 0)
    const points = { application: 100, key: 100, connection: 100 }
    const frozen = newRequestLog(() => NOON)
    const flooded = await federation.startGateway({
      requestLog: frozen,
      rateLimiter: new RequestRateLimiter(store, points),
    })
    const statuses: number[] = []
    const wrong = { ...a.client, secretKey: `sk_sandbox_${'y'.repeat(32)}` }
    for (let time = 0; time < 40; time++) {
      const path = `${flooded.url}/tsp/v1/vehicles?limit=1`
      statuses.push((await fetch(path, { headers: sentHeaders(time % 2 ? wrong : a.narrowed(0)) })).status)
    }
    expect(new Set(statuses)).toEqual(new Set([200, 401, 429]))
    await frozen.close()
    const kept = await rows('`at` > ? AND `at` <= ?', [NOON - 60_000, NOON])
    const countOf = (status: number) => kept.filter((row) => Number(row.status) === status).length
    expect([countOf(401), countOf(429)]).toEqual([ROWS_PER_SECOND.refused, ROWS_PER_SECOND.refused])
    expect(kept.length).toBeLessThan(statuses.length)
  })

  test('writes many requests with one statement, and twice is the same as once', async () => {
    const own = newRequestLog(() => NOON - 3_600_000)
    for (let count = 0; count < 40; count++)
      own.record({
        interface: 'rest',
        status: 200,
        durationMs: 1,
        logContext: { requestId: `many-${count}`, applicationId: a.id, statements: 0 },
      })
    const statements: string[] = []
    const stop = federation.db.onStatement((sql) => statements.push(sql))
    await own.close()
    await own.close()
    stop()
    expect(statements).toEqual([expect.stringContaining('INSERT INTO `request_log`')])
    expect(await rows('`requestId` LIKE ?', ['many-%'])).toHaveLength(40)
  })

  test('every write succeeded', async () => {
    await requestLog.close()
    expect(writeErrors).toEqual([])
  })
})

interface AnError {
  readonly extensions: { readonly code: string; readonly requestId: string }
}

interface Shown {
  readonly request: object | null
  readonly requests: {
    readonly totalCount: number
    readonly nodes: readonly { readonly id: string; readonly at: string; readonly status: number }[]
    readonly pageInfo: { readonly endCursor: string }
  }
}

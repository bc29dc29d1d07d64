import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createClient } from 'graphql-ws'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { loggableError } from '../../../src/platform/logging/log.ts'
import { ObservedService } from '../../support/observation/observed-service.ts'

const ENCRYPTION_KEY = randomBytes(32).toString('base64')
const GENERATED_ID = /^[0-9a-f-]{36}$/

describe('the log', () => {
  let observed: ObservedService

  beforeAll(async () => {
    observed = await ObservedService.start('sqlite', { ENCRYPTION_KEY })
  })

  afterAll(() => observed[Symbol.asyncDispose]())

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(observed.service.ready.url + path, { headers: { ...observed.service.headers(), ...headers } })

  const query = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    fetch(observed.service.ready.graphqlUrl, {
      method: 'POST',
      headers: { ...observed.service.headers(), 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  test('has the request id of the caller, which the response returns, for REST and GraphQL', async () => {
    for (let time = 0; time < 3; time++) {
      const response = await query({ query: '{ connection { id } }' }, { 'x-request-id': 'Mine:1.a_b-c' })
      expect(response.headers.get('x-request-id')).toBe('Mine:1.a_b-c')
    }
    expect((await get('/tsp/v1/vehicles', { 'x-request-id': 'mine-2' })).headers.get('x-request-id')).toBe(
      'mine-2',
    )
    expect(
      (await get('/tsp/v1/vehicles?limit=x', { 'x-request-id': 'mine-3' })).headers.get('x-request-id'),
    ).toBe('mine-3')
  })

  test.each([['with space'], ['{"a":1}'], ['x'.repeat(101)], ['']])(
    'has a generated request id instead of %j',
    async (requestId) => {
      const { headers } = await get('/tsp/v1/vehicles', { 'x-request-id': requestId })
      expect(headers.get('x-request-id')).toMatch(GENERATED_ID)
    },
  )

  test.each([['/nothing'], ['/tsp/v1/nothing'], ['/%ff'], ['/healthz'], ['/tsp/v1/openapi.json']])(
    'has a request id for each response, also of %s',
    async (path) => {
      expect((await get(path)).headers.get('x-request-id')).toMatch(GENERATED_ID)
    },
  )

  test('has a line for each request, with caller and outcome, but without content', async () => {
    await query(
      {
        query: 'query Fleet { aLiteral: vehicles(first: 3) { nodes { id groups { name } } } }',
      },
      { 'x-request-id': 'line-graphql' },
    )
    await get('/tsp/v1/vehicles?limit=1&expand=groups', { 'x-request-id': 'line-rest' })
    const [graphql] = await observed.lined('request', { requestId: 'line-graphql' })
    expect(graphql).toMatchObject({
      operation: 'Fleet',
      applicationId: expect.stringMatching(/^app_/),
      connectionId: observed.service.ready.connectionId,
      method: 'POST',
      route: '/graphql',
      status: 200,
      durationMs: expect.any(Number),
      statements: expect.any(Number),
    })
    expect(Number(graphql?.['bytes'])).toBeGreaterThan(0)
    const [rest] = await observed.lined('request', { requestId: 'line-rest' })
    expect(rest).toMatchObject({ operation: 'GET /tsp/v1/vehicles', route: '/tsp/v1/vehicles', status: 200 })
    expect(Number(rest?.['statements'])).toBeGreaterThan(0)
    expect(observed.service.output()).not.toContain('aLiteral')
  })

  test('has a line for each ended job, with connection and outcome', async () => {
    const [sync] = await observed.lined('job ended', { operation: 'sync-connection', outcome: 'completed' })
    expect(sync).toMatchObject({
      jobId: expect.stringMatching(/./),
      connectionId: observed.service.ready.connectionId,
      syncId: expect.stringMatching(/^sync_/),
      attempt: 1,
      durationMs: expect.any(Number),
    })
  })

  test('has no secret, also of failed requests and of any input', async () => {
    const { secretKey, connectionToken, wsUrl, restUrl } = observed.service.ready
    const seeded = `sk_sandbox_${randomBytes(16).toString('hex')}`
    await query({ query: `query Bad { vehicles(after: "${secretKey}") { nodes { id } } }` })
    await query({ query: `{ ${connectionToken} }` })
    await get(`/tsp/v1/vehicles/${secretKey}?${connectionToken}=${seeded}`)
    await get('/tsp/v1/vehicles', { authorization: `Bearer ${seeded}`, 'x-request-id': seeded })
    await fetch(`${restUrl}/connections`, {
      method: 'POST',
      headers: { ...observed.service.headers(), 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'sandbox', credentials: { apiKey: 'planted-credential' } }),
    })
    const client = createClient({
      url: wsUrl,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${secretKey}`, connectionToken },
    })
    const received: unknown[] = []
    for await (const { data } of client.iterate({ query: '{ connection { id } }' })) received.push(data)
    expect(received).toEqual([{ connection: { id: observed.service.ready.connectionId } }])
    await client.dispose()
    await observed.lined('request', { route: '/tsp/v1/connections' })
    const output = observed
      .lines()
      .map((line) => JSON.stringify(line))
      .join('\n')
    for (const secret of [secretKey, connectionToken, seeded, ENCRYPTION_KEY, 'planted-credential'])
      expect(output).not.toContain(secret)
    expect(output).not.toContain('apiKey')
    expect(output).not.toMatch(/sandbox-\d+-\d+/)
    expect(output).not.toMatch(/Bearer/)
  })
})

test('a logged error has no SQL statement and no values of the driver', async () => {
  const driver = Object.assign(new Error('Duplicate entry', { cause: new Error('the cause') }), {
    code: 'ER_DUP_ENTRY',
    sql: "INSERT INTO t VALUES ('a-value')",
    parameters: ['a-value'],
    driverError: { sql: "'a-value'" },
  })
  const stream = new PassThrough()
  pino({ serializers: { err: loggableError } }, stream).error({ err: driver }, 'failed')
  stream.end()
  const line = await text(stream)
  expect(JSON.parse(line)).toMatchObject({
    err: { message: 'Duplicate entry', code: 'ER_DUP_ENTRY', cause: { message: 'the cause' } },
  })
  expect(line).not.toContain('a-value')
})

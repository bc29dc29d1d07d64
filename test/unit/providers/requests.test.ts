import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createProviderApi } from '../../../src/providers/http/create-provider-api.ts'
import { ProviderError } from '../../../src/providers/provider-error.ts'
import type { ErrorMapping } from '../../../src/providers/http/http-response.ts'
import type { ValidSignature, AccountSigner } from '../../../src/providers/http/request-signing.ts'

interface ReceivedRequest {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly host: string | undefined
  readonly body: unknown
}

interface StubResponse {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body: string
}

let received: ReceivedRequest[] = []
/** Next responses of the provider; the last one repeats. */
let responses: StubResponse[] = []
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString()
    received.push({
      method: request.method,
      path: request.url,
      host: request.headers.host,
      body: text === '' ? null : JSON.parse(text),
    })
    const { status = 200, headers = {}, body } = responses.length > 1 ? responses.shift()! : responses[0]!
    response.writeHead(status, headers).end(body)
  })
})
let port: number

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())
beforeEach(() => {
  received = []
})

/** Finds errors in responses of status 200, as in procedure calls. */
const errorMapping: ErrorMapping = {
  answerIn(answer, retryAfterMs) {
    const { error, result } = answer as { error?: string; result?: unknown }
    if (error === 'session') throw new ProviderError('invalid_credentials', 'the session is over')
    if (error === 'limit') throw new ProviderError('limited', 'over the limit', { retryAfterMs })
    return result
  },
  errorIn: (status, text) =>
    status === 400 && text.startsWith('SecurityException')
      ? new ProviderError('invalid_credentials', 'the account is disabled')
      : null,
}

const signatureOf = (session: string, baseUrl?: string): ValidSignature => ({
  headers: {},
  secrets: [],
  ...(baseUrl === undefined ? {} : { baseUrl }),
  bodyOf: (body) => ({ ...(body as object), session }),
})

const apiOf = (signing: AccountSigner) =>
  createProviderApi({
    baseUrl: `http://127.0.0.1:${port}`,
    headers: signing,
    signal: new AbortController().signal,
    errorMapping,
  })

const always = (signature: ValidSignature, replacement: ValidSignature | null = null): AccountSigner => ({
  current: async () => signature,
  replacementFor: async () => replacement,
})

test('a procedure call has the session in its body and the base URL of the account', async () => {
  responses = [{ body: '{"result":[1]}' }]
  const accountUrl = `http://localhost:${port}/api`
  expect(await apiOf(always(signatureOf('s-1', accountUrl))).post('/call', { name: 'Get' })).toEqual([1])
  expect(received).toEqual([
    { method: 'POST', path: '/api/call', host: `localhost:${port}`, body: { name: 'Get', session: 's-1' } },
  ])
})

test('a request with an expired session is retried once with a new session', async () => {
  responses = [{ body: '{"error":"session"}' }, { body: '{"result":"there"}' }]
  const signing = always(signatureOf('old'), signatureOf('new'))
  expect(await apiOf(signing).post('/call', {})).toBe('there')
  expect(received.map(({ body }) => body)).toEqual([{ session: 'old' }, { session: 'new' }])
  responses = [{ body: '{"error":"session"}' }]
  received = []
  await expect(apiOf(signing).post('/call', {})).rejects.toMatchObject({ kind: 'invalid_credentials' })
  expect(received.length).toBe(2)
})

test('a rate limit in a response body waits for the time of its Retry-After header', async () => {
  responses = [
    { headers: { 'retry-after': '0.05' }, body: '{"error":"limit"}' },
    { body: '{"result":"there"}' },
  ]
  expect(await apiOf(always(signatureOf('s'))).post('/call', {})).toBe('there')
  expect(received.length).toBe(2)
  responses = [{ headers: { 'retry-after': '58' }, body: '{"error":"limit"}' }]
  await expect(apiOf(always(signatureOf('s'))).post('/call', {})).rejects.toMatchObject({
    kind: 'limited',
    retryAfterMs: 58_000,
  })
})

test('an ambiguous error status is classified by the text of the response', async () => {
  responses = [{ status: 400, body: 'SecurityException: Account is disabled\n  at org.example.Main' }]
  await expect(apiOf(always(signatureOf('s'))).get('/devices')).rejects.toMatchObject({
    kind: 'invalid_credentials',
  })
  responses = [{ status: 400, body: 'NullPointerException' }]
  const request = apiOf(always(signatureOf('s'))).get('/devices')
  await expect(request).rejects.toMatchObject({ kind: 'malformed', message: 'the provider answered 400' })
})

test('a passthrough request is signed in its body too', async () => {
  responses = [{ body: '{"error":"whatever"}' }]
  const request = { method: 'POST', path: '/call', headers: {}, body: '{"name":"Get"}' }
  const { status, body } = await apiOf(always(signatureOf('s-1'))).send(request)
  expect([status, body.toString()]).toEqual([200, '{"error":"whatever"}'])
  expect(received.at(-1)?.body).toEqual({ name: 'Get', session: 's-1' })
})

test('a caller that aborts during a retry pause gets the error of the provider', async () => {
  responses = [{ status: 503, body: '' }]
  const leaving = new AbortController()
  const asking = createProviderApi({
    baseUrl: `http://127.0.0.1:${port}`,
    headers: {},
    signal: leaving.signal,
    async fetch(...requested) {
      const response = await fetch(...requested)
      // The pause before the retry is longer.
      setTimeout(() => leaving.abort(), 100)
      return response
    },
  }).get('/vehicles')
  await expect(asking).rejects.toMatchObject({ kind: 'unavailable', message: 'the provider answered 503' })
  expect(received).toHaveLength(1)
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createProviderApi } from '../../../src/providers/http/create-provider-api.ts'
import { ProviderError } from '../../../src/providers/provider-error.ts'
import type { ErrorMapping } from '../../../src/providers/http/http-response.ts'
import type { RequestSigner, AccountSigner } from '../../../src/providers/http/request-signing.ts'

interface Heard {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly host: string | undefined
  readonly body: unknown
}

interface Said {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body: string
}

let heard: Heard[] = []
/** What the provider says next; the last of it again and again. */
let says: Said[] = []
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString()
    heard.push({
      method: request.method,
      path: request.url,
      host: request.headers.host,
      body: text === '' ? null : JSON.parse(text),
    })
    const { status = 200, headers = {}, body } = says.length > 1 ? says.shift()! : says[0]!
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
  heard = []
})

/** Errors in answers of status 200, as procedure calls have them. */
const errorMapping: ErrorMapping = {
  answerIn(answer, retryAfterMs) {
    const { error, result } = answer as { error?: string; result?: unknown }
    if (error === 'session') throw new ProviderError('revoked', 'the session is over')
    if (error === 'limit') throw new ProviderError('limited', 'over the limit', { retryAfterMs })
    return result
  },
  errorIn: (status, text) =>
    status === 400 && text.startsWith('SecurityException')
      ? new ProviderError('revoked', 'the account is disabled')
      : null,
}

const signatureOf = (session: string, place?: string): RequestSigner => ({
  headers: {},
  secrets: [],
  ...(place === undefined ? {} : { baseUrl: place }),
  bodyOf: (body) => ({ ...(body as object), session }),
})

const apiOf = (signing: AccountSigner) =>
  createProviderApi({
    baseUrl: `http://127.0.0.1:${port}`,
    headers: signing,
    signal: new AbortController().signal,
    errorMapping,
  })

const always = (signature: RequestSigner, instead: RequestSigner | null = null): AccountSigner => ({
  now: async () => signature,
  instead: async () => instead,
})

test('a procedure is asked with the session in its body, at the place of the account', async () => {
  says = [{ body: '{"result":[1]}' }]
  const elsewhere = `http://localhost:${port}/api`
  expect(await apiOf(always(signatureOf('s-1', elsewhere))).post('/call', { name: 'Get' })).toEqual([1])
  expect(heard).toEqual([
    { method: 'POST', path: '/api/call', host: `localhost:${port}`, body: { name: 'Get', session: 's-1' } },
  ])
})

test('an answer that says the session is over is asked for again with another, once', async () => {
  says = [{ body: '{"error":"session"}' }, { body: '{"result":"there"}' }]
  const signing = always(signatureOf('old'), signatureOf('new'))
  expect(await apiOf(signing).post('/call', {})).toBe('there')
  expect(heard.map(({ body }) => body)).toEqual([{ session: 'old' }, { session: 'new' }])
  says = [{ body: '{"error":"session"}' }]
  heard = []
  await expect(apiOf(signing).post('/call', {})).rejects.toMatchObject({ kind: 'revoked' })
  expect(heard.length).toBe(2)
})

test('a limit that is told in an answer is waited out as its header says', async () => {
  says = [{ headers: { 'retry-after': '0.05' }, body: '{"error":"limit"}' }, { body: '{"result":"there"}' }]
  expect(await apiOf(always(signatureOf('s'))).post('/call', {})).toBe('there')
  expect(heard.length).toBe(2)
  says = [{ headers: { 'retry-after': '58' }, body: '{"error":"limit"}' }]
  await expect(apiOf(always(signatureOf('s'))).post('/call', {})).rejects.toMatchObject({
    kind: 'limited',
    retryAfterMs: 58_000,
  })
})

test('an error is what its text says, where its status does not tell', async () => {
  says = [{ status: 400, body: 'SecurityException: Account is disabled\n  at org.example.Main' }]
  await expect(apiOf(always(signatureOf('s'))).get('/devices')).rejects.toMatchObject({ kind: 'revoked' })
  says = [{ status: 400, body: 'NullPointerException' }]
  const asked = apiOf(always(signatureOf('s'))).get('/devices')
  await expect(asked).rejects.toMatchObject({ kind: 'malformed', message: 'the provider answered 400' })
})

test('what a caller passes through is signed in its body too', async () => {
  says = [{ body: '{"error":"whatever"}' }]
  const request = { method: 'POST', path: '/call', headers: {}, body: '{"name":"Get"}' }
  const { status, body } = await apiOf(always(signatureOf('s-1'))).send(request)
  expect([status, body.toString()]).toEqual([200, '{"error":"whatever"}'])
  expect(heard.at(-1)?.body).toEqual({ name: 'Get', session: 's-1' })
})

test('who leaves while it is to be asked again is told what the provider said', async () => {
  says = [{ status: 503, body: '' }]
  const leaving = new AbortController()
  const asking = createProviderApi({
    baseUrl: `http://127.0.0.1:${port}`,
    headers: {},
    signal: leaving.signal,
    async fetch(...asked) {
      const response = await fetch(...asked)
      // Within the pause, which is longer.
      setTimeout(() => leaving.abort(), 100)
      return response
    },
  }).get('/vehicles')
  await expect(asking).rejects.toMatchObject({ kind: 'unavailable', message: 'the provider answered 503' })
  expect(heard).toHaveLength(1)
})

import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGuardedFetch } from '../../../src/platform/outbound-http/guarded-fetch.ts'
import type { ResolveName } from '../../../src/platform/outbound-http/guarded-connector.ts'
import { traccarAdapter } from '../../../src/providers/traccar/adapter.ts'
import { spellings } from '../../support/outbound-http/forbidden-addresses.ts'

const visits: string[] = []
const server = createServer(async (request, response) => {
  visits.push(`${request.method} ${request.url} ${await textOf(request)}`)
  if (request.url === '/away') response.writeHead(302, { location: '/elsewhere' })
  response.end(JSON.stringify({ asked: request.headers['x-asked'] ?? null }))
})
let port = 0

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())

const LOOPBACK = ['127.0.0.1']

const createTestFetch = (allowPrivate: readonly string[], resolve?: ResolveName) =>
  createGuardedFetch(
    { allowPrivate, requireHttps: true, permittedBy: 'PROVIDER_ALLOW' },
    resolve ? { resolve } : {},
  )

describe("a request to a fleet's own server", () => {
  test('arrives unchanged if the operator permits the address', async () => {
    const { fetch, close } = createTestFetch(LOOPBACK)
    const response = await fetch(new URL(`http://127.0.0.1:${port}/api/session`), {
      method: 'POST',
      headers: { 'x-asked': 'yes' },
      body: new URLSearchParams({ email: 'a@b.example' }),
      redirect: 'error',
    })
    expect(await response.json()).toEqual({ asked: 'yes' })
    expect(visits.splice(0)).toEqual(['POST /api/session email=a%40b.example'])
    await close()
  })

  test('reaches no other private address in any spelling', async () => {
    const { fetch, close } = createTestFetch([])
    for (const scheme of ['http', 'https'])
      for (const host of spellings)
        await expect(fetch(`${scheme}://${host}:${port}/`)).rejects.toThrow(/PROVIDER_ALLOW|https:\/\//)
    expect(visits).toEqual([])
    await close()
  })

  test('is checked against the addresses of the host name at each connection', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    const { fetch, close } = createTestFetch(LOOPBACK, () => Promise.resolve(answers.shift() ?? []))
    const send = () => fetch(`http://fleet.test:${port}/`, { headers: { connection: 'close' } })
    await (await send()).text()
    const refusal = await send().then(
      () => null,
      (error: Error) => error.cause,
    )
    expect(String(refusal)).toContain('127.0.0.2) is a loopback address')
    expect(visits.splice(0)).toEqual(['GET / '])
    await close()
  })

  test('follows no redirect', async () => {
    const { fetch, close } = createTestFetch(LOOPBACK)
    await expect(fetch(`http://127.0.0.1:${port}/away`, { redirect: 'error' })).rejects.toThrow(
      'fetch failed',
    )
    expect(visits.splice(0)).toEqual(['GET /away '])
    await close()
  })

  test('that is refused reports a wrong address without details of the network', async () => {
    const { fetch, close } = createTestFetch([])
    const adapter = traccarAdapter(undefined, { fetch })
    const credentials = { serverUrl: `http://127.0.0.1:${port}`, token: 'a token of the test' }
    const api = adapter.api(credentials, AbortSignal.timeout(20_000))
    const error = await adapter.identify(api, credentials).then(
      () => null,
      (reason: Error) => reason,
    )
    expect(error).toMatchObject({
      kind: 'unavailable',
      signInFault: 'address',
      message: `127.0.0.1:${port} did not answer`,
    })
    await close()
  })
})

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

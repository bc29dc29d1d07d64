import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestJson } from '../../../src/providers/http/http-response.ts'
import { createProviderApi } from '../../../src/providers/http/create-provider-api.ts'
import { geotabAdapter } from '../../../src/providers/geotab/adapter.ts'
import { motiveAdapter } from '../../../src/providers/motive/adapter.ts'
import type { ProviderAdapter, ProviderCredentials } from '../../../src/providers/provider.ts'
import { samsaraAdapter } from '../../../src/providers/samsara/adapter.ts'
import { traccarAdapter } from '../../../src/providers/traccar/adapter.ts'
import { signInAndIdentify } from '../../../src/subgraphs/connections/lifecycle/identify-account.ts'

const KIB = 1024
const MIB = KIB * KIB
const { signal } = new AbortController()

/**
 * Sends a JSON string of a number of bytes, compressed to about a thousandth. Without `ends` the response
 * stays open.
 */
async function sendText(response: ServerResponse, bytes: number, ends: boolean): Promise<void> {
  response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' })
  const packed = createGzip()
  packed.pipe(response)
  packed.write('"')
  const piece = Buffer.alloc(Math.min(bytes - 2, MIB), 'x')
  for (let left = bytes - 2; left > 0; left -= piece.length)
    if (!packed.write(piece.subarray(0, left))) await once(packed, 'drain')
  packed.write('"')
  if (ends) packed.end()
  else packed.flush()
}

/** `/finite/8` sends a text of 8 bytes; `/endless/8` sends 8 bytes and does not end. */
let closed: Promise<unknown> = Promise.resolve()
const server = createServer((request, response) => {
  closed = once(response, 'close')
  const [, kind, bytes] = /^\/(finite|endless)\/(\d+)/.exec(request.url ?? '') ?? []
  if (request.url === '/api/session') response.setHeader('set-cookie', 'JSESSIONID=1').end('{}')
  else void sendText(response, Number(bytes ?? MIB + 1), kind === 'finite')
})
let url = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const ask = (path: string, maxBytes: number) =>
  requestJson({ provider: 'any', url: new URL(url + path), request: {}, signal, maxBytes })

test('a response is read to its end if its decompressed size is within the limit', async () => {
  expect(await ask(`/finite/${64 * KIB}`, 64 * KIB)).toHaveLength(64 * KIB - 2)
})

test('a larger response is refused, and its connection is closed', async () => {
  await expect(ask(`/endless/${64 * KIB + 1}`, 64 * KIB)).rejects.toMatchObject({
    kind: 'malformed',
    message: 'the answer is larger than 0.06 MiB',
  })
  await closed
})

test('a response to a sync may have 128 MiB', async () => {
  const api = createProviderApi({ baseUrl: url, headers: {}, signal })
  expect(await api.get(`/finite/${128 * MIB}`)).toHaveLength(128 * MIB - 2)
  await expect(api.get(`/endless/${128 * MIB + 1}`)).rejects.toMatchObject({
    kind: 'malformed',
    message: 'the answer is larger than 128 MiB',
  })
  await closed
})

const renewing =
  (adapterOf: () => ProviderAdapter, credentials: () => ProviderCredentials) => (): Promise<unknown> =>
    adapterOf().renewal!.renew(credentials(), signal)

/** Rethrows the error of the provider, which is the cause of a public error. */
const causeOf = ({ cause }: Error): Promise<never> => Promise.reject(cause)

const application = { clientId: 'client', clientSecret: 'client-secret' }

test.each([
  [
    'Traccar',
    renewing(
      () => traccarAdapter(),
      () => ({ serverUrl: url, email: 'me', password: 'mine' }),
    ),
  ],
  [
    'Samsara',
    renewing(
      () => samsaraAdapter(undefined, { regions: { us: url, eu: url, ca: url } }),
      () => ({ token: 'a-token-of-theirs' }),
    ),
  ],
  [
    'Geotab',
    renewing(
      () => geotabAdapter(undefined, { urlOf: (host) => `http://${host}` }),
      () => ({ server: new URL(url).host, database: 'fleet', userName: 'me', password: 'the password' }),
    ),
  ],
  [
    'Motive',
    renewing(
      () => motiveAdapter(undefined, { baseUrl: url, application }),
      () => ({ accessToken: 'a-token', refreshToken: 'another', redirectUri: 'http://back' }),
    ),
  ],
  [
    'Traccar, with a token',
    () => signInAndIdentify(traccarAdapter(), { serverUrl: url, token: 'a-token' }).catch(causeOf),
  ],
  [
    'Samsara, with a token',
    () =>
      signInAndIdentify(samsaraAdapter(undefined, { regions: { us: url, eu: url, ca: url } }), {
        apiKey: 'a-token',
      }).catch(causeOf),
  ],
])('a sign-in at %s reads 1 MiB at most', async (_, signIn) => {
  await expect(signIn()).rejects.toMatchObject({
    kind: 'malformed',
    message: 'the answer is larger than 1 MiB',
  })
  await closed
})

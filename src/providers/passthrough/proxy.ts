import { readBytes } from '../http/bounded-body.ts'
import { sendRequest, type ProviderEndpoint } from '../http/http-request.ts'
import type { PassedRequest, PassedResponse } from '../provider-api.ts'
import { ProviderError } from '../provider-error.ts'
import { isPublic, PublicError } from '../../domain/errors.ts'
import type { RequestSigner } from '../http/request-signing.ts'
import { redactSecretsInBytes } from '../../platform/logging/redact-secrets.ts'
import { parseUrl } from '../../platform/parse-url.ts'
import { unanswered } from '../http/http-response.ts'

/** Requests that are not ours: what a caller passes through, and files at addresses that a provider gave. */

type Headers = Readonly<Record<string, string>>

const TIMEOUT_MS = 15_000
const MAX_BYTES_IN = 10 * 1024 * 1024

/**
 * Headers of one hop, of the body as it was sent, of who asks, and by which some servers read another method or path
 * than the request's: they are not passed in either direction.
 */
const STRIPPED_HEADERS = new Set([
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-url',
  'x-rewrite-url',
])

/** Of a body that a caller does not say the type of. */
const PRESET_TYPE = { 'content-type': 'application/json' }

/** Sends a caller's request to a provider's host with the account's credentials, within the time limit. */
export async function sendPassthrough(
  endpoint: ProviderEndpoint,
  baseUrl: string,
  { headers: credentials, secrets }: RequestSigner,
  { method, path, headers, body }: PassedRequest,
  signal: AbortSignal,
): Promise<PassedResponse> {
  const url = urlOn(baseUrl, path)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    const response = await sendRequest(endpoint, url, {
      method,
      headers: {
        ...(body === null ? {} : PRESET_TYPE),
        ...forwardedHeaders(headers, credentials),
        ...credentials,
      },
      body,
      redirect: 'manual',
      signal: limit,
    })
    return {
      status: response.status,
      headers: responseHeaders(forwardedHeaders(Object.fromEntries(response.headers), credentials), secrets),
      body: redactSecretsInBytes(await bytesOf(response), secrets),
    }
  } catch (cause) {
    throw isPublic(cause) ? cause : unanswered(url, cause, secrets)
  }
}

/** The address of a path at a provider, wherever the path would like to lead. */
function urlOn(baseUrl: string, path: string): URL {
  const [url, base] = [new URL(baseUrl + path), new URL(baseUrl)]
  const isWithin = url.pathname.startsWith(`${base.pathname.replace(/\/$/, '')}/`)
  if (url.origin !== base.origin || !isWithin) throw new Error('a path led to another place')
  return url
}

function forwardedHeaders(headers: Headers, credentials: Headers): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const named = given.filter(([name]) => name === 'connection').flatMap(([, value]) => namesIn(value))
  const kept = new Set([...Object.keys(credentials).map((name) => name.toLowerCase()), ...named])
  return Object.fromEntries(given.filter(([name]) => !STRIPPED_HEADERS.has(name) && !kept.has(name)))
}

const responseHeaders = (headers: Headers, secrets: readonly string[]): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, safeHeaderValue(value, secrets)]))

/** Headers are bytes: what stands for a secret in a text is none of them. */
const safeHeaderValue = (value: string, secrets: readonly string[]): string =>
  redactSecretsInBytes(Buffer.from(value), secrets).toString()

const namesIn = (list: string): string[] => list.toLowerCase().split(/\s*,\s*/)

const bytesOf = (response: Response): Promise<Buffer> =>
  readBytes(
    response,
    MAX_BYTES_IN,
    () => new PublicError('bad_gateway', 'The answer of the provider is larger than 10 MiB: ask for less.'),
  )

/** Opens a file. The credentials go to the provider's own host; of other hosts only those on the open web are asked. */
export async function openFile(
  endpoint: ProviderEndpoint,
  baseUrl: string,
  { headers: credentials, secrets }: RequestSigner,
  address: string,
  signal: AbortSignal,
): Promise<Response> {
  const url = fileUrl(baseUrl, address)
  const own = isProviderHost(baseUrl, address)
  if (!own && (url.protocol !== 'https:' || !NAME_OF_HOST.test(url.hostname) || url.port !== ''))
    throw new ProviderError('malformed', 'the file is at an address that is not fetched')
  try {
    const response = await sendRequest(endpoint, url, {
      headers: own ? credentials : {},
      redirect: 'error',
      signal,
    })
    if (response.ok) return response
    await response.body?.cancel()
    if (own && response.status === 401) throw new ProviderError('revoked', 'the provider answered 401')
    throw new ProviderError('unavailable', `the file was answered with ${response.status}`)
  } catch (cause) {
    throw cause instanceof ProviderError ? cause : unanswered(url, cause, secrets)
  }
}

/** Whether a file is at the provider's own host. */
export const isProviderHost = (baseUrl: string, address: string): boolean =>
  parseUrl(address, baseUrl)?.origin === new URL(baseUrl).origin

/** Of a public host: letters, with a dot, so neither `localhost` nor a literal address. */
const NAME_OF_HOST = /^(?!.*\.(?:local|internal|localhost)$)[a-z0-9.-]+\.[a-z]{2,}$/

function fileUrl(baseUrl: string, address: string): URL {
  const url = parseUrl(address, baseUrl)
  if (!url) throw new ProviderError('malformed', 'the file has no address')
  return url
}

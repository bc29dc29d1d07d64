import { readBytes } from '../http/bounded-body.ts'
import { sendRequest, type ProviderEndpoint } from '../http/http-request.ts'
import type { PassthroughRequest, ProviderResponse } from '../provider-api.ts'
import { ProviderError } from '../provider-error.ts'
import { isPublic, PublicError } from '../../domain/errors.ts'
import type { ValidSignature } from '../http/request-signing.ts'
import { redactSecretsInBytes } from '../../platform/logging/redact-secrets.ts'
import { parseUrl } from '../../platform/parse-url.ts'
import { noResponseError } from '../http/http-response.ts'
import { deadlineSignal } from '../../platform/lifecycle/deadline.ts'

/** Requests with a path or URL from outside: passthrough requests of callers, and files at URLs of a provider. */

type Headers = Readonly<Record<string, string>>

const TIMEOUT_MS = 15_000
const MAX_RESPONSE_BYTES = 10 * 1024 * 1024

/**
 * Headers that are not forwarded in either direction: hop-by-hop headers, headers of the encoded body, and
 * credentials. Also headers that override the method or the path at some servers, which would bypass the denylist.
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

/** Default content type of a body. */
const DEFAULT_TYPE = { 'content-type': 'application/json' }

/**
 * Sends a caller's request to a provider with the account's credentials. The whole exchange has a time limit.
 */
export async function sendPassthrough(
  endpoint: ProviderEndpoint,
  baseUrl: string,
  { headers: credentials, secrets }: ValidSignature,
  { method, path, headers, body }: PassthroughRequest,
  signal: AbortSignal,
): Promise<ProviderResponse> {
  const url = urlOn(baseUrl, path)
  const timedSignal = AbortSignal.any([signal, deadlineSignal(TIMEOUT_MS)])
  try {
    const response = await sendRequest(endpoint, url, {
      method,
      headers: {
        ...(body === null ? {} : DEFAULT_TYPE),
        ...forwardedHeaders(headers, credentials),
        ...credentials,
      },
      body,
      redirect: 'manual',
      signal: timedSignal,
    })
    return {
      status: response.status,
      headers: responseHeaders(forwardedHeaders(Object.fromEntries(response.headers), credentials), secrets),
      body: redactSecretsInBytes(await bytesOf(response), secrets),
    }
  } catch (cause) {
    throw isPublic(cause) ? cause : noResponseError(url, cause, secrets)
  }
}

/** Builds the URL of a path. Throws if the path leaves the origin or the base path of the API. */
function urlOn(baseUrl: string, path: string): URL {
  const [url, base] = [new URL(baseUrl + path), new URL(baseUrl)]
  const isWithin = url.pathname.startsWith(`${base.pathname.replace(/\/$/, '')}/`)
  if (url.origin !== base.origin || !isWithin) throw new Error('the path leaves the base URL of the provider')
  return url
}

/** Removes the headers that are stripped, that `Connection` names, or that carry our credentials. */
function forwardedHeaders(headers: Headers, credentials: Headers): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const hopByHop = given.filter(([name]) => name === 'connection').flatMap(([, value]) => namesIn(value))
  const excluded = new Set([...Object.keys(credentials).map((name) => name.toLowerCase()), ...hopByHop])
  return Object.fromEntries(given.filter(([name]) => !STRIPPED_HEADERS.has(name) && !excluded.has(name)))
}

const responseHeaders = (headers: Headers, secrets: readonly string[]): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, safeHeaderValue(value, secrets)]))

/** Redacts the value as bytes, because the placeholder for redacted text is not valid in a header. */
const safeHeaderValue = (value: string, secrets: readonly string[]): string =>
  redactSecretsInBytes(Buffer.from(value), secrets).toString()

const namesIn = (list: string): string[] => list.toLowerCase().split(/\s*,\s*/)

const bytesOf = (response: Response): Promise<Buffer> =>
  readBytes(
    response,
    MAX_RESPONSE_BYTES,
    () => new PublicError('bad_gateway', "The provider's response is larger than 10 MiB. Request less data."),
  )

/**
 * Opens a file. Credentials are sent only to the provider's own host. Other hosts must be public HTTPS hosts.
 */
export async function openFile(
  endpoint: ProviderEndpoint,
  baseUrl: string,
  { headers: credentials, secrets }: ValidSignature,
  address: string,
  signal: AbortSignal,
): Promise<Response> {
  const url = fileUrl(baseUrl, address)
  const isOwnHost = isProviderHost(baseUrl, address)
  if (!isOwnHost && (url.protocol !== 'https:' || !PUBLIC_HOST.test(url.hostname) || url.port !== ''))
    throw new ProviderError(
      'malformed',
      'the file is neither on the host of the provider nor on a public HTTPS host',
    )
  try {
    const response = await sendRequest(endpoint, url, {
      headers: isOwnHost ? credentials : {},
      redirect: 'error',
      signal,
    })
    if (response.ok) return response
    await response.body?.cancel()
    if (isOwnHost && response.status === 401)
      throw new ProviderError('invalid_credentials', 'the provider answered 401')
    throw new ProviderError('unavailable', `the server of the file answered ${response.status}`)
  } catch (cause) {
    throw cause instanceof ProviderError ? cause : noResponseError(url, cause, secrets)
  }
}

/** Whether a URL is on the provider's own host. */
export const isProviderHost = (baseUrl: string, address: string): boolean =>
  parseUrl(address, baseUrl)?.origin === new URL(baseUrl).origin

/** Name of a public host: letters, with a dot. Excludes `localhost` and IP addresses. */
const PUBLIC_HOST = /^(?!.*\.(?:local|internal|localhost)$)[a-z0-9.-]+\.[a-z]{2,}$/

function fileUrl(baseUrl: string, address: string): URL {
  const url = parseUrl(address, baseUrl)
  if (!url) throw new ProviderError('malformed', 'the URL of the file is not valid')
  return url
}

import { z } from 'zod'
import { type Clock, toIso } from '../../domain/time.ts'
import { fetchResponse, errorOfResponse } from '../http/http-response.ts'
import { ProviderError } from '../provider-error.ts'
import { MAX_SIGN_IN_BYTES, readText } from '../http/bounded-body.ts'
import type { ProviderEndpoint } from '../http/http-request.ts'
import { validate } from '../mapping/validate.ts'
import type { ProviderCredentials, Renewal } from '../provider.ts'
import { parseUrl } from '../../platform/parse-url.ts'

/** Lifetime of a token, which the request names because Traccar's default is only a week. */
const TOKEN_YEARS = 10
const YEAR_MS = 365 * 86_400_000

/** URL of the API on a fleet's server. */
export function apiUrlOf({ serverUrl = '' }: ProviderCredentials): string {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(serverUrl) ? serverUrl : `https://${serverUrl}`
  const url = parseUrl(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw new ProviderError('invalid_credentials', 'it is not a valid web address', {
      signInFault: 'address',
    })
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api$/, '')}/api`
}

/** Creates the renewal. It exchanges a password for a token once; the password is not stored. */
export function createAuth(endpoint: ProviderEndpoint, clock: Clock): Renewal {
  return {
    expiryOf: (credentials) => ('password' in credentials ? 0 : null),
    async renew(credentials, signal) {
      if (!('password' in credentials))
        throw new ProviderError('invalid_credentials', 'an API token cannot be renewed')
      const cookie = await withAddressCheck(() => sessionOf(endpoint, credentials, signal))
      const token = await tokenOf(endpoint, credentials, { cookie, now: clock.now(), signal })
      return { serverUrl: credentials['serverUrl'] ?? '', token }
    },
  }
}

/**
 * Runs a sign-in request. If no server answers, or the server is not a Traccar server, the error names the address as
 * its cause.
 */
export async function withAddressCheck<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof ProviderError) || !isNoSuchServer(error)) throw error
    throw new ProviderError(error.kind, error.message, { cause: error, signInFault: 'address' })
  }
}

/** Whether the error means a wrong address. A timeout and an outage that the server reports do not mean it. */
const isNoSuchServer = ({ kind, timedOut, cause }: ProviderError): boolean =>
  kind === 'malformed' || (kind === 'unavailable' && !timedOut && cause !== undefined)

async function sessionOf(
  endpoint: ProviderEndpoint,
  credentials: ProviderCredentials,
  signal: AbortSignal,
): Promise<string> {
  const { email = '', password = '', code = '' } = credentials
  const response = await postForm(endpoint, `${apiUrlOf(credentials)}/session`, signal, {
    email,
    password,
    ...(code === '' ? {} : { code }),
  })
  await response.body?.cancel()
  if (response.status === 401 && response.headers.get('www-authenticate') === 'TOTP')
    throw new ProviderError('invalid_credentials', 'the server asks for the code of the two-step sign-in', {
      signInFault: 'code',
    })
  if (!response.ok) throw errorOfResponse(response)
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
  if (cookies.length === 0) throw new ProviderError('malformed', 'the server sent no session cookie')
  return cookies.join('; ')
}

async function tokenOf(
  endpoint: ProviderEndpoint,
  credentials: ProviderCredentials,
  { cookie, now, signal }: { cookie: string; now: number; signal: AbortSignal },
): Promise<string> {
  const expiration = toIso(now + TOKEN_YEARS * YEAR_MS)
  const url = `${apiUrlOf(credentials)}/session/token`
  const response = await postForm(endpoint, url, signal, { expiration }, { cookie })
  if (!response.ok) {
    await response.body?.cancel()
    throw errorOfResponse(response)
  }
  // The server sends the token as a JSON string or as plain text.
  const text = await readText(response, MAX_SIGN_IN_BYTES)
  return validate(z.string().min(1), text.startsWith('"') ? JSON.parse(text) : text.trim())
}

const postForm = (
  endpoint: ProviderEndpoint,
  url: string,
  signal: AbortSignal,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetchResponse({
    ...endpoint,
    url: new URL(url),
    request: { method: 'POST', headers, body: new URLSearchParams(form) },
    signal,
  })

import { z } from 'zod'
import { type Clock, toIso } from '../../domain/time.ts'
import { fetchResponse, errorOfResponse } from '../http/http-response.ts'
import { ProviderError } from '../provider-error.ts'
import { MAX_SIGN_IN_BYTES, readText } from '../http/bounded-body.ts'
import type { ProviderEndpoint } from '../http/http-request.ts'
import { validate } from '../mapping/validate.ts'
import type { ProviderCredentials, Renewal } from '../provider.ts'
import { parseUrl } from '../../platform/parse-url.ts'

/** Tokens are asked for as long as a server may give them; without an expiry of ours it would be a week. */
const TOKEN_YEARS = 10
const YEAR_MS = 365 * 86_400_000

/** Where the API of the server is that a fleet named. */
export function apiUrlOf({ serverUrl = '' }: ProviderCredentials): string {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(serverUrl) ? serverUrl : `https://${serverUrl}`
  const url = parseUrl(address)
  if (!url) throw new ProviderError('revoked', 'the address of the server is none', { lies: 'address' })
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api$/, '')}/api`
}

/** A password is exchanged for a token once, and then forgotten. */
export function createAuth(endpoint: ProviderEndpoint, clock: Clock): Renewal {
  return {
    endOf: (credentials) => ('password' in credentials ? 0 : null),
    async renew(credentials, signal) {
      if (!('password' in credentials)) throw new ProviderError('revoked', 'a token cannot be renewed')
      const cookie = await atServer(() => sessionOf(endpoint, credentials, signal))
      const token = await tokenOf(endpoint, credentials, { cookie, now: clock.now(), signal })
      return { serverUrl: credentials['serverUrl'] ?? '', token }
    },
  }
}

/** Asks who signs in: what nobody answers, or not as this server does, is asked at a wrong address. */
export async function atServer<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ProviderError) || !isNoSuchServer(error)) throw error
    throw new ProviderError(error.kind, error.message, { cause: error, lies: 'address' })
  }
}

/** An outage that the server tells of is none of the address. */
const isNoSuchServer = ({ kind, timedOut, cause }: ProviderError): boolean =>
  kind === 'malformed' || (kind === 'unavailable' && !timedOut && cause !== undefined)

async function sessionOf(
  endpoint: ProviderEndpoint,
  credentials: ProviderCredentials,
  signal: AbortSignal,
): Promise<string> {
  const { email = '', password = '', code = '' } = credentials
  const response = await posted(endpoint, `${apiUrlOf(credentials)}/session`, signal, {
    email,
    password,
    ...(code === '' ? {} : { code }),
  })
  await response.body?.cancel()
  if (response.status === 401 && response.headers.get('www-authenticate') === 'TOTP')
    throw new ProviderError('revoked', 'the server asks for the code of the two-step sign-in', {
      lies: 'code',
    })
  if (!response.ok) throw errorOfResponse(response)
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
  if (cookies.length === 0) throw new ProviderError('malformed', 'the server opened no session')
  return cookies.join('; ')
}

async function tokenOf(
  endpoint: ProviderEndpoint,
  credentials: ProviderCredentials,
  { cookie, now, signal }: { cookie: string; now: number; signal: AbortSignal },
): Promise<string> {
  const expiration = toIso(now + TOKEN_YEARS * YEAR_MS)
  const url = `${apiUrlOf(credentials)}/session/token`
  const response = await posted(endpoint, url, signal, { expiration }, { cookie })
  if (!response.ok) {
    await response.body?.cancel()
    throw errorOfResponse(response)
  }
  // A text, in JSON or as it is.
  const text = await readText(response, MAX_SIGN_IN_BYTES)
  return validate(z.string().min(1), text.startsWith('"') ? JSON.parse(text) : text.trim())
}

const posted = (
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

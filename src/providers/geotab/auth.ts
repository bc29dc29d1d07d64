import { z } from 'zod'
import { type Clock, toInstant, toIso } from '../../domain/time.ts'
import { requestJson } from '../http/http-response.ts'
import { MAX_SIGN_IN_BYTES } from '../http/bounded-body.ts'
import type { Priority } from '../rate-limit/rate-limit.ts'
import { unlimited, type RateLimiter } from '../rate-limit/rate-limiter.ts'
import type { ProviderEndpoint } from '../http/http-request.ts'
import { validate } from '../mapping/validate.ts'
import { isObject } from '../../platform/is-object.ts'
import type { ProviderCredentials, Renewal } from '../provider.ts'
import type { RequestSignature } from '../http/request-signing.ts'
import { limitedRequestOf } from '../http/request-builder.ts'
import { errorMapping, isUnknownDatabase } from './error-mapping.ts'
import { DEFAULT_SERVER, type UrlOf } from './servers.ts'

/** Time after which a session is renewed. MyGeotab ends it after about 14 days. */
const SESSION_MS = 13 * 86_400_000

const session = z.looseObject({
  credentials: z.looseObject({
    database: z.string().min(1),
    userName: z.string().min(1),
    sessionId: z.string().min(1),
  }),
  path: z.string().min(1),
})

export const serverOf = ({ server }: ProviderCredentials): string => server || DEFAULT_SERVER

interface AuthOptions {
  readonly clock: Clock
  readonly urlOf: UrlOf
  readonly limiterOf: (credentials: ProviderCredentials, priority: Priority) => RateLimiter | undefined
}

/**
 * Creates the renewal of sessions. A new session needs the password, which is therefore stored, encrypted like all
 * credentials.
 */
export const createAuth = (endpoint: ProviderEndpoint, options: AuthOptions): Renewal => ({
  expiryOf: ({ sessionId, expiresAt = '' }) => (sessionId === undefined ? 0 : toInstant(expiresAt)),
  async renew(credentials, signal) {
    const { password = '' } = credentials
    const { server, answer } = await authenticateAtHome(endpoint, options, credentials, signal)
    const { credentials: sessionCredentials, path } = validate(session, answer)
    const homeServer = path === 'ThisServer' ? server : path
    // Throws if the server is not one of MyGeotab's.
    options.urlOf(homeServer)
    const { database, userName, sessionId } = sessionCredentials
    const expiresAt = toIso(options.clock.now() + SESSION_MS)
    return { server: homeServer, database, userName, password, sessionId, expiresAt }
  },
})

/** Authenticates at the last known server. If it no longer has the database, authenticates at the central server. */
async function authenticateAtHome(
  endpoint: ProviderEndpoint,
  options: AuthOptions,
  credentials: ProviderCredentials,
  signal: AbortSignal,
) {
  const lastServer = serverOf(credentials)
  const authenticateAt = async (server: string) => ({
    server,
    answer: await authenticate(endpoint, options, { ...credentials, server }, signal),
  })
  return authenticateAt(lastServer).catch((error: unknown) => {
    if (lastServer === DEFAULT_SERVER || !isUnknownDatabase(error)) throw error
    return authenticateAt(DEFAULT_SERVER)
  })
}

async function authenticate(
  endpoint: ProviderEndpoint,
  { urlOf, limiterOf }: AuthOptions,
  credentials: ProviderCredentials,
  signal: AbortSignal,
): Promise<unknown> {
  const { database = '', userName = '', password = '' } = credentials
  const url = new URL(`${urlOf(serverOf(credentials))}/apiv1`)
  const body = { method: 'Authenticate', params: { database, userName, password } }
  const limiter = limiterOf(credentials, 'live') ?? unlimited
  const done = await limiter.take(limitedRequestOf({ path: url.pathname, query: {}, body }), signal)
  return requestJson({
    ...endpoint,
    url,
    request: {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
    secrets: [password],
    signal,
    errorMapping,
    maxBytes: MAX_SIGN_IN_BYTES,
  }).finally(done)
}

/** Returns the authentication of a call. Its credentials replace any that the caller put into `params`. */
export const signRequestWith =
  (urlOf: UrlOf) =>
  (credentials: ProviderCredentials): RequestSignature => ({
    headers: { accept: 'application/json' },
    baseUrl: urlOf(serverOf(credentials)),
    bodyOf: (body) => withCredentials(body, credentials),
  })

function withCredentials(body: unknown, { database, userName, sessionId }: ProviderCredentials): unknown {
  if (!isObject(body)) return body
  const params = isObject(body['params']) ? body['params'] : {}
  const calls = Array.isArray(params['calls']) ? { calls: params['calls'].map(withoutCredentials) } : {}
  return { ...body, params: { ...params, ...calls, credentials: { database, userName, sessionId } } }
}

/** Removes the credentials of a call inside a multi-call. */
function withoutCredentials(call: unknown): unknown {
  if (!isObject(call) || !isObject(call['params'])) return call
  const { credentials: _, ...params } = call['params']
  return { ...call, params }
}

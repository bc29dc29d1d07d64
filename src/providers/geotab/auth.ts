import { z } from 'zod'
import { type Clock, toInstant, toIso } from '../../domain/time.ts'
import { requestJson } from '../http/http-response.ts'
import { MAX_SIGN_IN_BYTES } from '../http/bounded-body.ts'
import type { Priority } from '../rate-limit/rate-limit.ts'
import { unlimited, type RateLimiter } from '../rate-limit/rate-limiter.ts'
import type { ProviderEndpoint } from '../http/http-request.ts'
import { validate } from '../mapping/validate.ts'
import { isObject } from '../mapping/is-object.ts'
import type { ProviderCredentials, Renewal } from '../provider.ts'
import type { RequestSignature } from '../http/request-signing.ts'
import { requestPath } from '../http/request-builder.ts'
import { errorMapping, isUnknownDatabase } from './error-mapping.ts'
import { FIRST_SERVER, type UrlOf } from './servers.ts'

/** A session lasts about fourteen days; another is opened before. */
const SESSION_MS = 13 * 86_400_000

const session = z.looseObject({
  credentials: z.looseObject({
    database: z.string().min(1),
    userName: z.string().min(1),
    sessionId: z.string().min(1),
  }),
  path: z.string().min(1),
})

export const serverOf = ({ server }: ProviderCredentials): string => server || FIRST_SERVER

interface Signing {
  readonly clock: Clock
  readonly urlOf: UrlOf
  readonly limiterOf: (credentials: ProviderCredentials, priority: Priority) => RateLimiter | undefined
}

/** The password is kept, sealed as all credentials are: sessions end, and the next one takes it again. */
export const createAuth = (endpoint: ProviderEndpoint, signing: Signing): Renewal => ({
  endOf: ({ sessionId, expiresAt = '' }) => (sessionId === undefined ? 0 : toInstant(expiresAt)),
  async renew(credentials, signal) {
    const { password = '' } = credentials
    const { server, answer } = await signedIn(endpoint, signing, credentials, signal)
    const { credentials: opened, path } = validate(session, answer)
    const goesOn = path === 'ThisServer' ? server : path
    signing.urlOf(goesOn)
    const { database, userName, sessionId } = opened
    const expiresAt = toIso(signing.clock.now() + SESSION_MS)
    return { server: goesOn, database, userName, password, sessionId, expiresAt }
  },
})

/** At the server that had the database last; where it has moved away, at the one that knows of all. */
async function signedIn(
  endpoint: ProviderEndpoint,
  signing: Signing,
  credentials: ProviderCredentials,
  signal: AbortSignal,
) {
  const last = serverOf(credentials)
  const at = async (server: string) => ({
    server,
    answer: await authenticated(endpoint, signing, { ...credentials, server }, signal),
  })
  return at(last).catch((error: unknown) => {
    if (last === FIRST_SERVER || !isUnknownDatabase(error)) throw error
    return at(FIRST_SERVER)
  })
}

async function authenticated(
  endpoint: ProviderEndpoint,
  { urlOf, limiterOf }: Signing,
  credentials: ProviderCredentials,
  signal: AbortSignal,
): Promise<unknown> {
  const { database = '', userName = '', password = '' } = credentials
  const url = new URL(`${urlOf(serverOf(credentials))}/apiv1`)
  const body = { method: 'Authenticate', params: { database, userName, password } }
  const limiter = limiterOf(credentials, 'live') ?? unlimited
  const done = await limiter.take(requestPath({ path: url.pathname, query: {}, body }), signal)
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

/** A call says on whose behalf it is in its params, whatever else they say. */
export const signRequestWith =
  (urlOf: UrlOf) =>
  (held: ProviderCredentials): RequestSignature => ({
    headers: { accept: 'application/json' },
    baseUrl: urlOf(serverOf(held)),
    bodyOf: (body) => signed(body, held),
  })

function signed(body: unknown, { database, userName, sessionId }: ProviderCredentials): unknown {
  if (!isObject(body)) return body
  const params = isObject(body['params']) ? body['params'] : {}
  const calls = Array.isArray(params['calls']) ? { calls: params['calls'].map(unsigned) } : {}
  return { ...body, params: { ...params, ...calls, credentials: { database, userName, sessionId } } }
}

/** One of many in one call has no credentials of its own. */
function unsigned(call: unknown): unknown {
  if (!isObject(call) || !isObject(call['params'])) return call
  const { credentials: _, ...params } = call['params']
  return { ...call, params }
}

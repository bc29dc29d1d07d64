import { LRUCache } from 'lru-cache'
import { PublicError } from '../domain/errors.ts'
import type { Id } from '../domain/ids.ts'
import type { Tenant } from '../domain/tenant-scope.ts'
import { type Clock, type Instant, systemClock } from '../domain/time.ts'
import { type KeyScope, type KeyScopes, missingScope, permits } from './key-scopes.ts'
import { CONNECTION_TOKEN, hashOf, PUBLIC_TOKEN, PUBLISHABLE_KEY, SECRET_KEY } from './keys.ts'
import type { SessionScope } from './session-scopes.ts'
import { SESSION_TOKEN_PREFIX, type SessionClaims, type SessionTokens } from './session-tokens.ts'

/** Who asks: an application, across its connections or narrowed to some, or a session of one. Every read is bound to it. */
export interface Caller extends Tenant {
  /** The key that was sent; null for a session, and for an operator, who needs none. */
  readonly key: KeyAccess | null
  /** What a browser was given in place of a key; null for whoever has the key itself. */
  readonly session: SessionAccess | null
}

/** What a key may do. */
export interface KeyAccess {
  readonly id: Id<'key'>
  /** Null is everything but what takes `admin`. */
  readonly scopes: KeyScopes
}

/** What a session may do: read, within its scopes, for a while. */
export interface SessionAccess {
  readonly id: Id<'session'>
  readonly scopes: readonly SessionScope[]
  /** Those of the key that made it: a session never has more than its key. */
  readonly keyScopes: KeyScopes
  readonly expiresAt: Instant
}

/** Whoever has an application's secret key, across its connections or narrowed to one; an operator where none is given. */
export const keyHolder = (
  applicationId: Id<'application'>,
  connectionId: Id<'connection'> | null = null,
  key: KeyAccess | null = null,
): Caller => ({
  applicationId,
  connectionIds: connectionId === null ? null : [connectionId],
  key,
  session: null,
})

/** Who asks without a key, where that is permitted: nothing belongs to nobody. */
export const anonymous: Caller = keyHolder('')

/** By this a gateway tells its subgraphs that nobody asks; a key that was only left out is refused. */
export const ANONYMOUS_HEADER = 'x-odograph-nobody'

/** What a request brings to show who it is. */
export interface Credentials {
  readonly authorization?: string | undefined
  readonly connectionToken?: string | undefined
}

interface KeyFound extends KeyAccess {
  readonly applicationId: Id<'application'>
  readonly expiresAt: Instant | null
}

/** Where keys, tokens and sessions are found, the first two by their hashes. */
export interface CallerLookups {
  secretKey(hash: string): Promise<KeyFound | null>
  connectionOfToken(hash: string): Promise<{ id: Id<'connection'>; applicationId: Id<'application'> } | null>
  /** A session that neither was ended nor lost its key, with those of its connections that are neither archived nor going. */
  session?(claims: SessionClaims): Promise<Omit<SessionAccess & Tenant, 'applicationId'> | null>
}

interface Authentication {
  /** Calls an ear whenever some access to an application has ended: what is known of it by heart is forgotten. */
  readonly subscribe?: (applicationId: string, listener: () => void) => () => void
  /** Without them no session token is known. */
  readonly tokens?: Pick<SessionTokens, 'open'>
  readonly clock?: Clock
  /** Is told of every use of a key, and never waited for. */
  readonly noteUse?: (keyId: Id<'key'>) => void
}

export type Authenticate = (credentials: Credentials) => Promise<Caller>

/** A key or token whose end is not heard of is refused within this time. */
const CACHE_MS = 3000
const MAX_CACHED = 10_000

/**
 * Tells who a request is from. No, malformed or unknown secret key, or a session that has ended: 401. A connection
 * token that is malformed, unknown or another application's: 403 (decision 6).
 */
export function authenticator(
  lookups: CallerLookups,
  { tokens, subscribe, noteUse = () => undefined, clock = systemClock }: Authentication = {},
): Authenticate {
  const known = new LRUCache<string, Found>({ max: MAX_CACHED, ttl: CACHE_MS })
  const notified = new LRUCache<string, () => void>({
    max: MAX_CACHED,
    dispose: (unsubscribe) => unsubscribe(),
  })
  let notifications = 0
  const hear = (applicationId: string) => {
    if (!subscribe || notified.has(applicationId)) return
    const forget = () => {
      notifications += 1
      for (const [key, { caller }] of known.entries())
        if (caller.applicationId === applicationId) known.delete(key)
    }
    notified.set(applicationId, subscribe(applicationId, forget))
  }
  const find = async (credentials: Credentials, key: string): Promise<Found> => {
    const notificationsBefore = notifications
    const found = await callerOf(credentials, lookups, tokens)
    if (isOver(found, clock)) throw found.caller.session === null ? keyExpired() : sessionExpired()
    if (notifications === notificationsBefore) known.set(key, found)
    hear(found.caller.applicationId)
    return found
  }
  return async (credentials) => {
    const key = JSON.stringify([credentials.authorization, credentials.connectionToken])
    const before = known.get(key)
    const { caller } = before && !isOver(before, clock) ? before : await find(credentials, key)
    if (caller.key !== null) noteUse(caller.key.id)
    return caller
  }
}

/** Who a request is from, and when that ends by itself. */
interface Found {
  readonly caller: Caller
  readonly endsAt: Instant | null
}

const isOver = ({ endsAt }: Found, clock: Clock): boolean => endsAt !== null && endsAt <= clock.now()

async function callerOf(
  { authorization, connectionToken }: Credentials,
  lookups: CallerLookups,
  tokens: Authentication['tokens'],
): Promise<Found> {
  const bearer = bearerIn(authorization)
  if (isSessionToken(bearer)) {
    if (connectionToken !== undefined) throw sessionStandsAlone()
    return callerOfSession(bearer, lookups, tokens)
  }
  const found = await lookups.secretKey(hashOf(secretKeyIn(bearer)))
  if (!found) throw unauthorized('The secret key is not known.')
  const { applicationId, expiresAt: endsAt, ...key } = found
  if (connectionToken === undefined) return { caller: keyHolder(applicationId, null, key), endsAt }
  const connection = CONNECTION_TOKEN.test(connectionToken)
    ? await lookups.connectionOfToken(hashOf(connectionToken))
    : null
  if (connection?.applicationId !== applicationId) throw unknownConnection()
  return { caller: keyHolder(applicationId, connection.id, key), endsAt }
}

async function callerOfSession(
  token: string,
  lookups: CallerLookups,
  tokens: Authentication['tokens'],
): Promise<Found> {
  const claims = (await tokens?.open(token)) ?? 'unknown'
  if (claims === 'expired') throw sessionExpired()
  const stored = claims === 'unknown' ? null : await lookups.session?.(claims)
  if (claims === 'unknown' || !stored) throw unauthorized('The session is not known, or has been revoked.')
  const { connectionIds, ...session } = stored
  if (connectionIds?.length === 0) throw sessionWithoutConnections()
  const caller: Caller = { applicationId: claims.applicationId, connectionIds, key: null, session }
  return { caller, endsAt: session.expiresAt }
}

const isSessionToken = (text: string): boolean => text.startsWith(SESSION_TOKEN_PREFIX)

export const missingConnection = () =>
  new PublicError('forbidden', 'This operation reads one connection.', {
    detail: 'Send the Connection-Token header with the token of the connection.',
  })

/** For what a session may not do: it reads, and no more. */
export const readOnlySession = () =>
  new PublicError('forbidden', 'A session may only read.', {
    detail: 'Ask your server, which has the secret key, to make the change.',
  })

/** For what takes the secret key by itself: a connection token narrows it, a session is no key. */
export function requireSecretKey({ connectionIds, session }: Caller, what: string): void {
  if (connectionIds === null && session === null) return
  throw new PublicError('forbidden', `${what} take the secret key alone.`, {
    detail: session === null ? 'Leave the Connection-Token header out.' : 'A session may not see them.',
  })
}

/** Refuses a session that was not given the scope; what a key may do, its own scopes say. */
export function requireScope({ session }: Caller, scope: SessionScope): void {
  if (session === null || session.scopes.includes(scope)) return
  throw new PublicError('forbidden', `The session has no scope ${scope}.`, {
    detail: `Its scopes are ${session.scopes.join(', ')}.`,
  })
}

/** Refuses a key that lacks a scope, and the sessions that it has made; an operator has no key and needs none. */
export function requireKeyScope({ key, session }: Caller, scope: KeyScope): void {
  if (session !== null && !permits(session.keyScopes, scope))
    throw missingScope(scope, 'The key that made the session')
  if (key !== null && !permits(key.scopes, scope)) throw missingScope(scope)
}

/** Where sessions are not served at all. */
export const sessionsNotSupported = () =>
  new PublicError('forbidden', 'A session token is for GraphQL, over HTTP, websockets and SSE.', {
    detail: 'Send the secret key here, from your server.',
  })

const keyExpired = () => unauthorized('The secret key has expired.')

const sessionExpired = () => unauthorized('The session has expired: ask your server for a new one.')

const sessionStandsAlone = () =>
  new PublicError('forbidden', 'A session token is sent alone.', {
    detail: 'The session itself says which connections it reads: leave the connection token out.',
  })

const sessionWithoutConnections = () =>
  new PublicError('forbidden', 'Every connection of the session is archived or deleted.')

const unknownConnection = () =>
  new PublicError('forbidden', 'The connection token is not valid.', {
    detail: 'Send the token of one of your connections in the Connection-Token header.',
  })

function bearerIn(authorization: string | undefined): string {
  if (authorization === undefined) throw unauthorized('Send `Authorization: Bearer <SECRET_KEY>`.')
  const bearer = /^bearer +(\S+)$/i.exec(authorization)?.[1]
  if (!bearer) throw unauthorized('The Authorization header must be `Bearer <SECRET_KEY>`.')
  return bearer
}

function secretKeyIn(key: string): string {
  if (CONNECTION_TOKEN.test(key))
    throw unauthorized('This is a connection token: it belongs in the Connection-Token header.')
  if (PUBLIC_TOKEN.test(key))
    throw unauthorized('This is a public token: it is exchanged, not sent as a key.')
  if (PUBLISHABLE_KEY.test(key)) throw unauthorized('This is a publishable key: send the secret key (sk_…).')
  if (!SECRET_KEY.test(key)) throw unauthorized('The secret key is malformed.')
  return key
}

const unauthorized = (detail: string) =>
  new PublicError('unauthorized', 'The request is not authenticated.', { detail })

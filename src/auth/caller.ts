import { LRUCache } from 'lru-cache'
import { isClientError, PublicError } from '../domain/errors.ts'
import type { Id } from '../domain/ids.ts'
import { onlyConnectionOf, type Tenant } from '../domain/tenant-scope.ts'
import { type Clock, type Instant, systemClock } from '../domain/time.ts'
import { addLogFields, addRequestDetails, type LogContext } from '../platform/logging/log-context.ts'
import type { FailedAttempts } from './failed-attempts.ts'
import type { DocumentMode } from './document-mode.ts'
import { type KeyScope, type KeyScopes, missingScope, permits } from './key-scopes.ts'
import { CONNECTION_TOKEN, hashKey, PUBLIC_TOKEN, PUBLISHABLE_KEY, SECRET_KEY } from './keys.ts'
import type { SessionRole } from './session-roles.ts'
import type { SessionScope } from './session-scopes.ts'
import { SESSION_TOKEN_PREFIX, type SessionClaims, type SessionTokens } from './session-tokens.ts'

/**
 * Authenticated sender of a request: an application with all or some of its connections, or a session. Every
 * read is bound to it.
 */
export interface Caller extends Tenant {
  /** Key of the request; null for a session, and for an operator, who needs no key. */
  readonly key: KeyAccess | null
  /** Session of the request; null for a key. */
  readonly session: SessionAccess | null
  /** Which GraphQL documents the caller may run. Absent for the default. */
  readonly documentMode?: DocumentMode | undefined
  /** Rates of the caller instead of those of the service. */
  readonly rates?: OwnRates | undefined
}

/** Points a minute that an application, and a key with its sessions, may use. Null for the limits of the service. */
export interface OwnRates {
  readonly application: number | null
  readonly key: number | null
}

/** Rights of a key. */
export interface KeyAccess {
  readonly id: Id<'key'>
  /** Null permits everything except what requires `admin`. */
  readonly scopes: KeyScopes
  /** Null if the key never expires. */
  readonly expiresAt: Instant | null
}

/** Rights of a session until it expires. With a role, it is authorized like a key; without one, it reads within its scopes. */
export interface SessionAccess {
  readonly id: Id<'session'>
  /** Name of the person; null if it is unknown. */
  readonly name: string | null
  readonly role: SessionRole | null
  /** Data that a session without a role reads. */
  readonly scopes: readonly SessionScope[]
  /**
   * Scopes of the key that created the session; with a role, those that both the role and the key permit. The session
   * never has more rights than the key.
   */
  readonly keyScopes: KeyScopes
  readonly expiresAt: Instant
}

/**
 * Returns the caller with a secret key of an application. With a connection, the caller is limited to it. If `key` is
 * null, the caller is an operator.
 */
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

/** Caller of a request that needs no key. It has no application, so it reads no tenant data. */
export const anonymous: Caller = keyHolder('')

/** Adds the caller of a request to its log context. */
export function addCaller(logContext: LogContext | undefined, caller: Caller): void {
  const { applicationId, key, session } = caller
  addLogFields(logContext, { applicationId, connectionId: onlyConnectionOf(caller) })
  if (session) addRequestDetails(logContext, { sessionId: session.id })
  else if (key) addRequestDetails(logContext, { keyId: key.id })
}

/**
 * Header by which a gateway marks an anonymous request to its subgraphs. A request without it and without a
 * key is rejected.
 */
export const ANONYMOUS_HEADER = 'x-odograph-nobody'

/** Credentials of a request or a websocket. */
export interface Credentials {
  readonly authorization?: string | undefined
  readonly connectionToken?: string | undefined
}

interface FoundKey extends KeyAccess {
  readonly applicationId: Id<'application'>
  readonly documentMode?: DocumentMode | undefined
  readonly rates?: OwnRates | undefined
}

interface FoundSession extends SessionAccess, Pick<Caller, 'connectionIds' | 'documentMode' | 'rates'> {}

/** Lookups of keys and tokens by their hashes, and of sessions. */
export interface CallerLookups {
  secretKey(hash: string): Promise<FoundKey | null>
  connectionOfToken(hash: string): Promise<{ id: Id<'connection'>; applicationId: Id<'application'> } | null>
  /**
   * Returns a session that is not revoked and whose key is active. Its connections exclude those that are
   * archived or being deleted.
   */
  session?(claims: SessionClaims): Promise<FoundSession | null>
}

interface Authentication {
  /**
   * Subscribes to notifications that some access to an application has ended. The cached callers of the application
   * are then dropped.
   */
  readonly subscribe?: (applicationId: string, listener: () => void) => () => void
  /** Verifies session tokens. Without it, every session token is rejected. */
  readonly tokens?: Pick<SessionTokens, 'open'>
  readonly clock?: Clock
  /** Notes that a key was used. It returns at once, so that the request does not wait for the write. */
  readonly noteUse?: (keyId: Id<'key'>) => void
  /** Limits the failed attempts from each address. Without it, they have no limit. */
  readonly failedAttempts?: Pick<FailedAttempts, 'check' | 'add'>
}

/** Authenticates a request. The remote address is that of the client. */
export type Authenticate = (credentials: Credentials, remoteAddress?: string) => Promise<Caller>

/**
 * Lifetime of a cached caller. If a notification is lost, a revoked key or token is rejected after this time.
 */
const CACHE_MS = 3000
const MAX_CACHED = 10_000

/**
 * Creates the function that authenticates requests. It throws 401 for a missing, malformed, unknown or expired secret
 * key, and for a session that has ended. It throws 403 for a connection token that is malformed, unknown or
 * of another application. It throws 429 for an address with too many failed attempts, unless the credentials were
 * valid before: valid callers can share the address with the failing one.
 */
export function authenticator(
  lookups: CallerLookups,
  { tokens, subscribe, noteUse = () => undefined, clock = systemClock, failedAttempts }: Authentication = {},
): Authenticate {
  const cache = new LRUCache<string, FoundCaller>({ max: MAX_CACHED, ttl: CACHE_MS })
  const validBefore = new LRUCache<string, true>({ max: MAX_CACHED })
  const subscriptions = new LRUCache<string, () => void>({
    max: MAX_CACHED,
    dispose: (unsubscribe) => unsubscribe(),
  })
  let notifications = 0
  const watch = (applicationId: string) => {
    if (!subscribe || subscriptions.has(applicationId)) return
    const dropCached = () => {
      notifications += 1
      for (const [key, { caller }] of cache.entries())
        if (caller.applicationId === applicationId) cache.delete(key)
    }
    subscriptions.set(applicationId, subscribe(applicationId, dropCached))
  }
  const find = async (credentials: Credentials, key: string): Promise<FoundCaller> => {
    const notificationsBefore = notifications
    const found = await callerOf(credentials, lookups, tokens)
    if (hasExpired(found, clock)) throw found.caller.session === null ? keyExpired() : sessionExpired()
    // After a notification during the lookup, the result may be outdated.
    if (notifications === notificationsBefore) cache.set(key, found)
    watch(found.caller.applicationId)
    return found
  }
  const findLimited = async (credentials: Credentials, key: string, remoteAddress: string | undefined) => {
    if (!failedAttempts || remoteAddress === undefined || credentials.authorization === undefined)
      return find(credentials, key)
    if (!validBefore.has(key)) failedAttempts.check(remoteAddress)
    try {
      const found = await find(credentials, key)
      validBefore.set(key, true)
      return found
    } catch (error) {
      if (isClientError(error)) {
        validBefore.delete(key)
        failedAttempts.add(remoteAddress)
      }
      throw error
    }
  }
  return async (credentials, remoteAddress) => {
    const key = JSON.stringify([credentials.authorization, credentials.connectionToken])
    const cached = cache.get(key)
    const isCurrent = cached && !hasExpired(cached, clock)
    const { caller } = isCurrent ? cached : await findLimited(credentials, key, remoteAddress)
    if (caller.key !== null) noteUse(caller.key.id)
    return caller
  }
}

/** Caller of a request, and the time at which its key or session expires. */
interface FoundCaller {
  readonly caller: Caller
  readonly endsAt: Instant | null
}

const hasExpired = ({ endsAt }: FoundCaller, clock: Clock): boolean =>
  endsAt !== null && endsAt <= clock.now()

async function callerOf(
  { authorization, connectionToken }: Credentials,
  lookups: CallerLookups,
  tokens: Authentication['tokens'],
): Promise<FoundCaller> {
  const bearer = bearerIn(authorization)
  if (isSessionToken(bearer)) {
    if (connectionToken !== undefined) throw sessionWithConnectionToken()
    return callerOfSession(bearer, lookups, tokens)
  }
  const found = await lookups.secretKey(hashKey(secretKeyIn(bearer)))
  if (!found) throw unauthorized('The secret key is unknown.')
  const { applicationId, documentMode, rates, ...key } = found
  const callerOfKey = (connectionId: Id<'connection'> | null): Caller => ({
    ...keyHolder(applicationId, connectionId, key),
    documentMode,
    rates,
  })
  const endsAt = key.expiresAt
  if (connectionToken === undefined) return { caller: callerOfKey(null), endsAt }
  const connection = CONNECTION_TOKEN.test(connectionToken)
    ? await lookups.connectionOfToken(hashKey(connectionToken))
    : null
  if (connection?.applicationId !== applicationId) throw unknownConnection()
  return { caller: callerOfKey(connection.id), endsAt }
}

async function callerOfSession(
  token: string,
  lookups: CallerLookups,
  tokens: Authentication['tokens'],
): Promise<FoundCaller> {
  const claims = (await tokens?.open(token)) ?? 'unknown'
  if (claims === 'expired') throw sessionExpired()
  const stored = claims === 'unknown' ? null : await lookups.session?.(claims)
  if (claims === 'unknown' || !stored) throw unauthorized('The session is unknown or has been revoked.')
  const { connectionIds, documentMode, rates, ...session } = stored
  if (connectionIds?.length === 0) throw sessionWithoutConnections()
  const { applicationId } = claims
  const caller: Caller = { applicationId, connectionIds, key: null, session, documentMode, rates }
  return { caller, endsAt: session.expiresAt }
}

const isSessionToken = (text: string): boolean => text.startsWith(SESSION_TOKEN_PREFIX)

/** Error for an operation that needs a caller limited to one connection. */
export const missingConnection = () =>
  new PublicError('forbidden', 'This operation reads one connection.', {
    detail: 'Send the Connection-Token header with the token of the connection.',
  })

/** Error for a write by a session. */
export const readOnlySessionError = () =>
  new PublicError('forbidden', 'A session may only read.', {
    detail: 'Make the change from your server, with the secret key.',
  })

/** Returns the scopes of the key or the session of a caller. Null for an operator, who has neither and needs no scope. */
export const scopedAccessOf = ({ key, session }: Caller): { readonly scopes: KeyScopes } | null =>
  session === null ? key : { scopes: session.keyScopes }

/** Whether the caller is a session without a role: it reads within its session scopes. */
export const isReadOnly = ({ session }: Caller): boolean => session !== null && session.role === null

/** Throws unless the caller uses the secret key without a connection token, or a session with a role. */
export function requireSecretKey(caller: Caller, subject: string): void {
  const isSession = isReadOnly(caller)
  if (caller.connectionIds === null && !isSession) return
  throw new PublicError('forbidden', `${subject} require the secret key without a connection token.`, {
    detail: isSession ? 'A session cannot access them.' : 'Do not send the Connection-Token header.',
  })
}

/** Throws if a session without a role lacks the scope. `requireKeyScope` checks the scopes of keys and roles. */
export function requireSessionScope({ session }: Caller, scope: SessionScope): void {
  if (session === null || session.role !== null || session.scopes.includes(scope)) return
  throw new PublicError('forbidden', `The session has no scope ${scope}.`, {
    detail: `Its scopes are ${session.scopes.join(', ')}.`,
  })
}

/**
 * Throws if a key, a session with a role, or the key that created a session lacks the scope. An operator has no key
 * and needs no scope.
 */
export function requireKeyScope({ key, session }: Caller, scope: KeyScope): void {
  if (session !== null && !permits(session.keyScopes, scope))
    throw missingScope(
      scope,
      session.role === null ? 'The key that created the session' : `Your session as ${session.role}`,
    )
  if (key !== null && !permits(key.scopes, scope)) throw missingScope(scope)
}

/** Error of an API that accepts no sessions. */
export const sessionsNotSupported = () =>
  new PublicError('forbidden', 'Session tokens work only with GraphQL over HTTP, websockets and SSE.', {
    detail: 'Send the secret key, from your server.',
  })

const keyExpired = () => unauthorized('The secret key has expired.')

const sessionExpired = () => unauthorized('The session has expired. Request a new one from your server.')

const sessionWithConnectionToken = () =>
  new PublicError('forbidden', 'A session token cannot be combined with a connection token.', {
    detail: 'The session defines which connections it reads. Do not send the Connection-Token header.',
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
    throw unauthorized('This is a connection token. Send it in the Connection-Token header.')
  if (PUBLIC_TOKEN.test(key))
    throw unauthorized('This is a public token. Exchange it for a connection token.')
  if (PUBLISHABLE_KEY.test(key)) throw unauthorized('This is a publishable key. Send the secret key (sk_…).')
  if (!SECRET_KEY.test(key)) throw unauthorized('The secret key is malformed.')
  return key
}

const unauthorized = (detail: string) =>
  new PublicError('unauthorized', 'The request is not authenticated.', { detail })

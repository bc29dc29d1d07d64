import { LRUCache } from 'lru-cache'
import { PublicError } from '../errors.ts'
import type { Id } from '../ids.ts'
import { CONNECTION_TOKEN, hashOf, PUBLIC_TOKEN, PUBLISHABLE_KEY, SECRET_KEY } from './keys.ts'

/** Who asks: an application, across its connections or narrowed to one. Every read is bound to it. */
export interface Caller {
  readonly applicationId: Id<'application'>
  readonly connectionId: Id<'connection'> | null
}

/** Who asks without a key, where that is permitted: nothing belongs to nobody. */
export const nobody: Caller = { applicationId: '', connectionId: null }

/** By this a gateway tells its subgraphs that nobody asks; a key that was only left out is refused. */
export const NOBODY_HEADER = 'x-odograph-nobody'

/** What a request brings to show who it is. */
export interface Credentials {
  readonly authorization?: string | undefined
  readonly connectionToken?: string | undefined
}

/** Where keys and tokens are found, by their hashes. */
export interface CallerLookups {
  applicationOfKey(hash: string): Promise<Id<'application'> | null>
  connectionOfToken(hash: string): Promise<{ id: Id<'connection'>; applicationId: Id<'application'> } | null>
}

export type Authenticate = (credentials: Credentials) => Promise<Caller>

/** A key or token that is revoked is refused within this time. */
const CACHE_MS = 3000

/**
 * Tells who a request is from. No, malformed or unknown secret key: 401. A connection token that is malformed,
 * unknown or another application's: 403 (decision 6).
 */
export function authenticator(lookups: CallerLookups): Authenticate {
  const known = new LRUCache<string, Caller>({ max: 10_000, ttl: CACHE_MS })
  return async (credentials) => {
    const key = `${credentials.authorization}\n${credentials.connectionToken}`
    const before = known.get(key)
    if (before) return before
    const caller = await callerOf(credentials, lookups)
    known.set(key, caller)
    return caller
  }
}

async function callerOf(
  { authorization, connectionToken }: Credentials,
  lookups: CallerLookups,
): Promise<Caller> {
  const applicationId = await lookups.applicationOfKey(hashOf(secretKeyIn(authorization)))
  if (!applicationId) throw unauthorized('The secret key is not known.')
  if (connectionToken === undefined) return { applicationId, connectionId: null }
  const connection = CONNECTION_TOKEN.test(connectionToken)
    ? await lookups.connectionOfToken(hashOf(connectionToken))
    : null
  if (connection?.applicationId !== applicationId) throw unknownConnection()
  return { applicationId, connectionId: connection.id }
}

export const missingConnection = () =>
  new PublicError('forbidden', 'This operation reads one connection.', {
    detail: 'Send the Connection-Token header with the token of the connection.',
  })

const unknownConnection = () =>
  new PublicError('forbidden', 'The connection token is not valid.', {
    detail: 'Send the token of one of your connections in the Connection-Token header.',
  })

function secretKeyIn(authorization: string | undefined): string {
  if (authorization === undefined) throw unauthorized('Send `Authorization: Bearer <SECRET_KEY>`.')
  const key = /^bearer +(\S+)$/i.exec(authorization)?.[1]
  if (!key) throw unauthorized('The Authorization header must be `Bearer <SECRET_KEY>`.')
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

import type { Caller } from '../../../auth/caller.ts'
import type { SessionRole } from '../../../auth/session-roles.ts'
import { grantableScopes, type SessionScope } from '../../../auth/session-scopes.ts'
import { sessionTokens } from '../../../auth/session-tokens.ts'
import { PublicError, invalidMember } from '../../../domain/errors.ts'
import { type Id, newId } from '../../../domain/ids.ts'
import type { Transaction } from '../../../storage/database.ts'
import { placeholders } from '../../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { requireQuota } from '../../tables/application-quotas.ts'
import { type Actor, actorOf, recordAudit } from '../../tables/audit-log.ts'
import { toIso } from '../../../domain/time.ts'
import { ACTIVE_CONNECTION } from '../find-connection.ts'
import type { ConnectionCommandDeps } from '../command-deps.ts'
import { Session } from './session.ts'

export interface SessionInput {
  readonly connectionIds?: readonly string[] | null
  readonly scopes?: readonly SessionScope[] | null
  readonly expiresInSeconds?: number | null
}

export interface NewSession {
  /** Session token. It is returned only here and not stored. */
  readonly token: string
  readonly session: Session
}

const MAX_CONNECTIONS = 100
const DEFAULT_LIFETIME_SECONDS = 15 * 60
const MIN_LIFETIME_SECONDS = 60
/** Longest lifetime of a session. */
export const MAX_LIFETIME_SECONDS = 24 * 60 * 60

/**
 * Creates a session for the application of the caller. A browser uses the session token instead of the secret key.
 * Without a role, the session only reads.
 */
export async function createSession(
  deps: Pick<ConnectionCommandDeps, 'db' | 'secrets' | 'clock'>,
  caller: Caller,
  input: SessionInput,
  role: SessionRole | null = null,
): Promise<NewSession> {
  if (caller.session !== null) throw sessionCannotCreateAnother()
  const { applicationId } = caller
  const now = deps.clock.now()
  const session: Session = {
    id: newId('session', now),
    applicationId,
    name: null,
    role,
    connectionIds: await connectionsFor(deps, caller, input.connectionIds ?? null),
    scopes: scopesFor(caller, input.scopes ?? null),
    createdAt: now,
    expiresAt: now + validatedLifetime(input.expiresInSeconds ?? DEFAULT_LIFETIME_SECONDS) * 1000,
    revokedAt: null,
    keyId: caller.key?.id ?? null,
    signInCodeHash: null,
  }
  await deps.db.transaction((tx) => storeSession(tx, actorOf(caller), session))
  return withToken(deps, session)
}

/** The other session would go on after the end of the first. */
const sessionCannotCreateAnother = () =>
  new PublicError('forbidden', 'A session cannot create another.', {
    detail: 'Create it from your server, with the secret key.',
  })

/** Issues the token of a session. */
export async function withToken(
  { secrets, clock }: Pick<ConnectionCommandDeps, 'secrets' | 'clock'>,
  session: Session,
): Promise<NewSession> {
  const { id: sessionId, applicationId, expiresAt } = session
  const token = await sessionTokens(secrets, clock).issue(
    { sessionId, applicationId },
    clock.now(),
    expiresAt,
  )
  return { session, token }
}

/** Stores a new session with its audit entry. Throws if the application has too many. */
export async function storeSession(tx: Transaction, actor: Actor, session: Session): Promise<void> {
  const { id: targetId, applicationId, name, role, connectionIds, scopes, createdAt, expiresAt } = session
  await requireQuota(tx, applicationId, 'sessions', { sql: '`expiresAt` > ?', parameters: [createdAt] })
  await tx.insert(tableOf(Session), [session])
  const detail = {
    ...(name !== null && { name }),
    ...(role !== null && { role }),
    connectionIds,
    scopes,
    expiresAt: toIso(expiresAt),
  }
  await recordAudit(
    tx,
    { applicationId, actor, at: createdAt },
    { action: 'session.created', targetId, detail },
  )
}

/**
 * Returns the connections of a session; null for all. A caller that is restricted to some connections can grant only
 * these, which are also the default.
 */
async function connectionsFor(
  { db }: Pick<ConnectionCommandDeps, 'db'>,
  { applicationId, connectionIds: permitted }: Caller,
  requested: readonly string[] | null,
): Promise<Id<'connection'>[] | null> {
  const ids = [...new Set(requested ?? permitted ?? [])].sort()
  if (requested === null && permitted === null) return null
  if (ids.length === 0)
    throw invalidMember(
      'connectionIds',
      '`connectionIds` must contain at least one id. Omit the list for the default.',
    )
  if (ids.length > MAX_CONNECTIONS)
    throw invalidMember('connectionIds', `\`connectionIds\` may have ${MAX_CONNECTIONS} items at most.`)
  const found = await db.rows<{ id: string }>(
    `SELECT \`id\` FROM \`connections\` WHERE \`applicationId\` = ? AND ${ACTIVE_CONNECTION}
      AND \`id\` IN (${placeholders(ids.length)})`,
    [applicationId, ...ids],
  )
  const active = new Set(found.map(({ id }) => id))
  if (ids.every((id) => active.has(id) && (permitted?.includes(id) ?? true))) return ids
  throw new PublicError('not_found', 'There is no such connection, or it is archived or being deleted.')
}

function scopesFor({ key }: Caller, requested: readonly SessionScope[] | null): SessionScope[] {
  if (requested?.length === 0)
    throw invalidMember('scopes', '`scopes` must contain at least one scope. Omit the list for the default.')
  return grantableScopes(key?.scopes ?? null, requested)
}

function validatedLifetime(seconds: number): number {
  if (seconds >= MIN_LIFETIME_SECONDS && seconds <= MAX_LIFETIME_SECONDS) return seconds
  throw invalidMember(
    'expiresInSeconds',
    `\`expiresInSeconds\` must be from ${MIN_LIFETIME_SECONDS} to ${MAX_LIFETIME_SECONDS}: a minute to a day.`,
  )
}

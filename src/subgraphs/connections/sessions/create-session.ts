import { type Caller, readOnlySession } from '../../../auth/caller.ts'
import { grantableScopes, type SessionScope } from '../../../auth/session-scopes.ts'
import { sessionTokens } from '../../../auth/session-tokens.ts'
import { PublicError } from '../../../domain/errors.ts'
import { type Id, newId } from '../../../domain/ids.ts'
import { placeholders } from '../../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { auditedBy, recordAudit } from '../../tables/audit-log.ts'
import { invalidMember } from '../validate-input.ts'
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
  /** Shown this once: it is not stored. */
  readonly token: string
  readonly session: Session
}

const MAX_CONNECTIONS = 100
const DEFAULT_SECONDS = 15 * 60
const MIN_SECONDS = 60
const MAX_SECONDS = 24 * 60 * 60

/** Makes a session of a caller's application: what a browser gets in place of the secret key. */
export async function createSession(
  deps: ConnectionCommandDeps,
  caller: Caller,
  input: SessionInput,
): Promise<NewSession> {
  if (caller.session !== null) throw readOnlySession()
  const { applicationId } = caller
  const now = deps.clock.now()
  const session: Session = {
    id: newId('session', now),
    applicationId,
    connectionIds: await connectionsFor(deps, caller, input.connectionIds ?? null),
    scopes: scopesFor(caller, input.scopes ?? null),
    createdAt: now,
    expiresAt: now + secondsFor(input.expiresInSeconds ?? DEFAULT_SECONDS) * 1000,
    revokedAt: null,
    keyId: caller.key?.id ?? null,
  }
  await deps.db.transaction(async (tx) => {
    await tx.insert(tableOf(Session), [session])
    const { id: targetId, connectionIds, scopes, expiresAt } = session
    const detail = { connectionIds, scopes, expiresAt: toIso(expiresAt) }
    await recordAudit(tx, auditedBy(caller, now), { action: 'session.created', targetId, detail })
  })
  const tokens = sessionTokens(deps.secrets, deps.clock)
  const token = await tokens.issue({ sessionId: session.id, applicationId }, now, session.expiresAt)
  return { session, token }
}

/** A caller of one connection gives that one alone, whether it names it or not. */
async function connectionsFor(
  { db }: Pick<ConnectionCommandDeps, 'db'>,
  { applicationId, connectionIds: narrowed }: Caller,
  named: readonly string[] | null,
): Promise<Id<'connection'>[] | null> {
  const ids = [...new Set(named ?? narrowed ?? [])].sort()
  if (named === null && narrowed === null) return null
  if (ids.length === 0)
    throw invalidMember('connectionIds', 'Name a connection, or leave `connectionIds` out.')
  if (ids.length > MAX_CONNECTIONS)
    throw invalidMember('connectionIds', `\`connectionIds\` may have ${MAX_CONNECTIONS} items at most.`)
  const found = await db.rows<{ id: string }>(
    `SELECT \`id\` FROM \`connections\` WHERE \`applicationId\` = ? AND ${ACTIVE_CONNECTION}
      AND \`id\` IN (${placeholders(ids.length)})`,
    [applicationId, ...ids],
  )
  const within = new Set(found.map(({ id }) => id))
  if (ids.every((id) => within.has(id) && (narrowed?.includes(id) ?? true))) return ids
  throw new PublicError('not_found', 'There is no such connection, or it is archived.', {
    detail: 'A session is made for connections that are neither archived nor going.',
  })
}

function scopesFor({ key }: Caller, asked: readonly SessionScope[] | null): SessionScope[] {
  if (asked?.length === 0) throw invalidMember('scopes', 'Name a scope, or leave `scopes` out.')
  return grantableScopes(key?.scopes ?? null, asked)
}

function secondsFor(seconds: number): number {
  if (seconds >= MIN_SECONDS && seconds <= MAX_SECONDS) return seconds
  throw invalidMember(
    'expiresInSeconds',
    `\`expiresInSeconds\` must be from ${MIN_SECONDS} to ${MAX_SECONDS}: a minute to a day.`,
  )
}

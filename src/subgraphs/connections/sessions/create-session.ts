import { type Caller, readOnlySession } from '../../../auth/caller.ts'
import { scopesGivenBy, type SessionScope } from '../../../auth/session-scope.ts'
import { sessionTokens } from '../../../auth/session-tokens.ts'
import { PublicError } from '../../../errors.ts'
import { type Id, newId } from '../../../ids.ts'
import { placeholders } from '../../../storage/in-order.ts'
import { tableOf } from '../../../storage/table.ts'
import { by, remember } from '../../audit.ts'
import { refused } from '../check-input.ts'
import { toIso } from '../../../time.ts'
import { LIVE_CONNECTION } from '../meant-connection.ts'
import type { ConnectionWritesFrom } from '../writes-from.ts'
import { Session } from './session.ts'

export interface SessionWish {
  readonly connectionIds?: readonly string[] | null
  readonly scopes?: readonly SessionScope[] | null
  readonly expiresInSeconds?: number | null
}

export interface NewSession {
  /** Shown this once: it is not stored. */
  readonly token: string
  readonly session: Session
}

const MOST_CONNECTIONS = 100
const PRESET_SECONDS = 15 * 60
const LEAST_SECONDS = 60
const MOST_SECONDS = 24 * 60 * 60

/** Makes a session of a caller's application: what a browser gets in place of the secret key. */
export async function createSession(
  from: ConnectionWritesFrom,
  caller: Caller,
  wish: SessionWish,
): Promise<NewSession> {
  if (caller.session !== null) throw readOnlySession()
  const { applicationId } = caller
  const now = from.clock.now()
  const session: Session = {
    id: newId('session', now),
    applicationId,
    connectionIds: await connectionsFor(from, caller, wish.connectionIds ?? null),
    scopes: scopesFor(caller, wish.scopes ?? null),
    createdAt: now,
    expiresAt: now + secondsFor(wish.expiresInSeconds ?? PRESET_SECONDS) * 1000,
    revokedAt: null,
    keyId: caller.key?.id ?? null,
  }
  await from.db.transaction(async (tx) => {
    await tx.insert(tableOf(Session), [session])
    const { id: targetId, connectionIds, scopes, expiresAt } = session
    const detail = { connectionIds, scopes, expiresAt: toIso(expiresAt) }
    await remember(tx, by(caller, now), { action: 'session.created', targetId, detail })
  })
  const tokens = sessionTokens(from.secrets, from.clock)
  const token = await tokens.issue({ sessionId: session.id, applicationId }, now, session.expiresAt)
  return { session, token }
}

/** A caller of one connection gives that one alone, whether it names it or not. */
async function connectionsFor(
  { db }: Pick<ConnectionWritesFrom, 'db'>,
  { applicationId, connectionIds: narrowed }: Caller,
  named: readonly string[] | null,
): Promise<Id<'connection'>[] | null> {
  const ids = [...new Set(named ?? narrowed ?? [])].sort()
  if (named === null && narrowed === null) return null
  if (ids.length === 0) throw refused('connectionIds', 'Name a connection, or leave `connectionIds` out.')
  if (ids.length > MOST_CONNECTIONS)
    throw refused('connectionIds', `\`connectionIds\` may have ${MOST_CONNECTIONS} items at most.`)
  const found = await db.rows<{ id: string }>(
    `SELECT \`id\` FROM \`connections\` WHERE \`applicationId\` = ? AND ${LIVE_CONNECTION}
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
  if (asked?.length === 0) throw refused('scopes', 'Name a scope, or leave `scopes` out.')
  return scopesGivenBy(key?.scopes ?? null, asked)
}

function secondsFor(seconds: number): number {
  if (seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS) return seconds
  throw refused(
    'expiresInSeconds',
    `\`expiresInSeconds\` must be from ${LEAST_SECONDS} to ${MOST_SECONDS}: a minute to a day.`,
  )
}

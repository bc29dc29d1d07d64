import { setTimeout as wait } from 'node:timers/promises'
import { encodeTime, monotonicFactory } from 'ulid'
import type { Instant } from '../../domain/time.ts'
import type { Database } from '../database.ts'
import { type TimeLimit, pauseMs, outcomeUnknown } from '../timeouts.ts'
import { isDuplicateKey } from '../duplicate-key.ts'
import { classifyError } from './error-classifier.ts'
import type { Server } from './server.ts'

/**
 * If a connection is lost during COMMIT, it is unknown whether the transaction committed. A committed transaction must
 * not run again, because its events would be appended twice. The last statement of a writing transaction therefore
 * inserts a marker. After a lost connection, a void marker with the same id is inserted. If it is refused as a
 * duplicate, the transaction committed. If it is accepted, the transaction can never commit, on any node of a cluster:
 * its own marker would be the duplicate.
 */

const ulid = monotonicFactory()

export const newCommitMarker = (): string => ulid()

export const INSERT_MARKER = 'INSERT INTO `commits` (`id`, `committed`) VALUES (?, 1)'

export const INSERT_VOID_MARKER = 'INSERT INTO `commits` (`id`, `committed`) VALUES (?, 0)'

/** Returns whether the transaction with a marker committed. If it did not, it never will. */
export async function hasCommitted(server: Server, marker: string, limit: TimeLimit): Promise<boolean> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await insertVoidOrFind(server, marker, limit.statementMs)
    } catch (error) {
      if (!limit.mayRetry || classifyError(error) === null) throw outcomeUnknown(error)
      await wait(pauseMs(attempt, { firstMs: 20, maxMs: 500 }))
    }
  }
}

async function insertVoidOrFind(server: Server, marker: string, ms: number): Promise<boolean> {
  try {
    await server.rows(INSERT_VOID_MARKER, [marker], ms)
    return false
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    // The existing marker may be the void marker of an earlier attempt.
    const [found] = await server.rows<{ committed: number }>(
      'SELECT `committed` FROM `commits` WHERE `id` = ?',
      [marker],
      ms,
    )
    return Number(found?.committed) === 1
  }
}

const MAX_AGE_MS = 3_600_000
const PURGE_BATCH_SIZE = 10_000

/** Deletes markers of finished transactions. */
export async function purgeCommitMarkers(db: Database, now: Instant): Promise<void> {
  if (db.dialect === 'sqlite') return
  const oldestKept = encodeTime(now - MAX_AGE_MS)
  await db.transaction(
    (tx) => tx.run(`DELETE FROM \`commits\` WHERE \`id\` < ? LIMIT ${PURGE_BATCH_SIZE}`, [oldestKept]),
    'idempotent',
  )
}

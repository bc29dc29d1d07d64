import { setTimeout as wait } from 'node:timers/promises'
import { encodeTime, monotonicFactory } from 'ulid'
import type { Instant } from '../../domain/time.ts'
import type { Database } from '../database.ts'
import { type TimeLimit, pauseMs, outcomeUnknown } from '../timeouts.ts'
import { classifyError, isDuplicateKey } from './error-classifier.ts'
import type { Server } from './server.ts'

/**
 * A connection that is lost while its COMMIT is under way leaves open whether the transaction committed, and one that
 * did must not run again: it would announce its changes twice. So a transaction that wrote leaves a mark as its last
 * statement, and whoever doubts puts a mark of the same id. If that is refused, the transaction committed; if it is
 * taken, the transaction never can, on no node of a cluster either: its own would be the second.
 */

const ulid = monotonicFactory()

export const newCommitMarker = (): string => ulid()

export const INSERT_MARKER = 'INSERT INTO `commits` (`id`, `committed`) VALUES (?, 1)'

const VOID_MARKER = 'INSERT INTO `commits` (`id`, `committed`) VALUES (?, 0)'

/** Whether the transaction with a mark committed. If it did not, it never will. */
export async function hasCommitted(server: Server, mark: string, limit: TimeLimit): Promise<boolean> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await voidOrFind(server, mark, limit.statementMs)
    } catch (error) {
      if (!limit.mayRetry || classifyError(error) === null) throw outcomeUnknown(error)
      await wait(pauseMs(attempt, 20, 500))
    }
  }
}

async function voidOrFind(server: Server, mark: string, ms: number): Promise<boolean> {
  try {
    await server.rows(VOID_MARKER, [mark], ms)
    return false
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    // It may be the doubter's own, of a try before.
    const [found] = await server.rows<{ committed: number }>(
      'SELECT `committed` FROM `commits` WHERE `id` = ?',
      [mark],
      ms,
    )
    return Number(found?.committed) === 1
  }
}

const KEPT_MS = 3_600_000
const FORGOTTEN_AT_ONCE = 10_000

/** Marks that nobody can be in doubt of any more. */
export async function purgeCommitMarkers(db: Database, now: Instant): Promise<void> {
  if (db.dialect === 'sqlite') return
  const oldestKept = encodeTime(now - KEPT_MS)
  await db.transaction(
    (tx) => tx.run(`DELETE FROM \`commits\` WHERE \`id\` < ? LIMIT ${FORGOTTEN_AT_ONCE}`, [oldestKept]),
    'repeatable',
  )
}

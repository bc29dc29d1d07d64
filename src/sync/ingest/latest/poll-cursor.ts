import type { LatestModel } from '../../../domain/record-models.ts'
import type { ReaderState } from '../../../providers/provider.ts'
import type { Rows, Transaction } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import type { Connection } from '../../../subgraphs/connections/connection.ts'
import { isShareable, LatestRead } from '../../../subgraphs/tables/latest-read.ts'
import type { Instant } from '../../../domain/time.ts'

/** Cursors of polls: a poll that stopped early is resumed at its next page. */

/** Start of a poll and the position of its next page. */
export interface PollProgress {
  readonly begunAt: Instant
  readonly state: ReaderState
}

/** Connection and model of a poll. */
interface PollTarget {
  readonly connection: Connection
  readonly model: LatestModel
  /** Time for which the states count as current, in ms; 0 if the poll is not a scheduled one. */
  readonly validForMs: number
}

/** Maximum age of an unfinished poll to resume. The first pages of an older one are no longer current. */
const MAX_UNFINISHED_MS = 10 * 60_000

interface StoredCursor {
  /** Whether another poll has completed so recently that callers share its result. */
  readonly isFresh: boolean
  /** Unfinished poll to resume. Null if there is none or it is too old. */
  readonly unfinished: PollProgress | null
}

/** Loads the cursor that earlier polls have stored. */
export async function loadPollCursor(db: Rows, target: PollTarget, now: Instant): Promise<StoredCursor> {
  const { readAt = 0, begunAt = null, state = null } = (await latestReadRow(db, target)) ?? {}
  const isResumable = begunAt !== null && now - begunAt < MAX_UNFINISHED_MS
  return { isFresh: isShareable(readAt, now), unfinished: isResumable ? { begunAt, state } : null }
}

/**
 * Saves the position of a poll. A completed poll is valid for `validForMs` plus twice its duration, because the next
 * one may be as slow. With a `validForMs` of 0 it has no validity, because no scheduled poll follows it.
 */
export async function savePollCursor(
  tx: Transaction,
  target: PollTarget,
  { begunAt, state }: PollProgress,
  now: Instant,
): Promise<void> {
  const { connection, model, validForMs } = target
  const validityMs = validForMs > 0 ? validForMs + 2 * (now - begunAt) : 0
  const completed = { readAt: now, standsUntil: now + validityMs, begunAt: null, state }
  const { readAt = 0, standsUntil = 0 } = (state && (await latestReadRow(tx, target))) ?? {}
  const key = { connectionId: connection.id, model, applicationId: connection.applicationId }
  await tx.upsert(table, [{ ...key, ...(state ? { readAt, standsUntil, begunAt, state } : completed) }])
}

const table = tableOf(LatestRead)

async function latestReadRow(db: Rows, { connection, model }: PollTarget): Promise<LatestRead | null> {
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`latest_reads\` WHERE \`connectionId\` = ? AND \`model\` = ? AND \`applicationId\` = ?`,
    [connection.id, model, connection.applicationId],
  )
  return row ? table.toRow(row) : null
}

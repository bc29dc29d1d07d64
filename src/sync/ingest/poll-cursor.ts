import type { LatestModel } from '../../domain/record-models.ts'
import type { ReaderState } from '../../providers/provider.ts'
import type { Rows, Transaction } from '../../storage/database.ts'
import { tableOf } from '../../storage/sql/table.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { isShareable, LatestRead } from '../../subgraphs/tables/latest-read.ts'
import type { Instant } from '../../domain/time.ts'

/** How far what is only of now has been read. */

/** A reading of one time, and where it goes on. */
export interface PollProgress {
  readonly begunAt: Instant
  readonly state: ReaderState
}

/** Whose reading it is, and of what. */
interface PollTarget {
  readonly connection: Connection
  readonly model: LatestModel
  /** For how long it stands for what is now, where the connection is polled. */
  readonly standsForMs: number
}

/** What was read longer ago is no longer of now. */
const MAX_READING_MS = 10 * 60_000

interface StoredCursor {
  /** Whether another reading has just come to its end. */
  readonly isFresh: boolean
  /** The reading that was left before its end; null where there is none, or it was too long ago. */
  readonly left: PollProgress | null
}

/** Where the readings before this one have come to. */
export async function loadPollCursor(db: Rows, whose: PollTarget, now: Instant): Promise<StoredCursor> {
  const { readAt = 0, begunAt = null, state = null } = (await latestReadRow(db, whose)) ?? {}
  const isLeft = begunAt !== null && now - begunAt < MAX_READING_MS
  return { isFresh: isShareable(readAt, now), left: isLeft ? { begunAt, state } : null }
}

/** A poll that took its time is made again in as much time: until then it stands. Nobody polls after a caller. */
export async function savePollCursor(
  tx: Transaction,
  whose: PollTarget,
  { begunAt, state }: PollProgress,
  now: Instant,
): Promise<void> {
  const { connection, model, standsForMs } = whose
  const forMs = standsForMs > 0 ? standsForMs + 2 * (now - begunAt) : 0
  const ended = { readAt: now, standsUntil: now + forMs, begunAt: null, state }
  const { readAt = 0, standsUntil = 0 } = (state && (await latestReadRow(tx, whose))) ?? {}
  const key = { connectionId: connection.id, model, applicationId: connection.applicationId }
  await tx.upsert(table, [{ ...key, ...(state ? { readAt, standsUntil, begunAt, state } : ended) }])
}

const table = tableOf(LatestRead)

async function latestReadRow(db: Rows, { connection, model }: PollTarget): Promise<LatestRead | null> {
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`latest_reads\` WHERE \`connectionId\` = ? AND \`model\` = ? AND \`applicationId\` = ?`,
    [connection.id, model, connection.applicationId],
  )
  return row ? table.toRow(row) : null
}

import { Entity, PrimaryGeneratedColumn } from 'typeorm'
import { type Id, newId } from '../ids.ts'
import type { Instant } from '../time.ts'
import { IdColumn, Indexes, InstantColumn, JsonColumn, Unique } from './columns.ts'
import type { Rows, Transaction } from './database.ts'
import { tableOf } from './table.ts'

/** Rung after a transaction that announced something. */
export const OUTBOX_TOPIC = 'outbox'

/** An entry of the log. It is written in the transaction of what it tells of, and gets its position afterwards. */
@Entity('events')
@Unique('id')
@Unique('applicationId', 'position')
@Indexes(['position', 'sequence'], ['connectionId', 'position'])
export class LogEntry {
  /** The order in which entries were written; the database counts. */
  @PrimaryGeneratedColumn({ type: 'integer' })
  sequence?: number

  @IdColumn()
  id: Id<'event'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  @IdColumn()
  type: string

  @InstantColumn()
  occurredAt: Instant

  /** The record it tells of, where `node` finds it. */
  @IdColumn({ nullable: true })
  subjectId: string | null

  @JsonColumn()
  detail: Readonly<Record<string, unknown>>

  /** Its place in its application's log; null until the dispatcher has given it. */
  @InstantColumn({ nullable: true })
  position: number | null
}

export interface Announcement {
  readonly type: string
  readonly subjectId: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

interface Origin {
  readonly applicationId: Id<'application'>
  readonly connectionId: Id<'connection'>
  readonly at: Instant
}

/** Tells of changes in the transaction that makes them: they commit together or not at all. */
export function announce(
  tx: Transaction,
  { applicationId, connectionId, at }: Origin,
  announcements: readonly Announcement[],
): Promise<void> {
  const entries = announcements.map((announcement) => ({
    ...announcement,
    id: newId('event', at),
    applicationId,
    connectionId,
    occurredAt: at,
    position: null,
  }))
  return tx.insert(tableOf(LogEntry), entries)
}

/** Without the members that are not known: what events tell has no nulls. */
export const present = (detail: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== null && value !== undefined))

/** The newest position of an application's log; 0 while there is none. */
export async function headOfLog(db: Rows, applicationId: string): Promise<number> {
  const [head] = await db.rows<{ position: number }>(
    'SELECT `position` FROM `log_heads` WHERE `applicationId` = ?',
    [applicationId],
  )
  return Number(head?.position ?? 0)
}

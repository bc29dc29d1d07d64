import { Entity, PrimaryGeneratedColumn } from 'typeorm'
import { type Id, newId } from '../domain/ids.ts'
import type { Instant } from '../domain/time.ts'
import { IdColumn, Indexes, InstantColumn, JsonColumn, Unique } from './sql/columns.ts'
import type { Rows, Transaction } from './database.ts'
import { tableOf } from './sql/table.ts'

/** Rung after a transaction that announced something. */
export const OUTBOX_TOPIC = 'outbox'

/** An entry of the log. It is written in the transaction of what it tells of, and gets its position afterwards. */
@Entity('events')
@Unique('id')
@Unique('applicationId', 'position')
@Indexes(['position', 'sequence'], ['connectionId', 'position'])
export class EventRow {
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

export interface NewEvent {
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
export function appendEvents(
  tx: Transaction,
  { applicationId, connectionId, at }: Origin,
  events: readonly NewEvent[],
): Promise<void> {
  const entries = events.map((event) => ({
    ...event,
    id: newId('event', at),
    applicationId,
    connectionId,
    occurredAt: at,
    position: null,
  }))
  return tx.insert(tableOf(EventRow), entries)
}

/** Without the members that are not known: what events tell has no nulls. */
export const withoutNulls = (detail: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== null && value !== undefined))

/** The newest position of an application's log; 0 while there is none. */
export async function latestPosition(db: Rows, applicationId: string): Promise<number> {
  const [head] = await db.rows<{ position: number }>(
    'SELECT `position` FROM `log_heads` WHERE `applicationId` = ?',
    [applicationId],
  )
  return Number(head?.position ?? 0)
}

import { Entity, PrimaryGeneratedColumn } from 'typeorm'
import { type Id, newId } from '../domain/ids.ts'
import type { Instant } from '../domain/time.ts'
import { IdColumn, Indexes, InstantColumn, JsonColumn, PositionColumn, Unique } from './sql/columns.ts'
import type { Rows, Transaction } from './database.ts'
import { tableOf } from './sql/table.ts'

/** Topic of the notification that a transaction has appended events. */
export const OUTBOX_TOPIC = 'outbox'

/** Row of the event log. The transaction of the change inserts it; the event sequencer assigns its position later. */
@Entity('events')
@Unique('id')
@Unique('applicationId', 'position')
@Indexes(['position', 'sequence'], ['connectionId', 'position'])
export class EventRow {
  /** Auto-increment number: the order of insertion. */
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

  /** Id of the changed record, if the GraphQL field `node` can load it. */
  @IdColumn({ nullable: true })
  subjectId: string | null

  @JsonColumn()
  detail: Readonly<Record<string, unknown>>

  /** Position in the log of the application; null until the event sequencer assigns it. */
  @PositionColumn({ nullable: true })
  position: number | null
}

export interface NewEvent {
  readonly type: string
  readonly subjectId: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

interface EventOrigin {
  readonly applicationId: Id<'application'>
  readonly connectionId: Id<'connection'>
  readonly at: Instant
}

/** Appends events in the transaction of their changes: both commit together or not at all. */
export function appendEvents(
  tx: Transaction,
  { applicationId, connectionId, at }: EventOrigin,
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

/** Removes members that are null or undefined: event details omit them. */
export const withoutNulls = (detail: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== null && value !== undefined))

/** Returns the latest position in the log of an application; 0 while the log is empty. */
export async function latestPosition(db: Rows, applicationId: string): Promise<number> {
  const [head] = await db.rows<{ position: number }>(
    'SELECT `position` FROM `log_heads` WHERE `applicationId` = ?',
    [applicationId],
  )
  return Number(head?.position ?? 0)
}

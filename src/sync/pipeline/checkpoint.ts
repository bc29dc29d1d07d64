import { Entity } from 'typeorm'
import type { Id } from '../../domain/ids.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { ReaderState, TimeWindow } from '../../providers/provider.ts'
import { IdColumn, JsonColumn, KeyColumn, NumberColumn } from '../../storage/sql/columns.ts'
import type { Rows, Transaction } from '../../storage/database.ts'
import { tableOf } from '../../storage/sql/table.ts'
import type { Instant } from '../../domain/time.ts'
import type { SyncRun } from '../sync-run.ts'

/** When syncs last looked how many milliseconds back. */
export type Lookback = Readonly<Record<number, Instant>>

interface Progress {
  readonly reader: ReaderState
  readonly window: TimeWindow
  readonly lookedBack?: Lookback
}

/** How far a connection's reading of one model is. It commits with the page that it follows. */
@Entity('checkpoints')
export class Checkpoint {
  @KeyColumn()
  connectionId: Id<'connection'>

  @KeyColumn()
  model: SyncedModel

  /** The sync that read so far. */
  @IdColumn()
  syncId: Id<'sync'>

  @JsonColumn({ nullable: true })
  state: Progress

  /** 1 when that sync has read the model to its end. */
  @NumberColumn()
  done: number
}

const table = tableOf(Checkpoint)

export async function checkpointsOf(
  db: Rows,
  connectionId: Id<'connection'>,
): Promise<Map<SyncedModel, Checkpoint>> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected} FROM \`checkpoints\` WHERE \`connectionId\` = ?`,
    [connectionId],
  )
  return new Map(rows.map((row) => table.toRow(row)).map((checkpoint) => [checkpoint.model, checkpoint]))
}

export const saveCheckpoints = (tx: Transaction, checkpoints: readonly Checkpoint[]): Promise<void> =>
  tx.upsert(table, checkpoints)

/** The place after what a sync has read of a model. */
export const checkpointOf = (
  { connection, sync }: SyncRun,
  model: SyncedModel,
  reader: ReaderState,
  { window, lookedBack }: ReadWindow,
  done: boolean,
): Checkpoint => ({
  connectionId: connection.id,
  model,
  syncId: sync.id,
  state: { reader, window, lookedBack },
  done: done ? 1 : 0,
})
/** What a sync reads of a model, and with it how far back it looks. */
export interface ReadWindow {
  readonly window: TimeWindow
  /** When syncs last looked so far back, by the depth in milliseconds. */
  readonly lookedBack: Lookback
}

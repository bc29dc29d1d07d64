import { Entity } from 'typeorm'
import type { Id } from '../../domain/ids.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { ReaderState, TimeWindow } from '../../providers/provider.ts'
import { IdColumn, JsonColumn, KeyColumn, NumberColumn } from '../../storage/sql/columns.ts'
import type { Rows, Transaction } from '../../storage/database.ts'
import { tableOf } from '../../storage/sql/table.ts'
import type { Instant } from '../../domain/time.ts'
import type { SyncRun } from '../sync-run.ts'

/** Time of the last sync that looked back this far, by lookback depth in ms. */
export type Lookback = Readonly<Record<number, Instant>>

interface CheckpointState {
  readonly reader: ReaderState
  readonly window: TimeWindow
  readonly lookedBack?: Lookback
}

/** Read position of one model of a connection. It commits together with the page that it follows. */
@Entity('checkpoints')
export class Checkpoint {
  @KeyColumn()
  connectionId: Id<'connection'>

  @KeyColumn()
  model: SyncedModel

  /** Sync that stored this position. */
  @IdColumn()
  syncId: Id<'sync'>

  @JsonColumn({ nullable: true })
  state: CheckpointState

  /** 1 if that sync has read the model completely, otherwise 0. */
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

/** Returns the checkpoint after the last page that a sync has read of a model. */
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
/** Window that a sync reads of a model. */
export interface ReadWindow {
  readonly window: TimeWindow
  /** Lookback times that the checkpoint stores with this read. */
  readonly lookedBack: Lookback
}

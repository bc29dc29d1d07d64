import { Entity } from 'typeorm'
import type { Id } from '../../domain/ids.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import type { ReaderState, TimeWindow } from '../../providers/provider.ts'
import { IdColumn, JsonColumn, KeyColumn, NumberColumn } from '../../storage/sql/columns.ts'
import type { Rows, Transaction } from '../../storage/database.ts'
import { tableOf } from '../../storage/sql/table.ts'
import type { Instant } from '../../domain/time.ts'
import type { SyncRun } from '../sync-run.ts'

/** For each lookback depth in ms: time of the last sync that looked back so far. */
export type Lookback = Readonly<Record<number, Instant>>

interface CheckpointState {
  readonly reader: ReaderState
  readonly window: TimeWindow
  readonly lookedBack?: Lookback
  readonly hasRestarted?: boolean
  readonly isHistory?: boolean
  readonly isReread?: boolean
}

/** Read position of one model of a connection, after a page. It commits together with this page. */
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

  /** 1 if the sync `syncId` has read the model completely, otherwise 0. */
  @NumberColumn()
  done: number
}

const table = tableOf(Checkpoint)

export interface StoredCheckpoint extends Checkpoint {
  /** Whether the removal of records of the model is held. */
  readonly isHeld: boolean
}

export async function checkpointsOf(
  db: Rows,
  connectionId: Id<'connection'>,
): Promise<Map<SyncedModel, StoredCheckpoint>> {
  const rows = await db.rows<Record<string, unknown>>(
    `SELECT ${table.selected}, EXISTS (SELECT 1 FROM \`held_removals\` AS h
        WHERE h.\`connectionId\` = \`checkpoints\`.\`connectionId\` AND h.\`model\` = \`checkpoints\`.\`model\`) AS isHeld
      FROM \`checkpoints\` WHERE \`connectionId\` = ?`,
    [connectionId],
  )
  return new Map(
    rows.map((row) => {
      const checkpoint = { ...table.toRow(row), isHeld: Number(row['isHeld']) === 1 }
      return [checkpoint.model, checkpoint]
    }),
  )
}

export const saveCheckpoints = (tx: Transaction, checkpoints: readonly Checkpoint[]): Promise<void> =>
  tx.upsert(table, checkpoints)

/** Returns the checkpoint after the last page that a sync has read of a model. */
export const checkpointOf = (
  { connection, sync }: SyncRun,
  model: SyncedModel,
  reader: ReaderState,
  readWindow: ReadWindow,
  done: boolean,
): Checkpoint => ({
  connectionId: connection.id,
  model,
  syncId: sync.id,
  state: { ...readWindow, reader },
  done: done ? 1 : 0,
})

/** Time window of a model that a sync reads. */
export interface ReadWindow {
  readonly window: TimeWindow
  /** Lookback times after this read, for the checkpoint. */
  readonly lookedBack: Lookback
  /** Whether the sync has started the read again, because the provider refused the position. */
  readonly hasRestarted?: boolean
  /**
   * Whether the model is read from the start of its history, for the first time or again. The provider may no longer
   * have the oldest records of a vehicle or driver, so missing ones before its first record do not count as removed.
   */
  readonly isHistory?: boolean
  /** Whether a feed is read again from the start of the window, instead of from its position. */
  readonly isReread?: boolean
}

import { Entity } from 'typeorm'
import type { Id } from '../../domain/ids.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import { IdColumn, Indexes, InstantColumn, JsonColumn, KeyColumn } from '../../storage/sql/columns.ts'

/** Row of a record that the mapping could not read. A fixed mapping can read it later. No API returns it. */
@Entity('left_out_records')
@Indexes(['extractedAt'])
export class QuarantinedRecord {
  @KeyColumn()
  connectionId: Id<'connection'>

  @KeyColumn()
  model: SyncedModel

  /** Hash of the record, as its key: an unreadable record has no known id. */
  @KeyColumn()
  hash: string

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  provider: string

  @IdColumn()
  schemaName: string

  /** Time at which the provider last sent the record. */
  @InstantColumn()
  extractedAt: number

  /** Last sync that received the record. */
  @IdColumn()
  seenIn: Id<'sync'>

  @JsonColumn()
  data: unknown
}

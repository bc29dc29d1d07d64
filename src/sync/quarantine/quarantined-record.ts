import { Entity } from 'typeorm'
import type { Id } from '../../domain/ids.ts'
import type { SyncedModel } from '../../domain/record-models.ts'
import { IdColumn, Indexes, InstantColumn, JsonColumn, KeyColumn } from '../../storage/sql/columns.ts'

/**
 * What a provider sent and the mapping of its time could not read. It is kept to be read again once the mapping is
 * mended, and is told to nobody.
 */
@Entity('left_out_records')
@Indexes(['extractedAt'])
export class QuarantinedRecord {
  @KeyColumn()
  connectionId: Id<'connection'>

  @KeyColumn()
  model: SyncedModel

  /** Of what was sent: it has no id that could be read. */
  @KeyColumn()
  hash: string

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  provider: string

  @IdColumn()
  schemaName: string

  /** When it was sent last. */
  @InstantColumn()
  extractedAt: number

  /** The last sync that met it. */
  @IdColumn()
  seenIn: Id<'sync'>

  @JsonColumn()
  data: unknown
}

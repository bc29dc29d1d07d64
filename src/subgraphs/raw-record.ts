import { Entity } from 'typeorm'
import { IdColumn, InstantColumn, JsonColumn, KeyColumn } from '../storage/columns.ts'

/** What a provider sent for one record, in a table of its own so that reads without `raw` do not carry it. */
@Entity('raw_records')
export class RawRecord {
  @KeyColumn()
  ownerId: string

  @IdColumn()
  applicationId: string

  @IdColumn()
  connectionId: string

  @IdColumn()
  provider: string

  @IdColumn()
  schemaName: string

  @InstantColumn()
  extractedAt: number

  @JsonColumn()
  data: unknown
}

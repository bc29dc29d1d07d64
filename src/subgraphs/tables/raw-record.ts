import { Entity } from 'typeorm'
import {
  IdColumn,
  InstantColumn,
  InstantKeyColumn,
  JsonColumn,
  KeyColumn,
} from '../../storage/sql/columns.ts'

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

/** The owner of what a provider last sent of a state that is only of now, such as where a vehicle is. */
export const latestOf = (id: string): string => `latest_${id}`

/** What a provider sent for one point of a series. */
@Entity('raw_points')
export class RawPoint {
  @KeyColumn()
  ownerId: string

  @InstantKeyColumn()
  at: number

  /** `location`, or the type of a measurement. */
  @KeyColumn()
  series: string

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

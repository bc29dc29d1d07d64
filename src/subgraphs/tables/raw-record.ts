import { Entity } from 'typeorm'
import {
  IdColumn,
  InstantColumn,
  InstantKeyColumn,
  JsonColumn,
  KeyColumn,
} from '../../storage/sql/columns.ts'

/** Raw data of one record. It has its own table, so that reads without `raw` do not load it. */
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

/** Returns the owner id of the raw data of a latest state, such as the latest location of a vehicle. */
export const latestRawOwnerId = (id: string): string => `latest_${id}`

/** Raw data of one point of a time series. */
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

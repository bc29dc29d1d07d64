import { Entity } from 'typeorm'
import { IdColumn, Indexes, NumberColumn } from '../../../storage/sql/columns.ts'
import { ProviderRecord } from '../../tables/provider-record.ts'

/** What a vehicle did on one day. Callers see the sums of days. */
@Entity('vehicle_days')
@Indexes(['connectionId', 'vehicleId', 'date'], ['applicationId', 'vehicleId', 'date'])
export class DailyUtilization extends ProviderRecord {
  @IdColumn()
  vehicleId: string

  /** YYYY-MM-DD in the fleet's time zone. */
  @IdColumn()
  date: string

  /** Kilometers. */
  @NumberColumn()
  distance: number

  /** Liters. */
  @NumberColumn({ nullable: true })
  fuelConsumed: number | null

  /** Milliseconds. */
  @NumberColumn({ nullable: true })
  driving: number | null

  /** Milliseconds. */
  @NumberColumn({ nullable: true })
  idling: number | null
}

import { Entity } from 'typeorm'
import { IdColumn, Indexes, NumberColumn } from '../../../storage/sql/columns.ts'
import { ProviderRecord } from '../../tables/provider-record.ts'

/** Row of a vehicle's utilization on one day. Callers only get sums of these rows. */
@Entity('vehicle_days')
@Indexes(['connectionId', 'vehicleId', 'date'], ['applicationId', 'vehicleId', 'date'])
export class DailyUtilization extends ProviderRecord {
  @IdColumn()
  vehicleId: string

  /** YYYY-MM-DD in the fleet's time zone. */
  @IdColumn()
  date: string

  /** In kilometers. */
  @NumberColumn({ nullable: true })
  distance: number | null

  /** In liters. */
  @NumberColumn({ nullable: true })
  fuelConsumed: number | null

  /** In milliseconds. */
  @NumberColumn({ nullable: true })
  driving: number | null

  /** In milliseconds. */
  @NumberColumn({ nullable: true })
  idling: number | null
}

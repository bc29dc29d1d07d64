import { CacheIdField } from '../../schema/graph-only-fields.ts'
import { Field, Float, ObjectType } from 'type-graphql'
import { tableOf, tableOfExpressions } from '../../../storage/sql/table.ts'
import { Computed } from '../../schema/build-subgraph.ts'
import { DateTime } from '../../schema/scalars.ts'
import { entityRef } from '../../schema/entity-references.ts'
import { RawData } from '../../schema/value-types.ts'
import { RecordsVehicleExtension } from '../entity-extensions.ts'
import { DailyUtilization } from './daily-utilization.ts'

@ObjectType({ simpleResolvers: true, description: 'Engine times of a vehicle.' })
export class UtilizationDurations {
  @Field(() => Float, { nullable: true, description: 'Driving time in whole milliseconds.' })
  driving: number | null

  @Field(() => Float, { nullable: true, description: 'Idling time in whole milliseconds.' })
  idling: number | null
}

/** Row with the sums over a vehicle's days. */
export interface UtilizationSum {
  readonly vehicleId: string
  readonly provider: string
  readonly firstDate: string
  readonly lastDate: string
  readonly distance: number
  readonly fuelConsumed: number | null
  readonly driving: number | null
  readonly idling: number | null
}

export const utilizationSums = tableOfExpressions<UtilizationSum>(tableOf(DailyUtilization), {
  vehicleId: '`vehicleId`',
  provider: 'MIN(`provider`)',
  firstDate: 'MIN(`date`)',
  lastDate: 'MAX(`date`)',
  distance: 'SUM(`distance`)',
  fuelConsumed: 'SUM(`fuelConsumed`)',
  driving: 'SUM(`driving`)',
  idling: 'SUM(`idling`)',
})

@ObjectType('VehicleUtilization', {
  simpleResolvers: true,
  description:
    'The utilization of a vehicle over a range of days. A vehicle without any known distance is left out.',
})
export class VehicleUtilization implements UtilizationSum {
  @CacheIdField(
    'vehicle and range of days',
    ({ vehicleId, startAt, endAt }: VehicleUtilization) => `utilization_${vehicleId}_${startAt}_${endAt}`,
  )
  id?: string

  vehicleId: string
  firstDate: string
  lastDate: string
  driving: number | null
  idling: number | null

  @Field(() => String, { description: "The provider's code." })
  provider: string

  @Field(() => RecordsVehicleExtension, { nullable: true, description: 'The vehicle.' })
  @Computed((row: VehicleUtilization) => entityRef(row.vehicleId))
  vehicle?: RecordsVehicleExtension | null

  @Field(() => DateTime, { description: 'The start of the first day, in UTC.' })
  startAt: number

  @Field(() => DateTime, { description: 'The end of the last day, in UTC.' })
  endAt: number

  @Field(() => Float, {
    description: 'The distance in kilometers, rounded to the meter, of the days for which it is known.',
  })
  distance: number

  @Field(() => Float, {
    nullable: true,
    description: 'The consumed fuel in liters, rounded to the milliliter.',
  })
  fuelConsumed: number | null

  @Field(() => UtilizationDurations, {
    nullable: true,
    description: 'The engine times. Null if the provider reports none.',
  })
  @Computed((row: VehicleUtilization) => (row.driving === null && row.idling === null ? null : row))
  durations?: UtilizationDurations | null

  @Field(() => [RawData], { description: "The provider's records from which the sum was computed." })
  @Computed((row: VehicleUtilization) => row.rawOf())
  raw?: RawData[]

  rawOf: () => Promise<readonly unknown[]>
}

import { Field, Float, ObjectType } from 'type-graphql'
import { tableOf, tableOfExpressions } from '../../../storage/sql/table.ts'
import { Computed } from '../../schema/build-subgraph.ts'
import { DateTime } from '../../schema/scalars.ts'
import { entityRef } from '../../schema/entity-references.ts'
import { RawData } from '../../schema/value-types.ts'
import { VehicleOfRecords } from '../entity-extensions.ts'
import { DailyUtilization } from './daily-utilization.ts'

@ObjectType({ simpleResolvers: true, description: 'How long an engine ran.' })
export class UtilizationDurations {
  @Field(() => Float, { nullable: true, description: 'Whole milliseconds.' })
  driving: number | null

  @Field(() => Float, { nullable: true, description: 'Whole milliseconds.' })
  idling: number | null
}

/** The sum of a vehicle's days, as the table answers it. */
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
  description: 'What a vehicle did over a range of days.',
})
export class VehicleUtilization implements UtilizationSum {
  vehicleId: string
  firstDate: string
  lastDate: string
  driving: number | null
  idling: number | null

  @Field(() => String, { description: "The provider's code." })
  provider: string

  @Field(() => VehicleOfRecords, { nullable: true, description: 'The vehicle.' })
  @Computed((row: VehicleUtilization) => entityRef(row.vehicleId))
  vehicle?: VehicleOfRecords | null

  @Field(() => DateTime, { description: 'The beginning of the first day, in UTC.' })
  startAt: number

  @Field(() => DateTime, { description: 'The end of the last day, in UTC.' })
  endAt: number

  @Field(() => Float, { description: 'Kilometers.' })
  distance: number

  @Field(() => Float, { nullable: true, description: 'Liters.' })
  fuelConsumed: number | null

  @Field(() => UtilizationDurations, { nullable: true, description: 'How long the engine ran.' })
  @Computed((row: VehicleUtilization) => (row.driving === null && row.idling === null ? null : row))
  durations?: UtilizationDurations | null

  @Field(() => [RawData], { description: "The provider's records that the sum was made from." })
  @Computed((row: VehicleUtilization) => row.rawOf())
  raw?: RawData[]

  rawOf: () => Promise<readonly unknown[]>
}

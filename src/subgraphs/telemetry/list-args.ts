import { ArgsType, Field, ID } from 'type-graphql'
import { PageArgs, SeriesArgs } from '../schema/page-types.ts'
import type { StatType } from '../../domain/models/vehicle-stat-log.ts'
import { DateTime } from '../schema/scalars.ts'
import type { LocationStreamFilter } from './location-stream.ts'
import { VehicleStatType } from './stat-log.ts'

@ArgsType()
export class LatestArgs extends PageArgs {
  @Field(() => [ID], { nullable: true, description: 'Only records of these vehicles, at most 50.' })
  vehicleIds?: string[] | null

  @Field(() => [ID], { nullable: true, description: 'Only records of these drivers, at most 50.' })
  driverIds?: string[] | null
}

@ArgsType()
export class LocationStreamArgs implements LocationStreamFilter {
  @Field(() => [ID], { nullable: true, description: 'Only locations of these vehicles.' })
  vehicleIds?: string[] | null

  @Field(() => [ID], {
    nullable: true,
    description: 'Only locations of vehicles of these connections. Accepts at most 50 ids.',
  })
  connectionIds?: string[] | null

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Whether the subscription begins with the stored locations, ordered by the id of the vehicle. No location is missed between them and the new ones.',
  })
  snapshot: boolean
}

@ArgsType()
export class TrackArgs extends SeriesArgs {
  @Field(() => DateTime, { nullable: true, description: 'Only points at or after this time.' })
  startAt?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only points at or before this time.' })
  endAt?: number | null
}

@ArgsType()
export class StatArgs extends TrackArgs {
  @Field(() => [VehicleStatType], { nullable: true, description: 'Only measurements of these types.' })
  types?: StatType[] | null
}

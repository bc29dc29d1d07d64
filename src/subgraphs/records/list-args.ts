import { ArgsType, Field, ID } from 'type-graphql'
import { atLeast, atMost, before, type Where } from '../../storage/sql/where.ts'
import { idListFilter } from '../schema/id-list-filter.ts'
import { ModifiedArgs, modifiedWithin } from '../schema/list-args.ts'
import { PageArgs } from '../schema/page-types.ts'
import { CalendarDate, DateTime, Month } from '../schema/scalars.ts'
import { IftaGrouping } from './totals/ifta-summary.ts'

/** Reads by ingestion time or by record time (interface 4.16). */
@ArgsType()
export class RecordArgs extends ModifiedArgs {
  @Field(() => DateTime, { nullable: true, description: 'Only what started at or after this moment.' })
  startedAfter?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only what started before this moment.' })
  startedBefore?: number | null

  @Field(() => [ID], { nullable: true, description: 'Only those of these vehicles, 50 at most.' })
  vehicleIds?: string[] | null

  @Field(() => [ID], { nullable: true, description: 'Only those of these drivers, 50 at most.' })
  driverIds?: string[] | null
}

@ArgsType()
export class TripArgs extends RecordArgs {
  @Field(() => DateTime, { nullable: true, description: 'Only trips that ended at or after this moment.' })
  endedAfter?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only trips that ended before this moment.' })
  endedBefore?: number | null
}

@ArgsType()
export class HosLogArgs extends ModifiedArgs {
  @Field(() => DateTime, { nullable: true, description: 'Only what started at or after this moment.' })
  startedAfter?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only what started before this moment.' })
  startedBefore?: number | null

  @Field(() => [ID], { nullable: true, description: 'Only those of these drivers, 50 at most.' })
  driverIds?: string[] | null
}

@ArgsType()
export class HosDailyLogArgs extends ModifiedArgs {
  @Field(() => CalendarDate, { nullable: true, description: 'Only this day and later ones.' })
  startDate?: string | null

  @Field(() => CalendarDate, { nullable: true, description: 'Only this day and earlier ones.' })
  endDate?: string | null

  @Field(() => [ID], { nullable: true, description: 'Only those of these drivers, 50 at most.' })
  driverIds?: string[] | null
}

@ArgsType()
export class HosAvailableTimeArgs extends PageArgs {
  @Field(() => [ID], { nullable: true, description: 'Only those of these drivers, 50 at most.' })
  driverIds?: string[] | null
}

@ArgsType()
export class FaultCodeArgs extends ModifiedArgs {
  @Field(() => DateTime, { nullable: true, description: 'Only what was told at or after this moment.' })
  startAt?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only what was told at or before this moment.' })
  endAt?: number | null

  @Field(() => [ID], { nullable: true, description: 'Only those of these vehicles, 50 at most.' })
  vehicleIds?: string[] | null
}

@ArgsType()
export class UtilizationArgs extends ModifiedArgs {
  @Field(() => CalendarDate, { nullable: true, description: 'Sums from this day on.' })
  startDate?: string | null

  @Field(() => CalendarDate, { nullable: true, description: 'Sums up to this day, and with it.' })
  endDate?: string | null

  @Field(() => [ID], { nullable: true, description: 'Only those of these vehicles, 50 at most.' })
  vehicleIds?: string[] | null
}

@ArgsType()
export class IftaArgs extends PageArgs {
  @Field(() => Month, { description: 'Sums from this month on.' })
  startMonth: string

  @Field(() => Month, { description: 'Sums up to this month, and with it.' })
  endMonth: string

  @Field(() => [IftaGrouping], {
    defaultValue: [IftaGrouping.VEHICLE, IftaGrouping.JURISDICTION],
    description: 'By what distances are summed.',
  })
  groupBy: IftaGrouping[]
}

export const tripConditions = (args: TripArgs): (Where | null)[] => [
  ...recordConditions(args),
  atLeast('endedAt', args.endedAfter),
  before('endedAt', args.endedBefore),
]

export const recordConditions = (args: RecordArgs): (Where | null)[] => [
  ...hosLogConditions(args),
  idListFilter('vehicleId', args.vehicleIds, 'vehicleIds'),
]

export const hosLogConditions = (args: HosLogArgs): (Where | null)[] => [
  ...modifiedWithin(args),
  atLeast('startedAt', args.startedAfter),
  before('startedAt', args.startedBefore),
  idListFilter('driverId', args.driverIds, 'driverIds'),
]

export const hosDailyLogConditions = (args: HosDailyLogArgs): (Where | null)[] => [
  ...modifiedWithin(args),
  atLeast('date', args.startDate),
  atMost('date', args.endDate),
  idListFilter('driverId', args.driverIds, 'driverIds'),
]

export const faultCodeConditions = (args: FaultCodeArgs): (Where | null)[] => [
  ...modifiedWithin(args),
  atLeast('observedAt', args.startAt),
  atMost('observedAt', args.endAt),
  idListFilter('vehicleId', args.vehicleIds, 'vehicleIds'),
]

import { ArgsType, Field, ID } from 'type-graphql'
import { atLeast, atMost, before, type Where } from '../../storage/sql/where.ts'
import { idListFilter } from '../schema/id-arguments.ts'
import { EntityArgs, ModifiedArgs, modifiedWithin } from '../schema/list-args.ts'
import { PageArgs } from '../schema/page-types.ts'
import { CalendarDate, DateTime, Month } from '../schema/scalars.ts'
import { IftaGrouping } from './totals/ifta-summary.ts'

/**
 * List arguments of records: filters by `metadata.modifiedAt`, by deletion, by the start of the record, and by vehicle
 * and driver.
 */
@ArgsType()
export class RecordArgs extends EntityArgs {
  @Field(() => DateTime, { nullable: true, description: 'Only records that started at or after this time.' })
  startedAfter?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only records that started before this time.' })
  startedBefore?: number | null

  @Field(() => [ID], { nullable: true, description: 'Only records of these vehicles, at most 50.' })
  vehicleIds?: string[] | null

  @Field(() => [ID], { nullable: true, description: 'Only records of these drivers, at most 50.' })
  driverIds?: string[] | null
}

@ArgsType()
export class TripArgs extends RecordArgs {
  @Field(() => DateTime, { nullable: true, description: 'Only trips that ended at or after this time.' })
  endedAfter?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only trips that ended before this time.' })
  endedBefore?: number | null
}

@ArgsType()
export class HosLogArgs extends EntityArgs {
  @Field(() => DateTime, { nullable: true, description: 'Only records that started at or after this time.' })
  startedAfter?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only records that started before this time.' })
  startedBefore?: number | null

  @Field(() => [ID], { nullable: true, description: 'Only records of these drivers, at most 50.' })
  driverIds?: string[] | null
}

@ArgsType()
export class HosDailyLogArgs extends EntityArgs {
  @Field(() => CalendarDate, { nullable: true, description: 'Only this day and later days.' })
  startDate?: string | null

  @Field(() => CalendarDate, { nullable: true, description: 'Only this day and earlier days.' })
  endDate?: string | null

  @Field(() => [ID], { nullable: true, description: 'Only records of these drivers, at most 50.' })
  driverIds?: string[] | null
}

@ArgsType()
export class HosAvailableTimeArgs extends PageArgs {
  @Field(() => [ID], { nullable: true, description: 'Only records of these drivers, at most 50.' })
  driverIds?: string[] | null
}

@ArgsType()
export class FaultCodeArgs extends EntityArgs {
  @Field(() => DateTime, {
    nullable: true,
    description: 'Only codes that were observed at or after this time.',
  })
  startAt?: number | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'Only codes that were observed at or before this time.',
  })
  endAt?: number | null

  @Field(() => [ID], { nullable: true, description: 'Only records of these vehicles, at most 50.' })
  vehicleIds?: string[] | null
}

@ArgsType()
export class UtilizationArgs extends ModifiedArgs {
  @Field(() => CalendarDate, { nullable: true, description: 'The first day of the sums.' })
  startDate?: string | null

  @Field(() => CalendarDate, { nullable: true, description: 'The last day of the sums, inclusive.' })
  endDate?: string | null

  @Field(() => [ID], { nullable: true, description: 'Only records of these vehicles, at most 50.' })
  vehicleIds?: string[] | null
}

@ArgsType()
export class IftaArgs extends PageArgs {
  @Field(() => Month, { description: 'The first month of the sums.' })
  startMonth: string

  @Field(() => Month, { description: 'The last month of the sums, inclusive.' })
  endMonth: string

  @Field(() => [IftaGrouping], {
    defaultValue: [IftaGrouping.VEHICLE, IftaGrouping.JURISDICTION],
    description: 'The dimensions by which distances are summed.',
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
  idListFilter('vehicle', args.vehicleIds),
]

export const hosLogConditions = (args: HosLogArgs): (Where | null)[] => [
  ...modifiedWithin(args),
  atLeast('startedAt', args.startedAfter),
  before('startedAt', args.startedBefore),
  idListFilter('driver', args.driverIds),
]

export const hosDailyLogConditions = (args: HosDailyLogArgs): (Where | null)[] => [
  ...modifiedWithin(args),
  atLeast('date', args.startDate),
  atMost('date', args.endDate),
  idListFilter('driver', args.driverIds),
]

export const faultCodeConditions = (args: FaultCodeArgs): (Where | null)[] => [
  ...modifiedWithin(args),
  atLeast('observedAt', args.startAt),
  atMost('observedAt', args.endAt),
  idListFilter('vehicle', args.vehicleIds),
]

import { Arg, Args, Ctx, ID, Query, Resolver } from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import { pageType } from '../../schema/page-types.ts'
import type { EntityRef } from '../../schema/entity-references.ts'
import { HosAvailableTimeArgs, HosDailyLogArgs, HosLogArgs } from '../list-args.ts'
import { HosAvailableTime } from './hos-available-time.ts'
import { HosDailyLog } from './hos-daily-log.ts'
import { HosLog } from './hos-log.ts'
import type { RecordsContext } from '../repository.ts'

export const HosLogPage = pageType('HosLog', () => HosLog)
export const HosDailyLogPage = pageType('HosDailyLog', () => HosDailyLog)
export const HosAvailableTimePage = pageType('HosAvailableTime', () => HosAvailableTime)

/** Hours of service: what drivers did, by status and by day, and what time is left to them. */
@Resolver()
export class HosResolver {
  @Query(() => HosLogPage, {
    description:
      'The hours-of-service logs, by their start, or by time of change where the filters ask for it.',
  })
  hosLogs(
    @Args(() => HosLogArgs) args: HosLogArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<HosLog>> {
    return records.hosLogs.page(args)
  }

  @Query(() => HosLog, {
    nullable: true,
    description: 'One hours-of-service log; null where there is none with this id.',
  })
  hosLog(
    @Arg('id', () => ID, { description: "The log's id." }) id: string,
    @Ctx() { records }: RecordsContext,
  ): Promise<HosLog | null> {
    return records.hosLogs.byId.load(id)
  }

  @Query(() => HosDailyLogPage, {
    description: 'The hours of service by day, or by time of change where the filters ask for it.',
  })
  hosDailyLogs(
    @Args(() => HosDailyLogArgs) args: HosDailyLogArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<HosDailyLog>> {
    return records.hosDailyLogs.page(args)
  }

  @Query(() => HosDailyLog, {
    nullable: true,
    description: "One day of a driver's hours of service; null where there is none with this id.",
  })
  hosDailyLog(
    @Arg('id', () => ID, { description: "The log's id." }) id: string,
    @Ctx() { records }: RecordsContext,
  ): Promise<HosDailyLog | null> {
    return records.hosDailyLogs.byId.load(id)
  }

  @Query(() => HosAvailableTimePage, {
    description:
      "The clocks of the drivers that have any, as they run now. With a connection's token its provider is asked, unless the connection is polled; the secret key alone reads what is stored. For a connection that is not connected: UNPROCESSABLE_ENTITY or CONNECTION_DISCONNECTED.",
  })
  hosAvailableTimes(
    @Args(() => HosAvailableTimeArgs) args: HosAvailableTimeArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<HosAvailableTime>> {
    return records.hosAvailableTimes(args)
  }
}

export const resolveHosLog = ({ id }: EntityRef, { records }: RecordsContext): Promise<HosLog | null> =>
  records.hosLogs.byId.load(id)

export const resolveHosDailyLog = (
  { id }: EntityRef,
  { records }: RecordsContext,
): Promise<HosDailyLog | null> => records.hosDailyLogs.byId.load(id)

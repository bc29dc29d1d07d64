import { Arg, Args, Ctx, ID, Query, Resolver } from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import { type ConnectionIds, ConnectionIdsArg } from '../../schema/connection-ids.ts'
import { idArgument } from '../../schema/id-arguments.ts'
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

/** Resolvers of hours of service: logs by status, logs by day, and available times. */
@Resolver()
export class HosResolver {
  @Query(() => HosLogPage, {
    nullable: true,
    description:
      'The hours-of-service logs, ordered by start, or by `metadata.modifiedAt` if `modifiedAfter` or `modifiedBefore` is set.',
  })
  hosLogs(
    @Args(() => HosLogArgs) args: HosLogArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<HosLog>> {
    return records.hosLogs.page(args, connectionIds)
  }

  @Query(() => HosLog, {
    nullable: true,
    description: 'The hours-of-service log with this id. Null if there is none.',
  })
  hosLog(
    @Arg('id', () => ID, { description: "The log's id." }) id: string,
    @Ctx() { records }: RecordsContext,
  ): Promise<HosLog | null> {
    return records.hosLogs.byId.load(idArgument('hosLog', id))
  }

  @Query(() => HosDailyLogPage, {
    nullable: true,
    description:
      'The hours of service per day, ordered by day, or by `metadata.modifiedAt` if `modifiedAfter` or `modifiedBefore` is set.',
  })
  hosDailyLogs(
    @Args(() => HosDailyLogArgs) args: HosDailyLogArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<HosDailyLog>> {
    return records.hosDailyLogs.page(args, connectionIds)
  }

  @Query(() => HosDailyLog, {
    nullable: true,
    description: 'The daily hours-of-service log with this id. Null if there is none.',
  })
  hosDailyLog(
    @Arg('id', () => ID, { description: "The log's id." }) id: string,
    @Ctx() { records }: RecordsContext,
  ): Promise<HosDailyLog | null> {
    return records.hosDailyLogs.byId.load(idArgument('hosDailyLog', id))
  }

  @Query(() => HosAvailableTimePage, {
    nullable: true,
    description:
      'The hours-of-service clocks of all drivers that have any. With only the secret key, or if Odograph polls the connection of the token, these are the stored clocks. Otherwise Odograph requests them from the provider. If that connection is disconnected: error CONNECTION_DISCONNECTED. If it is archived or deleted: UNPROCESSABLE_ENTITY.',
  })
  hosAvailableTimes(
    @Args(() => HosAvailableTimeArgs) args: HosAvailableTimeArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<HosAvailableTime>> {
    return records.hosAvailableTimes(args, connectionIds)
  }
}

export const resolveHosLog = ({ id }: EntityRef, { records }: RecordsContext): Promise<HosLog | null> =>
  records.hosLogs.byId.load(id)

export const resolveHosDailyLog = (
  { id }: EntityRef,
  { records }: RecordsContext,
): Promise<HosDailyLog | null> => records.hosDailyLogs.byId.load(id)

import { Args, Ctx, Query, Resolver } from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import { type ConnectionIds, ConnectionIdsArg } from '../../schema/connection-ids.ts'
import { pageType } from '../../schema/page-types.ts'
import { IftaArgs, UtilizationArgs } from '../list-args.ts'
import { IftaSummary } from './ifta-summary.ts'
import type { RecordsContext } from '../repository.ts'
import { VehicleUtilization } from './vehicle-utilization.ts'

export const VehicleUtilizationPage = pageType('VehicleUtilization', () => VehicleUtilization)
export const IftaSummaryPage = pageType('IftaSummary', () => IftaSummary)

@Resolver()
export class AggregatesResolver {
  @Query(() => VehicleUtilizationPage, {
    nullable: true,
    description:
      'Distance, fuel and engine times of each vehicle over a range of days. With `modifiedAfter` or `modifiedBefore`, only vehicles with a day that changed within these times.',
  })
  vehicleUtilization(
    @Args(() => UtilizationArgs) args: UtilizationArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<VehicleUtilization>> {
    return records.vehicleUtilization(args, connectionIds)
  }

  @Query(() => IftaSummaryPage, {
    nullable: true,
    description:
      'Distances for the International Fuel Tax Agreement (IFTA), by default per vehicle and jurisdiction. Months are in the time zone of the fleet.',
  })
  iftaSummary(
    @Args(() => IftaArgs) args: IftaArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<IftaSummary>> {
    return records.iftaSummary(args, connectionIds)
  }
}

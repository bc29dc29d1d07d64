import { Args, Ctx, Query, Resolver } from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import { pageType } from '../../schema/page-types.ts'
import { IftaArgs, UtilizationArgs } from '../list-args.ts'
import { IftaSummary } from './ifta-summary.ts'
import type { RecordsContext } from '../repository.ts'
import { VehicleUtilization } from './vehicle-utilization.ts'

export const VehicleUtilizationPage = pageType('VehicleUtilization', () => VehicleUtilization)
export const IftaSummaryPage = pageType('IftaSummary', () => IftaSummary)

@Resolver()
export class SumsResolver {
  @Query(() => VehicleUtilizationPage, {
    description:
      'What each vehicle did over a range of days. With a filter by time of change: the vehicles of which a day changed then.',
  })
  vehicleUtilization(
    @Args(() => UtilizationArgs) args: UtilizationArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<VehicleUtilization>> {
    return records.vehicleUtilization(args)
  }

  @Query(() => IftaSummaryPage, {
    description:
      'Distances by jurisdiction for the International Fuel Tax Agreement, months in the time zone of the fleet.',
  })
  iftaSummary(
    @Args(() => IftaArgs) args: IftaArgs,
    @Ctx() { records }: RecordsContext,
  ): Promise<Page<IftaSummary>> {
    return records.iftaSummary(args)
  }
}

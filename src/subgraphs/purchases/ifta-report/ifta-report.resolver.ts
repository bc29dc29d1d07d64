import { Args, Ctx, Query, Resolver } from 'type-graphql'
import { type ConnectionIds, ConnectionIdsArg } from '../../schema/connection-ids.ts'
import type { PurchasesContext } from '../repository.ts'
import { IftaReportArgs } from './ifta-report-args.ts'
import { IftaReport } from './ifta-report.ts'

@Resolver(() => IftaReport)
export class IftaReportResolver {
  @Query(() => IftaReport, {
    nullable: true,
    description:
      'The fuel tax report of a quarter for the International Fuel Tax Agreement (IFTA): for each state and province, the distance, the fuel bought, the fuel used by the mean consumption, and the net taxable fuel. Hidden vehicles are left out. Requires a key with the scopes ifta:read and purchases:read.',
  })
  iftaReport(
    @Args(() => IftaReportArgs) args: IftaReportArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { purchases }: PurchasesContext,
  ): Promise<IftaReport> {
    return purchases.iftaReport(args, connectionIds)
  }
}

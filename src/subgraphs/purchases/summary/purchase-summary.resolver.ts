import { Args, Ctx, Query, Resolver } from 'type-graphql'
import { type ConnectionIds, ConnectionIdsArg } from '../../schema/connection-ids.ts'
import type { PurchasesContext } from '../repository.ts'
import { PurchaseSummaryArgs } from './purchase-summary-args.ts'
import { PurchaseSummary } from './purchase-summary.ts'

@Resolver(() => PurchaseSummary)
export class PurchaseSummaryResolver {
  @Query(() => PurchaseSummary, {
    nullable: true,
    description:
      'Sums over the checks of fuel purchases by day, vehicle, driver, merchant or rule: spend, liters, decisions, and what each stage would have decided. Checks of hidden vehicles are left out. The period has at most 92 days, by default the last 28.',
  })
  purchaseSummary(
    @Args(() => PurchaseSummaryArgs) args: PurchaseSummaryArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { purchases }: PurchasesContext,
  ): Promise<PurchaseSummary> {
    return purchases.purchaseSummary(args, connectionIds)
  }
}

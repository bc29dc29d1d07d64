import { Arg, Args, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import { idArgument } from '../../schema/id-arguments.ts'
import { PageArgs, pageType } from '../../schema/page-types.ts'
import type { PurchaseCommandsContext } from '../commands.ts'
import type { PurchasesContext } from '../repository.ts'
import { PurchaseReplay } from './purchase-replay.ts'
import { ReplayPurchasesInput } from './replay-purchases-input.ts'

export const PurchaseReplayPage = pageType('PurchaseReplay', () => PurchaseReplay)

@ObjectType({ simpleResolvers: true, description: 'The result of `replayPurchases`.' })
export class ReplayPurchasesPayload {
  @Field(() => PurchaseReplay, { description: 'The replay. It has just been requested.' })
  replay: PurchaseReplay
}

@Resolver(() => PurchaseReplay)
export class PurchaseReplayResolver {
  @Query(() => PurchaseReplay, {
    nullable: true,
    description:
      'A replay of purchases by id. Null if there is none. Requires a secret key without a connection token.',
  })
  purchaseReplay(
    @Arg('id', () => ID, { description: 'The replay.' }) id: string,
    @Ctx() { purchases }: PurchasesContext,
  ): Promise<PurchaseReplay | null> {
    return purchases.replay(idArgument('purchaseReplay', id, 'id'))
  }

  @Query(() => PurchaseReplayPage, {
    nullable: true,
    description: 'Your replays of purchases, oldest first. Requires a secret key without a connection token.',
  })
  purchaseReplays(
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { purchases }: PurchasesContext,
  ): Promise<Page<PurchaseReplay>> {
    return purchases.replays(args)
  }

  @Mutation(() => ReplayPurchasesPayload, {
    description:
      'Requests a replay of the checks of a period: what other rules would have decided with the data that had been received by then. A worker runs it; `purchaseReplay` has its progress and the sums. No check changes. Requires a secret key without a connection token. Errors: CONFLICT if 5 replays have not ended.',
  })
  async replayPurchases(
    @Arg('input', () => ReplayPurchasesInput, { description: 'The checks and the rules.' })
    input: ReplayPurchasesInput,
    @Ctx() { purchaseCommands }: PurchaseCommandsContext,
  ): Promise<ReplayPurchasesPayload> {
    return { replay: await purchaseCommands.replayPurchases(input) }
  }
}

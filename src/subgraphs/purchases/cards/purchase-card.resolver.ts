import { Arg, Args, ArgsType, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import { PageArgs, pageType } from '../../schema/page-types.ts'
import type { PurchaseCommandsContext } from '../commands.ts'
import type { PurchasesContext } from '../repository.ts'
import { AssignCardInput, UnassignCardInput } from './assign-card-input.ts'
import { PurchaseCard } from './purchase-card.ts'

export const PurchaseCardPage = pageType('PurchaseCard', () => PurchaseCard)

@ArgsType()
export class PurchaseCardArgs extends PageArgs {
  @Field(() => [ID], { nullable: true, description: 'Only cards of these vehicles, at most 50.' })
  vehicleIds?: string[] | null
}

@ObjectType({ simpleResolvers: true, description: 'The result of `assignCard`.' })
export class AssignCardPayload {
  @Field(() => PurchaseCard, { description: 'The card.' })
  card: PurchaseCard
}

@ObjectType({ simpleResolvers: true, description: 'The result of `unassignCard`.' })
export class UnassignCardPayload {
  @Field(() => String, { description: 'Your own id of the card.' })
  cardId: string
}

@Resolver(() => PurchaseCard)
export class PurchaseCardResolver {
  @Query(() => PurchaseCardPage, {
    nullable: true,
    description:
      'The fuel cards that are assigned, in the order of their assignment. Requires a secret key without a connection token.',
  })
  purchaseCards(
    @Args(() => PurchaseCardArgs) args: PurchaseCardArgs,
    @Ctx() { purchases }: PurchasesContext,
  ): Promise<Page<PurchaseCard>> {
    return purchases.cards(args)
  }

  @Mutation(() => AssignCardPayload, {
    description:
      'Assigns a fuel card to a vehicle, a driver or both, so that `checkPurchase` needs only the id of the card. Requires a secret key without a connection token.',
  })
  async assignCard(
    @Arg('input', () => AssignCardInput, { description: 'The assignment.' }) input: AssignCardInput,
    @Ctx() { purchaseCommands }: PurchaseCommandsContext,
  ): Promise<AssignCardPayload> {
    return { card: await purchaseCommands.assignCard(input) }
  }

  @Mutation(() => UnassignCardPayload, {
    description:
      'Ends the assignment of a fuel card. Without one, nothing changes. Requires a secret key without a connection token.',
  })
  async unassignCard(
    @Arg('input', () => UnassignCardInput, { description: 'The card.' }) { cardId }: UnassignCardInput,
    @Ctx() { purchaseCommands }: PurchaseCommandsContext,
  ): Promise<UnassignCardPayload> {
    await purchaseCommands.unassignCard({ cardId })
    return { cardId }
  }
}

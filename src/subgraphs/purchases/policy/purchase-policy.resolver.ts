import { Arg, Args, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import { idArgument } from '../../schema/id-arguments.ts'
import { PageArgs, pageType } from '../../schema/page-types.ts'
import type { PurchaseCommandsContext } from '../commands.ts'
import type { PurchasesContext } from '../repository.ts'
import { EffectivePurchasePolicy, StoredPurchasePolicy } from './purchase-policy.ts'
import { SetPurchasePolicyInput } from './set-policy-input.ts'

export const PurchasePolicyPage = pageType('PurchasePolicy', () => StoredPurchasePolicy)

@ObjectType({ simpleResolvers: true, description: 'The result of `setPurchasePolicy`.' })
export class SetPurchasePolicyPayload {
  @Field(() => StoredPurchasePolicy, { description: 'The new policy.' })
  policy: StoredPurchasePolicy
}

@Resolver(() => StoredPurchasePolicy)
export class PurchasePolicyResolver {
  @Query(() => PurchasePolicyPage, {
    nullable: true,
    description:
      'All policies that were set, oldest first. Requires a secret key without a connection token.',
  })
  purchasePolicies(
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { purchases }: PurchasesContext,
  ): Promise<Page<StoredPurchasePolicy>> {
    return purchases.policies(args)
  }

  @Query(() => EffectivePurchasePolicy, {
    nullable: true,
    description:
      'The policy that applies to a vehicle now; without `vehicleId`, to the application. Null if there is no such vehicle. Requires a secret key without a connection token.',
  })
  effectivePurchasePolicy(
    @Arg('vehicleId', () => ID, { nullable: true, description: 'The vehicle.' }) vehicleId: string | null,
    @Ctx() { purchases }: PurchasesContext,
  ): Promise<EffectivePurchasePolicy | null> {
    return purchases.effectivePolicy(vehicleId == null ? null : idArgument('vehicle', vehicleId, 'vehicleId'))
  }

  @Mutation(() => SetPurchasePolicyPayload, {
    description:
      'Sets the policy of purchase checks for the application, or for a tag, connection, group or vehicle. Earlier checks do not change. Requires a secret key without a connection token.',
  })
  async setPurchasePolicy(
    @Arg('input', () => SetPurchasePolicyInput, { description: 'The policy.' }) input: SetPurchasePolicyInput,
    @Ctx() { purchaseCommands }: PurchaseCommandsContext,
  ): Promise<SetPurchasePolicyPayload> {
    return { policy: await purchaseCommands.setPurchasePolicy(input) }
  }
}

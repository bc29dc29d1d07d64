import { Arg, Args, ArgsType, Ctx, Field, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import type { Page } from '../../../storage/pagination/pagination.ts'
import { PageArgs, pageType } from '../../schema/page-types.ts'
import type { PurchaseCommandsContext } from '../commands.ts'
import type { PurchasesContext } from '../repository.ts'
import { PurchaseSite } from './purchase-site.ts'
import { RemovePurchaseSiteInput, SetPurchaseSiteInput } from './set-site-input.ts'

export const PurchaseSitePage = pageType('PurchaseSite', () => PurchaseSite)

@ArgsType()
export class PurchaseSiteArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: 'Only the site with this id of yours.' })
  siteId?: string | null
}

@ObjectType({ simpleResolvers: true, description: 'The result of `setPurchaseSite`.' })
export class SetPurchaseSitePayload {
  @Field(() => PurchaseSite, { description: 'The site.' })
  site: PurchaseSite
}

@ObjectType({ simpleResolvers: true, description: 'The result of `removePurchaseSite`.' })
export class RemovePurchaseSitePayload {
  @Field(() => String, { description: 'Your own id of the site.' })
  siteId: string
}

@Resolver(() => PurchaseSite)
export class PurchaseSiteResolver {
  @Query(() => PurchaseSitePage, {
    nullable: true,
    description:
      'Your sites, in the order in which they were first set. Requires a secret key without a connection token.',
  })
  purchaseSites(
    @Args(() => PurchaseSiteArgs) args: PurchaseSiteArgs,
    @Ctx() { purchases }: PurchasesContext,
  ): Promise<Page<PurchaseSite>> {
    return purchases.sites(args)
  }

  @Mutation(() => SetPurchaseSitePayload, {
    description:
      'Sets a site of your own, so that `checkPurchase` knows the exact place of its merchant. Requires a secret key without a connection token.',
  })
  async setPurchaseSite(
    @Arg('input', () => SetPurchaseSiteInput, { description: 'The site.' }) input: SetPurchaseSiteInput,
    @Ctx() { purchaseCommands }: PurchaseCommandsContext,
  ): Promise<SetPurchaseSitePayload> {
    return { site: await purchaseCommands.setPurchaseSite(input) }
  }

  @Mutation(() => RemovePurchaseSitePayload, {
    description:
      'Removes a site. Without one, nothing changes. Requires a secret key without a connection token.',
  })
  async removePurchaseSite(
    @Arg('input', () => RemovePurchaseSiteInput, { description: 'The site.' })
    { siteId }: RemovePurchaseSiteInput,
    @Ctx() { purchaseCommands }: PurchaseCommandsContext,
  ): Promise<RemovePurchaseSitePayload> {
    await purchaseCommands.removePurchaseSite({ siteId })
    return { siteId }
  }
}

import { Arg, Args, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import type { Page } from '../../storage/pagination/pagination.ts'
import { type ConnectionIds, ConnectionIdsArg } from '../schema/connection-ids.ts'
import type { EntityRef } from '../schema/entity-references.ts'
import { idArgument } from '../schema/id-arguments.ts'
import { pageType } from '../schema/page-types.ts'
import { CaptureForCheckInput } from './captures/capture-for-check-input.ts'
import { CheckPurchaseInput } from './check-purchase-input.ts'
import type { PurchaseCommandsContext } from './commands.ts'
import { PurchaseCheckArgs } from './purchase-check-args.ts'
import { PurchaseCheck } from './purchase-check.ts'
import type { PurchasesContext } from './repository.ts'

export const PurchaseCheckPage = pageType('PurchaseCheck', () => PurchaseCheck)

@ObjectType({ simpleResolvers: true, description: 'The result of `checkPurchase` and `captureForCheck`.' })
export class CheckPurchasePayload {
  @Field(() => PurchaseCheck, { description: 'The check.' })
  check: PurchaseCheck

  @Field(() => Boolean, {
    description:
      'True if an earlier request with the same key made the check. The payload contains that check.',
  })
  replayed: boolean

  @Field(() => Boolean, {
    description:
      'Whether the check is stored. If not, the decision is UNKNOWN, and a repetition may get another answer.',
  })
  recorded: boolean
}

@Resolver(() => PurchaseCheck)
export class PurchaseCheckResolver {
  @Query(() => PurchaseCheck, {
    nullable: true,
    description: 'The check of a purchase with this id. Null if there is none.',
  })
  purchaseCheck(
    @Arg('id', () => ID, { description: "The check's id." }) id: string,
    @Ctx() { purchases }: PurchasesContext,
  ): Promise<PurchaseCheck | null> {
    return purchases.purchaseCheck.load(idArgument('purchaseCheck', id))
  }

  @Query(() => PurchaseCheckPage, {
    nullable: true,
    description:
      'The checks of purchases, ordered by the time of the purchase. Checks of hidden vehicles are left out.',
  })
  purchaseChecks(
    @Args(() => PurchaseCheckArgs) args: PurchaseCheckArgs,
    @ConnectionIdsArg() connectionIds: ConnectionIds,
    @Ctx() { purchases }: PurchasesContext,
  ): Promise<Page<PurchaseCheck>> {
    return purchases.purchaseChecks(args, connectionIds)
  }

  @Mutation(() => CheckPurchasePayload, {
    description:
      'Checks a fuel purchase against the stored state of the vehicle, and records the check. It never calls a provider. `PURCHASE_DEADLINE_MS` limits the reads, and again the write: without the facts, the decision is UNKNOWN. Requires a secret key.',
  })
  checkPurchase(
    @Arg('input', () => CheckPurchaseInput, { description: 'The purchase.' }) input: CheckPurchaseInput,
    @Ctx() { purchaseCommands }: PurchaseCommandsContext,
  ): Promise<CheckPurchasePayload> {
    return purchaseCommands.checkPurchase(input)
  }

  @Mutation(() => CheckPurchasePayload, {
    description:
      'Checks the capture of a purchase whose authorization was checked: the liters are known now. The vehicle, driver, card and merchant are those of the authorization. Later, `reconciliation` compares the liters with the fuel level. Requires a secret key.',
  })
  captureForCheck(
    @Arg('input', () => CaptureForCheckInput, { description: 'The capture.' }) input: CaptureForCheckInput,
    @Ctx() { purchaseCommands }: PurchaseCommandsContext,
  ): Promise<CheckPurchasePayload> {
    return purchaseCommands.captureForCheck(input)
  }
}

export const resolvePurchaseCheck = (
  { id }: EntityRef,
  { purchases }: PurchasesContext,
): Promise<PurchaseCheck | null> => purchases.purchaseCheck.load(id)

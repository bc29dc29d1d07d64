import { Field, ID, InputType } from 'type-graphql'
import { DateTime, Json } from '../../schema/scalars.ts'
import { PurchaseAmountInput, PurchasedFuelInput } from '../check-purchase-input.ts'

@InputType({ description: 'The capture of a purchase whose authorization was checked.' })
export class CaptureForCheckInput {
  @Field(() => String, {
    description:
      'A key that identifies the capture, like that of `checkPurchase`: 1 to 255 printable ASCII characters.',
  })
  idempotencyKey: string

  @Field(() => ID, {
    nullable: true,
    description: 'The check of the authorization. Give either this or `authorizationId`.',
  })
  checkId?: string | null

  @Field(() => String, {
    nullable: true,
    description: "The card network's id of the authorization, as `checkPurchase` got it.",
  })
  authorizationId?: string | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the fuel was bought. Default: the time of the authorization.',
  })
  at?: number | null

  @Field(() => PurchaseAmountInput, { description: 'The amount.' })
  amount: PurchaseAmountInput

  @Field(() => PurchasedFuelInput, { nullable: true, description: 'The fuel, if known.' })
  fuel?: PurchasedFuelInput | null

  @Field(() => Json, {
    nullable: true,
    description:
      'Your own data: an object whose JSON has at most 4,000 characters. It is returned unchanged.',
  })
  metadata?: unknown
}

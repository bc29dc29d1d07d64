import { ArgsType, Field, ID } from 'type-graphql'
import { PageArgs } from '../schema/page-types.ts'
import { DateTime } from '../schema/scalars.ts'
import { PurchaseDecision } from './policy/decide.ts'

@ArgsType()
export class PurchaseCheckArgs extends PageArgs {
  @Field(() => [ID], { nullable: true, description: 'Only checks of these vehicles, at most 50.' })
  vehicleIds?: string[] | null

  @Field(() => String, { nullable: true, description: 'Only checks of the card with this id of yours.' })
  cardId?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'Only checks of the authorization with this id of the card network, with its captures.',
  })
  authorizationId?: string | null

  @Field(() => PurchaseDecision, { nullable: true, description: 'Only checks with this decision.' })
  decision?: PurchaseDecision | null

  @Field(() => DateTime, { nullable: true, description: 'Only purchases at or after this time.' })
  purchasedAfter?: number | null

  @Field(() => DateTime, { nullable: true, description: 'Only purchases before this time.' })
  purchasedBefore?: number | null
}

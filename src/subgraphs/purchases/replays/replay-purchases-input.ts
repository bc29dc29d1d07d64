import { Field, InputType } from 'type-graphql'
import type { Instant } from '../../../domain/time.ts'
import { DateTime } from '../../schema/scalars.ts'
import { PurchaseRuleSettingsInput } from '../policy/set-policy-input.ts'

@InputType({ description: 'The checks to replay, and the rules to try.' })
export class ReplayPurchasesInput {
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Only checks of purchases at or after this time. Default: the start of the day in UTC, 27 days before the last one.',
  })
  purchasedAfter?: Instant | null

  @Field(() => DateTime, {
    nullable: true,
    description:
      'Only checks of purchases before this time, at most 92 days after `purchasedAfter`. Default: the time of the request.',
  })
  purchasedBefore?: Instant | null

  @Field(() => [PurchaseRuleSettingsInput], {
    nullable: true,
    description: 'The settings of rules to try, on top of all policies. Default: none.',
  })
  rules?: PurchaseRuleSettingsInput[] | null
}

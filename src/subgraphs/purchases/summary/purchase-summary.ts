import { Field, Float, Int, ObjectType } from 'type-graphql'
import { Computed } from '../../schema/build-subgraph.ts'
import { entityRef, type EntityRef, entityStub } from '../../schema/entity-references.ts'
import { CalendarDate, DateTime } from '../../schema/scalars.ts'
import { PurchaseAmount } from '../merchant.ts'
import type { RuleName } from '../policy/policy.ts'
import { PurchaseRuleEnum } from '../purchase-enums.ts'
import { PurchaseAmountsByStage, PurchaseCountByStage, PurchaseRuleResults } from './counts-by-stage.ts'

@ObjectType({
  simpleResolvers: true,
  description:
    'Sums over checks of fuel purchases. An authorization and its captures are one purchase. The decision about a purchase is that of its authorization, or of its capture if the authorization was not checked. For `RULE`, all numbers except `ruleResults` are about the purchases in which the rule failed in any check, each with all its checks.',
})
export class PurchaseSummaryGroup {
  @Field(() => CalendarDate, {
    nullable: true,
    description:
      'The day in UTC. Authorizations and captures count on their own days. Null unless `by` is DAY.',
  })
  day: string | null

  vehicleId: string | null

  @Field(() => entityStub('Vehicle'), {
    nullable: true,
    description: 'The vehicle. Null unless `by` is VEHICLE.',
  })
  @Computed((row: PurchaseSummaryGroup) => entityRef(row.vehicleId))
  vehicle?: EntityRef | null

  driverId: string | null

  @Field(() => entityStub('Driver'), {
    nullable: true,
    description:
      'The driver. Null unless `by` is DRIVER, and for the one group of purchases without a driver or with a hidden one.',
  })
  @Computed((row: PurchaseSummaryGroup) => entityRef(row.driverId))
  driver?: EntityRef | null

  @Field(() => String, {
    nullable: true,
    description:
      'The name of the merchant in its most frequent spelling, without spaces around it. Null unless `by` is MERCHANT.',
  })
  merchantName: string | null

  @Field(() => String, {
    nullable: true,
    description:
      'The postal code of the merchant in its most frequent spelling. Null if it is unknown, and unless `by` is MERCHANT.',
  })
  merchantPostalCode: string | null

  @Field(() => PurchaseRuleEnum, { nullable: true, description: 'The rule. Null unless `by` is RULE.' })
  rule: RuleName | null

  @Field(() => PurchaseRuleResults, {
    nullable: true,
    description: 'The numbers of checks by the result of the rule. Null unless `by` is RULE.',
  })
  ruleResults: PurchaseRuleResults | null

  @Field(() => Int, {
    description: 'Purchases: authorizations, and captures whose authorization was not checked.',
  })
  purchases: number

  @Field(() => Int, { description: 'Checks: authorizations and captures.' })
  checks: number

  @Field(() => Int, { description: 'Checks of authorizations.' })
  authorizations: number

  @Field(() => Int, { description: 'Checks of captures.' })
  captures: number

  @Field(() => Float, {
    nullable: true,
    description:
      'The liters of the captures. If a capture has only the price of a liter, they are computed from it. Null if none is known.',
  })
  liters: number | null

  @Field(() => [PurchaseAmount], {
    description:
      'The money spent, one amount for each currency: the amounts of captures, and of authorizations that were neither captured nor declined. The amount of such an authorization may be nominal.',
  })
  spend: PurchaseAmount[]

  @Field(() => [PurchaseAmount], {
    description:
      'The money that declines saved, one amount for each currency: the amounts of declined authorizations without a capture.',
  })
  avoided: PurchaseAmount[]

  @Field(() => Int, { description: 'Purchases with the decision DECLINE.' })
  declined: number

  @Field(() => Int, { description: 'Purchases with the decision CONFIRM.' })
  confirm: number

  @Field(() => Int, { description: 'Purchases with the decision UNKNOWN.' })
  unknown: number

  @Field(() => Int, {
    description:
      'Checks in which a rule failed with the action FLAG, CONFIRM or DECLINE, also in the comparison with the fuel level.',
  })
  flagged: number

  @Field(() => PurchaseCountByStage, {
    description:
      'Purchases that each stage would have declined. Liters are often known only at the capture, so read `capturesWouldDecline` too.',
  })
  wouldDecline: PurchaseCountByStage

  @Field(() => PurchaseCountByStage, {
    description: 'Purchases that the cardholder would have had to confirm at each stage.',
  })
  wouldConfirm: PurchaseCountByStage

  @Field(() => PurchaseCountByStage, {
    nullable: true,
    description:
      'Purchases of which each stage would not have known enough to decide. Null if `by` is RULE, because its groups lack the purchases in which the rule did not fail: request DAY.',
  })
  wouldBeUnknown: PurchaseCountByStage | null

  @Field(() => PurchaseCountByStage, {
    description:
      'Captures with the decision DECLINE at each stage, whatever their authorizations got. The fuel had flowed, so the stage would have noticed these captures, and not stopped them.',
  })
  capturesWouldDecline: PurchaseCountByStage

  @Field(() => PurchaseCountByStage, {
    description: 'Captures with the decision CONFIRM at each stage, whatever their authorizations got.',
  })
  capturesWouldConfirm: PurchaseCountByStage

  @Field(() => PurchaseCountByStage, {
    nullable: true,
    description:
      'Captures of which each stage would not have known enough to decide, whatever their authorizations got. Null if `by` is RULE: request DAY.',
  })
  capturesWouldBeUnknown: PurchaseCountByStage | null

  @Field(() => PurchaseAmountsByStage, {
    description:
      'The money of the purchases that each stage would have declined: the amounts of their captures, and of authorizations without a capture. Amounts count in the period and on the day of their checks, as in `spend`.',
  })
  wouldAvoid: PurchaseAmountsByStage
}

@ObjectType({ simpleResolvers: true, description: 'Sums over the checks of fuel purchases of a period.' })
export class PurchaseSummary {
  @Field(() => DateTime, { description: 'The start of the period.' })
  purchasedAfter: number

  @Field(() => DateTime, { description: 'The end of the period, which is not part of it.' })
  purchasedBefore: number

  @Field(() => [PurchaseSummaryGroup], {
    description:
      'The groups: the latest days in order of time, others by the number of checks, the most first. There are `first` at most.',
  })
  groups: PurchaseSummaryGroup[]

  @Field(() => Int, { description: 'The number of all groups, also of those that `first` leaves out.' })
  totalGroups: number
}

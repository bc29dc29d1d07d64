import { Field, Float, ID, InputType } from 'type-graphql'
import { DayOfWeek } from '../../../domain/calendar.ts'
import { DateTime } from '../../schema/scalars.ts'
import { PurchaseRuleEnum } from '../purchase-enums.ts'
import type { RuleLimits } from './limits.ts'
import { PurchaseStage, RuleAction, type RuleName } from './policy.ts'

@InputType({ description: 'The settings of a rule. What is left out is inherited.' })
export class PurchaseRuleSettingsInput implements RuleLimits {
  @Field(() => PurchaseRuleEnum, { description: 'The rule.' })
  rule: RuleName

  @Field(() => RuleAction, { nullable: true, description: 'What follows if the rule fails.' })
  action?: RuleAction | null

  @Field(() => Float, {
    nullable: true,
    description: 'NEAR_MERCHANT and JURISDICTION: 0 to 1,000,000 meters.',
  })
  maxDistanceMeters?: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'NEAR_MERCHANT, STANDING, ONE_CARD_TWO_PLACES and JURISDICTION: 0 to 1,000 km/h.',
  })
  maxSpeedKmh?: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'FRESH_POSITION, NEAR_MERCHANT, DRIVER_MATCHES and JURISDICTION: 0 to 86,400 seconds.',
  })
  maxAgeSeconds?: number | null

  @Field(() => Float, { nullable: true, description: 'STANDING: 0 to 86,400 seconds.' })
  withinSeconds?: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'TANK_FITS, LEVEL_ROSE and LEVEL_KEPT: 0 to 100 percentage points.',
  })
  tolerancePercent?: number | null

  @Field(() => Float, { nullable: true, description: 'TANK_FITS: 0 to 86,400 seconds.' })
  maxLevelAgeSeconds?: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'TANK_FITS, LEVEL_ROSE and LEVEL_KEPT: 0 to 1,000 liters in an hour.',
  })
  maxLitersPerHour?: number | null

  @Field(() => Float, { nullable: true, description: 'LEVEL_ROSE: 0 to 1,000 liters in an hour.' })
  maxStandingLitersPerHour?: number | null

  @Field(() => Float, { nullable: true, description: 'FREQUENCY: 0 to 50 purchases.' })
  maxPurchases?: number | null

  @Field(() => Float, { nullable: true, description: 'FREQUENCY: 0 to 86,400 seconds.' })
  windowSeconds?: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'WORKING_HOURS: hour of the day at which they begin, 0 to 24. For 6:30, give 6.5.',
  })
  fromHour?: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'WORKING_HOURS: hour at which they end, 0 to 24. Up to `fromHour`, it is on the next day.',
  })
  untilHour?: number | null

  @Field(() => [DayOfWeek], { nullable: true, description: 'WORKING_HOURS: the days on which they begin.' })
  days?: readonly DayOfWeek[] | null

  @Field(() => String, {
    nullable: true,
    description: 'WORKING_HOURS: a time zone such as America/Chicago. Default: that of the connection.',
  })
  timeZone?: string | null
}

@InputType({
  description:
    'A policy for the whole application, or for one tag, connection, group or vehicle. It replaces the earlier policy for the same.',
})
export class SetPurchasePolicyInput {
  @Field(() => String, { nullable: true, description: 'The tag of the connections that it is for.' })
  tag?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The connection, the group of vehicles or the vehicle that it is for.',
  })
  targetId?: string | null

  @Field(() => PurchaseStage, { nullable: true, description: 'The stage. Absent if it is inherited.' })
  stage?: PurchaseStage | null

  @Field(() => [PurchaseRuleSettingsInput], {
    nullable: true,
    description: 'The settings of rules. Other rules are inherited.',
  })
  rules?: PurchaseRuleSettingsInput[] | null

  @Field(() => DateTime, { nullable: true, description: 'From when on it applies. Default: now.' })
  effectiveAt?: number | null
}

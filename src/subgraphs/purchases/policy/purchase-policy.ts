import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import { DayOfWeek } from '../../../domain/calendar.ts'
import type { Id } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/time.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  KeyColumn,
  NumberColumn,
  TextColumn,
  Unique,
} from '../../../storage/sql/columns.ts'
import { Computed } from '../../schema/build-subgraph.ts'
import { entityRef, type EntityRef, entityStub } from '../../schema/entity-references.ts'
import { DateTime } from '../../schema/scalars.ts'
import { PurchaseRuleEnum } from '../purchase-enums.ts'
import { limitsOfRule, type RuleLimits } from './limits.ts'
import { PurchaseStage, RuleAction, type RuleName, ruleNames } from './policy.ts'
import { valueOfTarget } from './policy-target.ts'

/** Settings of a rule in a policy. What is absent is inherited. */
export interface RuleSettings {
  readonly action?: RuleAction | null
  readonly limits: RuleLimits
}

export type SettingsByRule = Readonly<Partial<Record<RuleName, RuleSettings>>>

@ObjectType({ simpleResolvers: true, description: 'The settings of a rule. Limits of other rules are null.' })
export class PurchaseRuleSettings implements RuleLimits {
  @Field(() => PurchaseRuleEnum, { description: 'The rule.' })
  rule: RuleName

  @Field(() => RuleAction, {
    nullable: true,
    description: 'What follows if the rule fails. Null if it is inherited.',
  })
  action: RuleAction | null

  @Field(() => Float, {
    nullable: true,
    description:
      'In meters. NEAR_MERCHANT: distance from the merchant. JURISDICTION: distance from its state or province.',
  })
  maxDistanceMeters?: number | null

  @Field(() => Float, {
    nullable: true,
    description:
      'In km/h. NEAR_MERCHANT and JURISDICTION: speed since the position was measured. STANDING: speed of the vehicle. ONE_CARD_TWO_PLACES: speed between two purchases.',
  })
  maxSpeedKmh?: number | null

  @Field(() => Float, {
    nullable: true,
    description:
      'FRESH_POSITION, NEAR_MERCHANT, DRIVER_MATCHES and JURISDICTION: age of the position in seconds.',
  })
  maxAgeSeconds?: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'STANDING: time around the purchase in which a speed counts, in seconds.',
  })
  withinSeconds?: number | null

  @Field(() => Float, {
    nullable: true,
    description:
      'TANK_FITS, LEVEL_ROSE and LEVEL_KEPT: error of the fuel level, in percentage points of the capacity.',
  })
  tolerancePercent?: number | null

  @Field(() => Float, { nullable: true, description: 'TANK_FITS: age of the fuel level in seconds.' })
  maxLevelAgeSeconds?: number | null

  @Field(() => Float, {
    nullable: true,
    description:
      'TANK_FITS, LEVEL_ROSE and LEVEL_KEPT: liters that the vehicle may use in an hour between two fuel levels.',
  })
  maxLitersPerHour?: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'LEVEL_ROSE: liters that the engine may use in an hour while the vehicle stands.',
  })
  maxStandingLitersPerHour?: number | null

  @Field(() => Float, { nullable: true, description: 'FREQUENCY: number of purchases in the window.' })
  maxPurchases?: number | null

  @Field(() => Float, { nullable: true, description: 'FREQUENCY: length of the window in seconds.' })
  windowSeconds?: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'WORKING_HOURS: hour of the day at which they begin, such as 6.5 for 6:30.',
  })
  fromHour?: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'WORKING_HOURS: hour at which they end. Up to `fromHour`, it is on the next day.',
  })
  untilHour?: number | null

  @Field(() => [DayOfWeek], { nullable: true, description: 'WORKING_HOURS: the days on which they begin.' })
  days?: readonly DayOfWeek[] | null

  @Field(() => String, {
    nullable: true,
    description: 'WORKING_HOURS: the time zone. Null for that of the connection.',
  })
  timeZone?: string | null
}

/** Row of a policy. Later rows of the same target replace it. */
@Entity('purchase_policies')
@Unique('applicationId', 'version')
@Indexes(['applicationId', 'target', 'effectiveAt', 'version'])
@ObjectType('PurchasePolicy', {
  simpleResolvers: true,
  description:
    'A policy of purchase checks: the stage, and the settings of rules. What it leaves out is inherited: a vehicle inherits from its groups, then from the connection, its tags and the application.',
})
export class StoredPurchasePolicy {
  @Field(() => ID, { description: 'The id of the policy, with the prefix `ppl_`.' })
  @KeyColumn()
  id: Id<'purchasePolicy'>

  @IdColumn()
  applicationId: Id<'application'>

  @Field(() => Int, { description: 'The number of the policy in the application, from 1 on.' })
  @NumberColumn()
  version: number

  /** Kind and value of what the policy is for, such as `tag:west`. */
  @TextColumn()
  target: string

  @Field(() => String, { nullable: true, description: 'The tag of the connections that it is for.' })
  @Computed(({ target }: StoredPurchasePolicy) => valueOfTarget(target, 'tag'))
  tag?: string | null

  @Field(() => entityStub('Connection'), { nullable: true, description: 'The connection that it is for.' })
  @Computed(({ target }: StoredPurchasePolicy) => entityRef(valueOfTarget(target, 'connection')))
  connection?: EntityRef | null

  @Field(() => entityStub('Group'), {
    nullable: true,
    description: 'The group of the vehicles that it is for.',
  })
  @Computed(({ target }: StoredPurchasePolicy) => entityRef(valueOfTarget(target, 'group')))
  group?: EntityRef | null

  @Field(() => entityStub('Vehicle'), { nullable: true, description: 'The vehicle that it is for.' })
  @Computed(({ target }: StoredPurchasePolicy) => entityRef(valueOfTarget(target, 'vehicle')))
  vehicle?: EntityRef | null

  @Field(() => PurchaseStage, { nullable: true, description: 'The stage. Null if it is inherited.' })
  @IdColumn({ nullable: true })
  stage: PurchaseStage | null

  @JsonColumn()
  settings: SettingsByRule

  @Field(() => [PurchaseRuleSettings], { description: 'The settings of the rules that it changes.' })
  @Computed(({ settings }: StoredPurchasePolicy) => settingsList(settings))
  rules?: PurchaseRuleSettings[]

  @Field(() => DateTime, { description: 'From when on it applies.' })
  @InstantColumn()
  effectiveAt: Instant

  @Field(() => DateTime, { description: 'When it was set.' })
  @InstantColumn()
  createdAt: Instant
}

@ObjectType({
  simpleResolvers: true,
  description: 'The policy that applies now: the stage and the settings of every rule.',
})
export class EffectivePurchasePolicy {
  @Field(() => Int, { description: 'The highest number of the policies that apply; 0 for the defaults.' })
  version: number

  @Field(() => PurchaseStage, { description: 'The stage.' })
  stage: PurchaseStage

  @Field(() => [PurchaseRuleSettings], { description: 'The settings of all rules.' })
  rules: PurchaseRuleSettings[]
}

/** Returns the settings as a list in the order of the rules. */
export const settingsList = (settings: SettingsByRule): PurchaseRuleSettings[] =>
  ruleNames.flatMap((rule) => {
    const own = settings[rule]
    return own ? [{ rule, action: own.action ?? null, ...limitsOfRule(rule, own.limits) }] : []
  })

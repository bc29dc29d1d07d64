import { Field, ID, Int, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import { DAY_MS } from '../../../domain/models/lookback.ts'
import type { Instant } from '../../../domain/time.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  KeyColumn,
  NumberColumn,
} from '../../../storage/sql/columns.ts'
import { Computed } from '../../schema/build-subgraph.ts'
import { DateTime } from '../../schema/scalars.ts'
import type { DecisionByStage } from '../policy/decide.ts'
import type { RuleFinding } from '../policy/policy.ts'
import { PurchaseRuleSettings, type SettingsByRule, settingsList } from '../policy/purchase-policy.ts'
import type { PurchasePhase } from '../purchase-enums.ts'
import type { ReplayPosition } from './past-purchase.ts'
import { PurchaseReplaySummary } from './replay-summary.ts'

/** Replays and their results are deleted after this time. */
export const REPLAYS_KEPT_MS = 30 * DAY_MS

/** Replay of past purchases. It has a period if `replayPurchases` requested it, and none if a command runs it. */
@Entity('purchase_replays')
@Indexes(['applicationId', 'inputHash', 'id'], ['applicationId', 'id'], ['endedAt', 'id'])
@ObjectType({
  simpleResolvers: true,
  description:
    'A replay of past purchases: what the policies that applied at `createdAt`, and other rules on top of them, decide with what Odograph had received by the time of each purchase. It is deleted after 30 days.',
})
export class PurchaseReplay {
  @Field(() => ID, { description: 'The id of the replay, with the prefix `prpl_`.' })
  @KeyColumn()
  id: Id<'purchaseReplay'>

  @IdColumn()
  applicationId: Id<'application'>

  /** Hash by which a command finds its replay that was interrupted; empty for one that a request started. */
  @IdColumn()
  inputHash: string

  @Field(() => DateTime, {
    nullable: true,
    description:
      'It replays checks of purchases at or after this time. Null for a replay at the command line.',
  })
  @InstantColumn({ nullable: true })
  purchasedAfter: Instant | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'It replays checks of purchases before this time. Null for a replay at the command line.',
  })
  @InstantColumn({ nullable: true })
  purchasedBefore: Instant | null

  @JsonColumn()
  settings: SettingsByRule

  @Field(() => [PurchaseRuleSettings], { description: 'The settings of the rules that it tries.' })
  @Computed(({ settings }: PurchaseReplay) => settingsList(settings))
  rules?: PurchaseRuleSettings[]

  @Field(() => Int, { description: 'The number of checks to replay.' })
  @NumberColumn()
  total: number

  @Field(() => Int, { description: 'The number of checks that were replayed, in the order of their time.' })
  @NumberColumn()
  done: number

  /** Position of the last purchase that was replayed. */
  @JsonColumn({ nullable: true })
  position: ReplayPosition | null

  @Field(() => DateTime, { description: 'When it was requested.' })
  @InstantColumn()
  createdAt: Instant

  @Field(() => DateTime, { nullable: true, description: 'When it ended. Null until then.' })
  @InstantColumn({ nullable: true })
  endedAt: Instant | null

  @Field(() => PurchaseReplaySummary, {
    nullable: true,
    description: 'The sums over its results. Null until it has ended.',
  })
  @JsonColumn({ nullable: true })
  summary: PurchaseReplaySummary | null
}

/** What a replay found about a purchase. */
export interface ReplayResult {
  /** Decisions with the policy that applies now. */
  readonly current: DecisionByStage
  /** Decisions with the settings of the replay. */
  readonly tried: DecisionByStage
  /** What the rules found with the settings of the replay. Rules that passed are left out. */
  readonly findings: readonly RuleFinding[]
  /** What they found with the policy that applies now. */
  readonly currentFindings: readonly Pick<RuleFinding, 'rule' | 'outcome'>[]
  /** Whether the purchase is from before the connection and has data, whose receipt is then assumed. */
  readonly isReceiptAssumed: boolean
}

/** A purchase that was replayed. */
@Entity('replayed_purchases')
@Indexes(['replayId', 'id'], ['connectionId', 'id'])
export class ReplayedPurchase {
  /** Id of the replay with the number of the purchase, in the order of time. */
  @KeyColumn()
  id: string

  @IdColumn()
  replayId: Id<'purchaseReplay'>

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  @IdColumn()
  vehicleId: string

  @InstantColumn()
  purchasedAt: Instant

  @IdColumn()
  phase: PurchasePhase

  /** Line of the file that has the purchase. */
  @NumberColumn({ nullable: true })
  line: number | null

  /** Check that was replayed. */
  @IdColumn({ nullable: true })
  checkId: string | null

  @JsonColumn()
  result: ReplayResult
}

/** Returns the id of the result of a purchase. Ids of one replay sort by number. */
export const replayedId = (replayId: Id<'purchaseReplay'>, number: number): string =>
  `${replayId}/${String(number).padStart(9, '0')}`

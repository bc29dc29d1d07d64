import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import type { Instant } from '../../../domain/time.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  KeyColumn,
  NumberColumn,
} from '../../../storage/sql/columns.ts'
import type { DecisionByStage } from '../policy/decide.ts'
import type { RuleFinding } from '../policy/policy.ts'
import type { SettingsByRule } from '../policy/purchase-policy.ts'

/** Replays and their results are deleted after this time. */
export const REPLAYS_KEPT_MS = 30 * 24 * 3_600_000

/** Replay of past purchases with the policies that apply now, and with other settings on top of them. */
@Entity('purchase_replays')
@Indexes(['applicationId', 'inputHash', 'id'], ['applicationId', 'id'])
export class PurchaseReplay {
  @KeyColumn()
  id: Id<'purchaseReplay'>

  @IdColumn()
  applicationId: Id<'application'>

  /** Hash of the purchases and the settings, by which the same command finds a replay that was interrupted. */
  @IdColumn()
  inputHash: string

  @JsonColumn()
  settings: SettingsByRule

  @NumberColumn()
  total: number

  /** Number of purchases that were replayed, in the order of their time. */
  @NumberColumn()
  done: number

  @InstantColumn()
  createdAt: Instant

  @InstantColumn({ nullable: true })
  endedAt: Instant | null
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
  /** Whether the position or the fuel level is from before the connection, so that its receipt is assumed. */
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

  /** Line of the file that has the purchase. */
  @NumberColumn({ nullable: true })
  line: number | null

  @JsonColumn()
  result: ReplayResult
}

/** Returns the id of the result of a purchase. Ids of one replay sort by number. */
export const replayedId = (replayId: Id<'purchaseReplay'>, number: number): string =>
  `${replayId}/${String(number).padStart(9, '0')}`

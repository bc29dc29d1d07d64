import { Directive, Field, Float, Int, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  JsonColumn,
  KeyColumn,
  NumberColumn,
  TextColumn,
  Unique,
} from '../../storage/sql/columns.ts'
import { Computed, Loaded } from '../schema/build-subgraph.ts'
import { entityRef, type EntityRef, entityStub } from '../schema/entity-references.ts'
import { ConnectionField } from '../schema/graph-only-fields.ts'
import { Node } from '../schema/node-interface.ts'
import { DateTime, Json } from '../schema/scalars.ts'
import { listIndexesBy } from '../tables/provider-record.ts'
import type { VisibleContext } from '../tables/visible-reads.ts'
import { FuelProduct } from './fuel-product.ts'
import { PurchaseEvidence } from './evidence/purchase-evidence.ts'
import { Merchant, PurchaseAmount } from './merchant.ts'
import { type DecisionByStage, PurchaseDecision } from './policy/decide.ts'
import { PurchaseStage, RuleAction, type RuleFinding, type RuleName } from './policy/policy.ts'
import { PurchasePhase, PurchaseRuleEnum } from './purchase-enums.ts'
import { RuleOutcome } from './rules/rule.ts'

@ObjectType({ simpleResolvers: true, description: 'The fuel of a purchase.' })
export class PurchasedFuel {
  @Field(() => FuelProduct, { nullable: true, description: 'The product.' })
  product?: FuelProduct | null

  @Field(() => Float, { nullable: true, description: 'The liters.' })
  liters?: number | null

  @Field(() => Float, { nullable: true, description: 'The price of a liter in the currency of the amount.' })
  unitPrice?: number | null
}

@ObjectType({ simpleResolvers: true, description: 'What a rule found about a purchase.' })
export class PurchaseReason implements RuleFinding {
  @Field(() => PurchaseRuleEnum, { description: 'The rule.' })
  rule: RuleName

  @Field(() => RuleOutcome, { description: 'The result of the rule.' })
  outcome: RuleOutcome

  @Field(() => RuleAction, { description: 'What follows if the rule fails.' })
  action: RuleAction

  @Field(() => Float, { nullable: true, description: 'What the rule compared with its limit.' })
  measured: number | null

  @Field(() => Float, { nullable: true, description: 'The limit: the rule fails above it.' })
  limit: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'The limit less what was measured. Negative if the rule fails.',
  })
  @Computed(({ measured, limit }: PurchaseReason) =>
    measured === null || limit === null ? null : limit - measured,
  )
  margin?: number | null

  @Field(() => String, { nullable: true, description: 'The unit of `measured`, `limit` and `margin`.' })
  unit: string | null

  @Field(() => String, { description: 'The explanation, as a sentence.' })
  text: string
}

@ObjectType({ simpleResolvers: true, description: 'The decision that each stage would have given.' })
export class PurchaseDecisionByStage implements DecisionByStage {
  @Field(() => PurchaseDecision, { description: 'The decision by location.' })
  v1: PurchaseDecision

  @Field(() => PurchaseDecision, { description: 'The decision by location, fuel and tank.' })
  v2: PurchaseDecision

  @Field(() => PurchaseDecision, {
    description: 'The decision by location, fuel, tank, and state or province.',
  })
  v3: PurchaseDecision
}

@ObjectType({
  simpleResolvers: true,
  description: 'What the fuel level of the vehicle showed after the capture of a purchase.',
})
export class PurchaseReconciliation {
  @Field(() => DateTime, { description: 'When Odograph compared the liters with the fuel level.' })
  reconciledAt: number

  @Field(() => [PurchaseReason], { description: 'What the rules found that need the later fuel levels.' })
  reasons: PurchaseReason[]
}

interface AuthorizationContext {
  readonly purchases: {
    readonly purchaseCheck: { load(id: string): Promise<PurchaseCheck | null> }
  }
}

@Directive('@key(fields: "id")')
@Entity('purchase_checks')
@Unique('keyHash')
@Indexes(
  ...listIndexesBy('purchasedAt', 'vehicleId'),
  ['applicationId', 'cardId', 'purchasedAt', 'id'],
  ['applicationId', 'authorizationId', 'id'],
  ['applicationId', 'authorizationCheckId'],
  ['reconcileAt', 'id'],
)
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A check of a fuel purchase: the decision, what the rules found, and what was known.',
})
export class PurchaseCheck extends Node {
  @KeyColumn()
  override readonly id: Id<'purchaseCheck'>

  @IdColumn()
  applicationId: Id<'application'>

  /** Null only for a check that could not be recorded. */
  @IdColumn()
  connectionId: Id<'connection'> | null

  @ConnectionField()
  connection?: EntityRef | null

  /** Hash of the application and the idempotency key. */
  @IdColumn({ hidden: true })
  keyHash: string

  /** Hash of the input. A repetition has the same. */
  @IdColumn()
  inputHash: string

  @Field(() => String, {
    description: "The caller's key of the request. A repetition returns the same check.",
  })
  @TextColumn()
  idempotencyKey: string

  /** Empty only for a check that could not be recorded. */
  @IdColumn()
  vehicleId: string

  @Field(() => entityStub('Vehicle'), { nullable: true, description: 'The vehicle.' })
  @Computed((row: PurchaseCheck) => entityRef(row.vehicleId || null))
  vehicle?: EntityRef | null

  @IdColumn({ nullable: true })
  driverId: string | null

  @Field(() => entityStub('Driver'), {
    nullable: true,
    description: 'The driver that the caller named. Null if none, or hidden.',
  })
  @Loaded((row: PurchaseCheck, { visible }: VisibleContext) => visible.reference('drivers', row.driverId))
  driver?: EntityRef | null

  @Field(() => String, { nullable: true, description: "The caller's own id of the card." })
  @TextColumn({ nullable: true })
  cardId: string | null

  @Field(() => DateTime, { description: 'When the purchase happened.' })
  @InstantColumn()
  purchasedAt: number

  @Field(() => DateTime, { description: 'When Odograph checked the purchase.' })
  @InstantColumn()
  checkedAt: number

  @Field(() => PurchasePhase, { description: 'When in its course the purchase was checked.' })
  @IdColumn()
  phase: PurchasePhase

  @Field(() => String, { nullable: true, description: "The card network's id of the authorization." })
  @TextColumn({ nullable: true })
  authorizationId: string | null

  @IdColumn({ nullable: true })
  authorizationCheckId: Id<'purchaseCheck'> | null

  @Field(() => PurchaseCheck, {
    nullable: true,
    description: 'The check of the authorization that this purchase captures. Null if none is known.',
  })
  @Loaded(({ authorizationCheckId }: PurchaseCheck, { purchases }: AuthorizationContext) =>
    authorizationCheckId === null ? null : purchases.purchaseCheck.load(authorizationCheckId),
  )
  authorization?: PurchaseCheck | null

  @Field(() => Merchant, { description: 'The merchant.' })
  @JsonColumn()
  merchant: Merchant

  @Field(() => PurchaseAmount, { description: 'The amount.' })
  @JsonColumn()
  amount: PurchaseAmount

  @Field(() => PurchasedFuel, { nullable: true, description: 'The fuel.' })
  @JsonColumn({ nullable: true })
  fuel: PurchasedFuel | null

  @Field(() => Json, { nullable: true, description: "The caller's own data, unchanged." })
  @JsonColumn({ nullable: true })
  metadata: unknown

  @Field(() => PurchaseDecision, { description: 'The decision.' })
  @IdColumn()
  decision: PurchaseDecision

  @Field(() => PurchaseStage, { description: 'The stage that decided.' })
  @IdColumn()
  stage: PurchaseStage

  @Field(() => PurchaseDecisionByStage, { description: 'The decision that each stage would have given.' })
  @JsonColumn()
  wouldBe: PurchaseDecisionByStage

  @Field(() => [PurchaseReason], { description: 'What each rule found.' })
  @JsonColumn()
  reasons: PurchaseReason[]

  @Field(() => PurchaseEvidence, { description: 'What was known about the vehicle.' })
  @JsonColumn()
  evidence: PurchaseEvidence

  /** When the fuel level is next compared with the liters; null if it is not. */
  @InstantColumn({ nullable: true })
  reconcileAt: number | null

  @Field(() => PurchaseReconciliation, {
    nullable: true,
    description:
      'What the fuel level showed after the capture of a purchase. Null until it is known, and for an authorization.',
  })
  @JsonColumn({ nullable: true })
  reconciliation: PurchaseReconciliation | null

  @Field(() => Int, { description: 'The number of the policy; 0 for the defaults.' })
  @NumberColumn()
  policyVersion: number

  @Field(() => Float, { description: 'Duration of the decision in milliseconds.' })
  @NumberColumn()
  milliseconds: number
}

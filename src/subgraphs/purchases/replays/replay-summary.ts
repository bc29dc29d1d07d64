import { Field, Int, ObjectType } from 'type-graphql'
import type { PurchaseDecision } from '../policy/decide.ts'
import { PurchaseStage, type RuleName } from '../policy/policy.ts'
import { PurchasePhase, PurchaseRuleEnum } from '../purchase-enums.ts'

@ObjectType({ simpleResolvers: true, description: 'Numbers of checks by their decision.' })
export class PurchaseDecisionCounts implements Record<PurchaseDecision, number> {
  @Field(() => Int, { description: 'Checks with the decision APPROVE.' })
  approve: number

  @Field(() => Int, { description: 'Checks with the decision DECLINE.' })
  decline: number

  @Field(() => Int, { description: 'Checks with the decision CONFIRM.' })
  confirm: number

  @Field(() => Int, { description: 'Checks with the decision UNKNOWN.' })
  unknown: number
}

@ObjectType({ simpleResolvers: true, description: 'What a stage decides in a phase of purchases.' })
export class PurchaseReplayDecisions {
  @Field(() => PurchasePhase, { description: 'The phase of the checks.' })
  phase: PurchasePhase

  @Field(() => PurchaseStage, { description: 'The stage.' })
  stage: PurchaseStage

  @Field(() => PurchaseDecisionCounts, { description: 'With the policies that applied at `createdAt`.' })
  current: PurchaseDecisionCounts

  @Field(() => PurchaseDecisionCounts, { description: 'With the rules of the replay on top of them.' })
  tried: PurchaseDecisionCounts
}

@ObjectType({ simpleResolvers: true, description: 'Numbers of checks in which a rule did not pass.' })
export class PurchaseReplayRuleCounts {
  @Field(() => Int, { description: 'Checks in which the rule failed.' })
  fail: number

  @Field(() => Int, { description: 'Checks in which the rule lacked facts.' })
  unknown: number
}

@ObjectType({ simpleResolvers: true, description: 'What a rule found in a replay.' })
export class PurchaseReplayRule {
  @Field(() => PurchaseRuleEnum, { description: 'The rule.' })
  rule: RuleName

  @Field(() => PurchaseReplayRuleCounts, { description: 'With the policies that applied at `createdAt`.' })
  current: PurchaseReplayRuleCounts

  @Field(() => PurchaseReplayRuleCounts, { description: 'With the rules of the replay on top of them.' })
  tried: PurchaseReplayRuleCounts
}

@ObjectType({ simpleResolvers: true, description: 'Sums over the results of a replay.' })
export class PurchaseReplaySummary {
  @Field(() => Int, { description: 'Checks that were replayed: authorizations and captures.' })
  checks: number

  @Field(() => Int, {
    description: 'Checks that were left out, because their vehicle does not exist any more.',
  })
  withoutVehicle: number

  @Field(() => Int, {
    description:
      'Checks with data from before the connection, whose time of receipt is assumed: the usual delay of the vehicle after its measurement.',
  })
  withAssumedReceipt: number

  @Field(() => Int, { description: 'Days in UTC on which there were purchases.' })
  days: number

  @Field(() => [PurchaseReplayDecisions], { description: 'The decisions of each stage in each phase.' })
  decisions: PurchaseReplayDecisions[]

  @Field(() => [PurchaseReplayRule], { description: 'The rules that did not pass in each check.' })
  rules: PurchaseReplayRule[]
}

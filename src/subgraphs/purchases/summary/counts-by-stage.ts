import { Field, Int, ObjectType } from 'type-graphql'
import { PurchaseAmount } from '../merchant.ts'

@ObjectType({ simpleResolvers: true, description: 'A number of purchases or captures for each stage.' })
export class PurchaseCountByStage {
  @Field(() => Int, { description: 'By location.' })
  v1: number

  @Field(() => Int, { description: 'By location, fuel and tank.' })
  v2: number

  @Field(() => Int, { description: 'By location, fuel, tank, and state or province.' })
  v3: number
}

@ObjectType({
  simpleResolvers: true,
  description:
    'The numbers of checks by the result of a rule. A comparison with the fuel level counts for the check of its capture.',
})
export class PurchaseRuleResults {
  @Field(() => Int, { description: 'Checks in which the rule failed.' })
  failed: number

  @Field(() => Int, { description: 'Checks in which the rule permitted the purchase.' })
  passed: number

  @Field(() => Int, { description: 'Checks in which the rule lacked facts.' })
  unknown: number
}

@ObjectType({ simpleResolvers: true, description: 'Money for each stage, one amount for each currency.' })
export class PurchaseAmountsByStage {
  @Field(() => [PurchaseAmount], { description: 'By location.' })
  v1: PurchaseAmount[]

  @Field(() => [PurchaseAmount], { description: 'By location, fuel and tank.' })
  v2: PurchaseAmount[]

  @Field(() => [PurchaseAmount], { description: 'By location, fuel, tank, and state or province.' })
  v3: PurchaseAmount[]
}

import { Field, Float, ObjectType } from 'type-graphql'
import { GeoPoint } from '../schema/value-types.ts'

@ObjectType({
  simpleResolvers: true,
  description: 'The address of a merchant, as the card network reports it.',
})
export class MerchantAddress {
  @Field(() => String, { nullable: true, description: 'Street and number.' })
  line1?: string | null

  @Field(() => String, { nullable: true, description: 'The city.' })
  city?: string | null

  @Field(() => String, { nullable: true, description: 'The state or province, such as TX.' })
  state?: string | null

  @Field(() => String, { nullable: true, description: 'The postal code.' })
  postalCode?: string | null

  @Field(() => String, { description: 'The country by ISO 3166, such as US.' })
  country: string
}

@ObjectType({ simpleResolvers: true, description: 'A merchant that sells fuel.' })
export class Merchant {
  @Field(() => String, { description: 'The name.' })
  name: string

  @Field(() => String, {
    description: 'The merchant category code, such as 5542 for automated fuel dispensers.',
  })
  categoryCode: string

  @Field(() => String, { nullable: true, description: 'Your own id of the site, as the purchase named it.' })
  siteId?: string | null

  @Field(() => GeoPoint, { nullable: true, description: 'The position of the pump.' })
  coordinates?: GeoPoint | null

  @Field(() => MerchantAddress, { nullable: true, description: 'The address.' })
  address?: MerchantAddress | null
}

@ObjectType({ simpleResolvers: true, description: 'An amount of money.' })
export class PurchaseAmount {
  @Field(() => Float, { description: 'The value in the major unit of the currency, such as dollars.' })
  value: number

  @Field(() => String, { description: 'The currency by ISO 4217, such as USD.' })
  currency: string
}

import { Field, Float, InputType } from 'type-graphql'
import { CoordinatesInput } from '../check-purchase-input.ts'

@InputType({
  description:
    'A site of your own. It replaces the earlier one with this `siteId`. Texts have at most 255 characters.',
})
export class SetPurchaseSiteInput {
  @Field(() => String, {
    description: "Your own id of the site, such as the card network's id of the site or terminal.",
  })
  siteId: string

  @Field(() => String, { description: 'The name, as card networks report it.' })
  name: string

  @Field(() => CoordinatesInput, { description: 'The position of the site. Not 0, 0, which is in the sea.' })
  coordinates: CoordinatesInput

  @Field(() => Float, {
    nullable: true,
    description: 'How far a pump may be from the coordinates, in meters: 10 to 5000. Default: 100.',
  })
  radiusMeters?: number | null

  @Field(() => String, {
    nullable: true,
    description:
      'The postal code. With `country` and a name that has a store number of three digits or more, it finds the site of a purchase that names none.',
  })
  postalCode?: string | null

  @Field(() => String, { nullable: true, description: 'The city.' })
  city?: string | null

  @Field(() => String, { nullable: true, description: 'The state or province, such as TX.' })
  state?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The country by ISO 3166, such as US. Required with `postalCode`.',
  })
  country?: string | null
}

@InputType({ description: 'A site to remove.' })
export class RemovePurchaseSiteInput {
  @Field(() => String, { description: 'Your own id of the site.' })
  siteId: string
}

import { Field, Float, ID, InputType } from 'type-graphql'
import { DateTime, Json } from '../schema/scalars.ts'
import { FuelProduct } from './fuel-product.ts'
import { PurchasePhase } from './purchase-enums.ts'

@InputType({ description: 'A position on Earth in WGS 84.' })
export class CoordinatesInput {
  @Field(() => Float, { description: 'Longitude in degrees, east positive.' })
  longitude: number

  @Field(() => Float, { description: 'Latitude in degrees, north positive.' })
  latitude: number
}

@InputType({ description: 'The address of a merchant, as the card network reports it.' })
export class MerchantAddressInput {
  @Field(() => String, { nullable: true, description: 'Street and number.' })
  line1?: string | null

  @Field(() => String, { nullable: true, description: 'The city.' })
  city?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The state or province, such as TX; in Mexico, such as NLE. The place of a city needs it.',
  })
  state?: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The postal code. Its place is known in the US and Canada.',
  })
  postalCode?: string | null

  @Field(() => String, { description: 'The country by ISO 3166, such as US.' })
  country: string
}

@InputType({ description: 'A merchant that sells fuel.' })
export class MerchantInput {
  @Field(() => String, { description: 'The name.' })
  name: string

  @Field(() => String, {
    description: 'The merchant category code, such as 5542 for automated fuel dispensers.',
  })
  categoryCode: string

  @Field(() => String, {
    nullable: true,
    description:
      'Your own id of the site, as `setPurchaseSite` got it. Its place comes before the coordinates. An unknown id is as none.',
  })
  siteId?: string | null

  @Field(() => CoordinatesInput, {
    nullable: true,
    description:
      'The position of the pump. Without it and a site, the place of the merchant is as wide as its postal code or city.',
  })
  coordinates?: CoordinatesInput | null

  @Field(() => MerchantAddressInput, {
    nullable: true,
    description:
      'The address. Without coordinates, it gives the place of the merchant in the US, Canada and Mexico. Without a known place, the rules about places are UNKNOWN.',
  })
  address?: MerchantAddressInput | null
}

@InputType({ description: 'An amount of money.' })
export class PurchaseAmountInput {
  @Field(() => Float, { description: 'The value in the major unit of the currency, such as dollars.' })
  value: number

  @Field(() => String, { description: 'The currency by ISO 4217, such as USD.' })
  currency: string
}

@InputType({ description: 'The fuel of a purchase.' })
export class PurchasedFuelInput {
  @Field(() => FuelProduct, {
    nullable: true,
    description: 'The product. Without it, the liters count as fuel for the tank.',
  })
  product?: FuelProduct | null

  @Field(() => Float, {
    nullable: true,
    description: 'The liters. Without them, they are the amount divided by `unitPrice`.',
  })
  liters?: number | null

  @Field(() => Float, {
    nullable: true,
    description: 'The price of a liter in the currency of the amount. Leave it out if the amount is nominal.',
  })
  unitPrice?: number | null
}

@InputType({ description: 'A purchase to check.' })
export class CheckPurchaseInput {
  @Field(() => String, {
    description:
      'A key that identifies the purchase: 1 to 255 printable ASCII characters. A repetition with the same key and input returns the same check; with another input it fails with IDEMPOTENCY_KEY_REUSED.',
  })
  idempotencyKey: string

  @Field(() => ID, {
    nullable: true,
    description: 'The vehicle. Without it, the vehicle that `cardId` is assigned to.',
  })
  vehicleId?: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The driver who buys. Without `vehicleId`, the default is the driver that the card is assigned to.',
  })
  driverId?: string | null

  @Field(() => String, {
    nullable: true,
    description: "Your own id of the card, at most 255 characters. The card's number is refused.",
  })
  cardId?: string | null

  @Field(() => String, {
    nullable: true,
    description:
      "The card network's id of the authorization, at most 255 characters. It must be unique in the application: `captureForCheck` finds the check by it.",
  })
  authorizationId?: string | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'When the purchase happened. Default: now. Required for a capture.',
  })
  at?: number | null

  @Field(() => MerchantInput, { description: 'The merchant.' })
  merchant: MerchantInput

  @Field(() => PurchaseAmountInput, { description: 'The amount.' })
  amount: PurchaseAmountInput

  @Field(() => PurchasedFuelInput, { nullable: true, description: 'The fuel, if known.' })
  fuel?: PurchasedFuelInput | null

  @Field(() => PurchasePhase, {
    defaultValue: PurchasePhase.AUTHORIZATION,
    description: 'When in its course the purchase is checked.',
  })
  phase: PurchasePhase

  @Field(() => Json, {
    nullable: true,
    description:
      'Your own data: an object whose JSON has at most 4,000 characters. It is returned unchanged.',
  })
  metadata?: unknown
}

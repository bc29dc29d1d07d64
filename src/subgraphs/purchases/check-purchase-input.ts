import { Field, Float, ID, InputType } from 'type-graphql'
import { invalidMember } from '../../domain/errors.ts'
import { isId, withArticle } from '../../domain/ids.ts'
import type { Instant } from '../../domain/time.ts'
import { DateTime, Json } from '../schema/scalars.ts'
import { litersOf } from './evidence/liters-of.ts'
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

  @Field(() => String, { nullable: true, description: 'The state or province, such as TX.' })
  state?: string | null

  @Field(() => String, { nullable: true, description: 'The postal code.' })
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

  @Field(() => CoordinatesInput, {
    nullable: true,
    description: 'The position of the pump. Without it, the rules about places are UNKNOWN.',
  })
  coordinates?: CoordinatesInput | null

  @Field(() => MerchantAddressInput, { nullable: true, description: 'The address.' })
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

  @Field(() => ID, { description: 'The vehicle of the card.' })
  vehicleId: string

  @Field(() => ID, { nullable: true, description: 'The driver who buys, if known.' })
  driverId?: string | null

  @Field(() => String, {
    nullable: true,
    description: "Your own id of the card, at most 255 characters. The card's number is refused.",
  })
  cardId?: string | null

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

const KEY = /^[\x20-\x7e]{1,255}$/
const CATEGORY_CODE = /^\d{4}$/
const CURRENCY = /^[A-Z]{3}$/
const COUNTRY = /^[A-Z]{2}$/
const MAX_TEXT_LENGTH = 255
const MAX_METADATA_LENGTH = 4000
/** Limit of amounts and liters: no purchase of fuel for a vehicle is larger. */
const MAX_QUANTITY = 1_000_000
/** Clocks of callers may be ahead by this time. */
const MAX_AHEAD_MS = 5 * 60_000

/** Throws if a member of the input is invalid. */
export function validatePurchase(input: CheckPurchaseInput, now: Instant): void {
  const require = (condition: boolean, member: string, message: string) => {
    if (!condition) throw invalidMember(member, message)
  }
  const requireText = (text: string | null | undefined, member: string) =>
    require(text == null ||
      (text.trim() !== '' &&
        text.length <= MAX_TEXT_LENGTH), member, `Give 1 to ${MAX_TEXT_LENGTH} characters.`)
  const requireQuantity = (quantity: number | null | undefined, member: string, above: number) =>
    require(quantity == null ||
      (quantity > above &&
        quantity <=
          MAX_QUANTITY), member, `Give a number above ${above}, and at most ${MAX_QUANTITY.toLocaleString('en')}.`)
  const { merchant, amount, fuel, cardId, at, metadata } = input
  const { coordinates, address } = merchant
  require(KEY.test(input.idempotencyKey), 'idempotencyKey', 'Give 1 to 255 printable ASCII characters.')
  requireId('vehicle', input.vehicleId)
  requireId('driver', input.driverId)
  requireText(cardId, 'cardId')
  require(!isCardNumber(cardId ?? ''), 'cardId', 'Give your own id of the card, not its number.')
  require(at == null || at <= now + MAX_AHEAD_MS, 'at', 'Give a time that is not in the future.')
  require(at != null || input.phase !== PurchasePhase.CAPTURE, 'at', 'Give the time of the purchase.')
  requireText(merchant.name, 'merchant.name')
  require(CATEGORY_CODE.test(
    merchant.categoryCode,
  ), 'merchant.categoryCode', 'Give four digits, such as 5542.')
  require(!coordinates ||
    (isWithin(coordinates.longitude, 180) &&
      isWithin(
        coordinates.latitude,
        90,
      )), 'merchant.coordinates', 'Give a longitude from -180 to 180 and a latitude from -90 to 90.')
  for (const name of ['line1', 'city', 'state', 'postalCode'] as const)
    requireText(address?.[name], `merchant.address.${name}`)
  require(!address ||
    COUNTRY.test(address.country), 'merchant.address.country', 'Give two capital letters, such as US.')
  require(amount.value >= 0 &&
    amount.value <=
      MAX_QUANTITY, 'amount.value', `Give a number from 0 to ${MAX_QUANTITY.toLocaleString('en')}.`)
  require(CURRENCY.test(amount.currency), 'amount.currency', 'Give three capital letters, such as USD.')
  requireQuantity(fuel?.liters, 'fuel.liters', 0)
  requireQuantity(fuel?.unitPrice, 'fuel.unitPrice', 0)
  require((litersOf(input) ?? 0) <= MAX_QUANTITY, 'fuel.unitPrice', 'Give the price of a liter.')
  require(isMetadata(
    metadata,
  ), 'metadata', `Give an object whose JSON has at most ${MAX_METADATA_LENGTH} characters.`)
}

function requireId(kind: 'vehicle' | 'driver', id: string | null | undefined): void {
  if (id != null && !isId(kind, id)) throw invalidMember(`${kind}Id`, `Give the id of ${withArticle(kind)}.`)
}

const isWithin = (degrees: number, limit: number): boolean => Math.abs(degrees) <= limit

const isMetadata = (metadata: unknown): boolean =>
  metadata == null ||
  (typeof metadata === 'object' &&
    !Array.isArray(metadata) &&
    JSON.stringify(metadata).length <= MAX_METADATA_LENGTH)

/**
 * Whether a text may be a card number: 13 to 19 digits that begin like those of card networks, with the check digit of
 * Luhn. Spaces, points and hyphens may separate them.
 */
function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/[ .-]/g, '')
  if (!/^[2-7]\d{12,18}$/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

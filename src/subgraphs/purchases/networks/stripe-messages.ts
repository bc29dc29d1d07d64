import { z } from 'zod'
import { isStorableText } from '../../../domain/text.ts'
import type { CaptureForCheckInput } from '../captures/capture-for-check-input.ts'
import type { CheckPurchaseInput, MerchantInput, PurchasedFuelInput } from '../check-purchase-input.ts'
import { FuelProduct } from '../fuel-product.ts'
import { PurchasePhase } from '../purchase-enums.ts'
import { merchantOf, sellsFuel, textIn } from './fuel-merchant.ts'
import { fromMinorUnits } from './minor-units.ts'

/** Members of Stripe's messages that a check uses. Stripe adds others at any time. */
const text = z.string().nullish()
const id = z.string().regex(/^\w{1,200}$/)
const eventSchema = z.object({
  type: z.string(),
  /** Version of the format of the event. The answer must have the same format. */
  api_version: z
    .string()
    .regex(/^[\w.-]{1,64}$/)
    .nullish(),
  data: z.object({ object: z.unknown() }),
})
const fuelSchema = z.object({
  type: text,
  unit: text,
  quantity_decimal: z.union([z.string(), z.number()]).nullish(),
})
const merchantSchema = z.object({
  category_code: z.string(),
  network_id: text,
  name: text,
  city: text,
  state: text,
  postal_code: text,
  country: text,
})
const authorizationSchema = z.object({
  id,
  card: z.object({ id, metadata: z.record(z.string(), z.unknown()).nullish() }),
  merchant_data: merchantSchema,
  pending_request: z.object({ amount: z.number(), currency: z.string() }),
  request_history: z.array(z.unknown()).nullish(),
  fuel: fuelSchema.nullish(),
  fleet: z.object({ cardholder_prompt_data: z.record(z.string(), z.unknown()).nullish() }).nullish(),
})
const transactionSchema = z.object({
  id,
  amount: z.number(),
  currency: z.string(),
  merchant_data: z.object({ category_code: z.string() }).nullish(),
  authorization: z.union([id, z.object({ id })]).nullish(),
  purchase_details: z.object({ fuel: fuelSchema.nullish() }).nullish(),
})

export type StripeEvent = z.infer<typeof eventSchema>

/** Parses the body of a message. Throws if it is not an event. */
export const parseStripeEvent = (body: Buffer): StripeEvent => eventSchema.parse(JSON.parse(body.toString()))

/**
 * Returns the purchase of an event `issuing_authorization.request`. Stripe repeats the id of an authorization when its
 * amount is increased, so the idempotency key then also has the number of earlier requests. Null if the merchant does not
 * sell fuel.
 */
export function purchaseOfAuthorization({ data }: StripeEvent): CheckPurchaseInput | null {
  const { id, card, merchant_data, pending_request, request_history, fuel, fleet } =
    authorizationSchema.parse(data.object)
  if (!sellsFuel(merchant_data.category_code)) return null
  const earlierRequests = request_history?.length ?? 0
  const prompts = promptsOf(fleet?.cardholder_prompt_data)
  return {
    idempotencyKey: `stripe:${id}${earlierRequests > 0 ? `:${earlierRequests}` : ''}`,
    vehicleId: textIn(card.metadata?.['vehicleId']),
    driverId: textIn(card.metadata?.['driverId']),
    cardId: card.id,
    authorizationId: id,
    merchant: reportedMerchant(merchant_data),
    amount: fromMinorUnits(pending_request.amount, pending_request.currency),
    fuel: fuelOf(fuel),
    phase: PurchasePhase.AUTHORIZATION,
    metadata: prompts,
  }
}

/** Returns the capture of an event `issuing_transaction.created`; null if it captures no authorization of fuel. */
export function captureOfTransaction({ data }: StripeEvent): CaptureForCheckInput | null {
  const { type } = z.object({ type: z.string() }).parse(data.object)
  if (type !== 'capture') return null
  const { id, amount, currency, merchant_data, authorization, purchase_details } = transactionSchema.parse(
    data.object,
  )
  if (authorization == null || (merchant_data && !sellsFuel(merchant_data.category_code))) return null
  return {
    idempotencyKey: `stripe:${id}`,
    authorizationId: typeof authorization === 'string' ? authorization : authorization.id,
    // The amount of a capture is negative: it leaves the balance at Stripe.
    amount: fromMinorUnits(Math.abs(amount), currency),
    fuel: fuelOf(purchase_details?.fuel),
  }
}

const reportedMerchant = (merchant: z.infer<typeof merchantSchema>): MerchantInput =>
  merchantOf({
    name: merchant.name,
    categoryCode: merchant.category_code,
    siteId: merchant.network_id,
    country: merchant.country,
    address: { city: merchant.city, state: merchant.state, postalCode: merchant.postal_code },
  })

const litersByUnit: Readonly<Record<string, number>> = {
  liter: 1,
  us_gallon: 3.785411784,
  imperial_gallon: 4.54609,
}
const chargingUnits: readonly string[] = ['kilowatt_hour', 'charging_minute']
const productsByType: Readonly<Record<string, FuelProduct>> = {
  diesel: FuelProduct.DIESEL,
  unleaded_plus: FuelProduct.GASOLINE,
  unleaded_regular: FuelProduct.GASOLINE,
  unleaded_super: FuelProduct.GASOLINE,
  other: FuelProduct.OTHER,
}
/** More liters are a mistake of the merchant. The purchase is checked without them. */
const MAX_LITERS = 100_000

function fuelOf(fuel: z.infer<typeof fuelSchema> | null | undefined): PurchasedFuelInput | null {
  if (!fuel) return null
  const unit = fuel.unit ?? ''
  const liters = Number(fuel.quantity_decimal ?? 0) * (litersByUnit[unit] ?? 0)
  const product = chargingUnits.includes(unit) ? FuelProduct.ELECTRICITY : productsByType[fuel.type ?? '']
  return {
    product: product ?? null,
    liters: liters > 0 && liters <= MAX_LITERS ? Math.round(liters * 1000) / 1000 : null,
  }
}

/** Returns what the driver entered at the pump, such as the odometer; null if nothing. */
function promptsOf(prompts: Readonly<Record<string, unknown>> | null | undefined): object | null {
  const entered = Object.entries(prompts ?? {}).filter(
    ([name, value]) => isStorableText(name) && (typeof value === 'number' || textIn(value) !== undefined),
  )
  return entered.length > 0 ? { cardholderPrompts: Object.fromEntries(entered) } : null
}

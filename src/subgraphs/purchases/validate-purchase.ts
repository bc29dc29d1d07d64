import { invalidMember } from '../../domain/errors.ts'
import { isId, type Kind, withArticle } from '../../domain/ids.ts'
import type { Point } from '../../domain/models/point.ts'
import { isIdempotencyKey } from '../../domain/text.ts'
import type { Instant } from '../../domain/time.ts'
import type { CheckPurchaseInput } from './check-purchase-input.ts'
import { litersOf } from './evidence/liters-of.ts'
import { PurchasePhase } from './purchase-enums.ts'

const CATEGORY_CODE = /^\d{4}$/
const CURRENCY = /^[A-Z]{3}$/
const COUNTRY = /^[A-Z]{2}$/
const MAX_TEXT_LENGTH = 255
const MAX_METADATA_LENGTH = 4000
/** Limit of amounts and liters: no purchase of fuel for a vehicle is larger. */
const MAX_QUANTITY = 1_000_000
const MAX_QUANTITY_TEXT = MAX_QUANTITY.toLocaleString('en')
/** Clocks of callers may be ahead by this time. */
const MAX_AHEAD_MS = 5 * 60_000

/** Throws if a member of the input is invalid. */
export function validatePurchase(input: CheckPurchaseInput, now: Instant): void {
  const { idempotencyKey, vehicleId, driverId, cardId, authorizationId, at, phase, metadata } = input
  requireMember(
    isIdempotencyKey(idempotencyKey),
    'idempotencyKey',
    'Give 1 to 255 printable ASCII characters.',
  )
  requireId('vehicle', vehicleId)
  requireId('driver', driverId)
  if (cardId != null) validateCardId(cardId)
  requireMember(vehicleId != null || cardId != null, 'vehicleId', 'Give `vehicleId` or `cardId`.')
  requireText(authorizationId, 'authorizationId')
  requireMember(at == null || at <= now + MAX_AHEAD_MS, 'at', 'Give a time that is not in the future.')
  requireMember(at != null || phase !== PurchasePhase.CAPTURE, 'at', 'Give the time of the purchase.')
  validateMerchant(input)
  validateAmounts(input)
  const isShort = isMetadata(metadata)
  requireMember(
    isShort,
    'metadata',
    `Give an object whose JSON has at most ${MAX_METADATA_LENGTH} characters.`,
  )
}

/** Throws if a text is not the caller's own id of a card. */
export function validateCardId(cardId: string): void {
  requireText(cardId, 'cardId')
  requireMember(!isCardNumber(cardId), 'cardId', 'Give your own id of the card, not its number.')
}

function validateMerchant({
  merchant: { name, siteId, categoryCode, coordinates, address },
}: CheckPurchaseInput): void {
  requireText(name, 'merchant.name')
  requireText(siteId, 'merchant.siteId')
  const hasCode = CATEGORY_CODE.test(categoryCode)
  requireMember(hasCode, 'merchant.categoryCode', 'Give four digits, such as 5542.')
  if (coordinates) requireCoordinates(coordinates, 'merchant.coordinates')
  if (!address) return
  for (const part of ['line1', 'city', 'state', 'postalCode'] as const)
    requireText(address[part], `merchant.address.${part}`)
  requireCountry(address.country, 'merchant.address.country')
}

function validateAmounts(input: CheckPurchaseInput): void {
  const { amount, fuel } = input
  const isPossible = amount.value >= 0 && amount.value <= MAX_QUANTITY
  requireMember(isPossible, 'amount.value', `Give a number from 0 to ${MAX_QUANTITY_TEXT}.`)
  const hasCurrency = CURRENCY.test(amount.currency)
  requireMember(hasCurrency, 'amount.currency', 'Give three capital letters, such as USD.')
  requireQuantity(fuel?.liters, 'fuel.liters')
  requireQuantity(fuel?.unitPrice, 'fuel.unitPrice')
  requireMember((litersOf(input) ?? 0) <= MAX_QUANTITY, 'fuel.unitPrice', 'Give the price of a liter.')
}

export function requireMember(isValid: boolean, member: string, message: string): void {
  if (!isValid) throw invalidMember(member, message)
}

export function requireCoordinates({ longitude, latitude }: Point, member: string): void {
  const isOnEarth = isWithin(longitude, 180) && isWithin(latitude, 90)
  requireMember(isOnEarth, member, 'Give a longitude from -180 to 180 and a latitude from -90 to 90.')
}

export function requireCountry(country: string, member: string): void {
  requireMember(COUNTRY.test(country), member, 'Give two capital letters, such as US.')
}

export function requireText(text: string | null | undefined, member: string): void {
  const isValid = text == null || (text.trim() !== '' && text.length <= MAX_TEXT_LENGTH)
  requireMember(isValid, member, `Give 1 to ${MAX_TEXT_LENGTH} characters.`)
}

function requireQuantity(quantity: number | null | undefined, member: string): void {
  const isValid = quantity == null || (quantity > 0 && quantity <= MAX_QUANTITY)
  requireMember(isValid, member, `Give a number above 0, and at most ${MAX_QUANTITY_TEXT}.`)
}

export function requireId(kind: Kind, id: string | null | undefined, member = `${kind}Id`): void {
  requireMember(id == null || isId(kind, id), member, `Give the id of ${withArticle(kind)}.`)
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

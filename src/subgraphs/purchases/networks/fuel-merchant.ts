import { isStorableText } from '../../../domain/text.ts'
import type { MerchantAddressInput, MerchantInput } from '../check-purchase-input.ts'

/** Category codes of merchants that sell fuel, or charge vehicles. */
const FUEL_CATEGORIES: ReadonlySet<string> = new Set(['4468', '5172', '5541', '5542', '5552', '5983', '7511'])

export const sellsFuel = (categoryCode: string): boolean => FUEL_CATEGORIES.has(categoryCode)

const UNKNOWN_NAME = 'Unknown merchant'

/** Merchant as a card network reports it. Each member can be absent, empty or malformed. */
interface ReportedMerchant extends Readonly<Record<'name' | 'siteId' | 'country', unknown>> {
  readonly categoryCode: string
  readonly address: Readonly<Partial<Record<Exclude<keyof MerchantAddressInput, 'country'>, unknown>>>
}

/** Returns the merchant of a purchase, without what a check cannot take. */
export function merchantOf({
  name,
  categoryCode,
  siteId,
  country,
  address,
}: ReportedMerchant): MerchantInput {
  const code = textIn(country)?.toUpperCase()
  const texts = Object.fromEntries(Object.entries(address).map(([part, value]) => [part, textIn(value)]))
  return {
    name: textIn(name) ?? UNKNOWN_NAME,
    categoryCode,
    siteId: textIn(siteId),
    address: code !== undefined && /^[A-Z]{2}$/.test(code) ? { ...texts, country: code } : null,
  }
}

const MAX_TEXT_LENGTH = 255

/** Returns a text without surrounding spaces; undefined if it is empty, too long for a check or not storable. */
export function textIn(value: unknown): string | undefined {
  const trimmed = typeof value === 'string' ? value.trim() : ''
  return trimmed !== '' && trimmed.length <= MAX_TEXT_LENGTH && isStorableText(trimmed) ? trimmed : undefined
}

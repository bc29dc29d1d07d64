import { sha256 } from '../../../domain/sha256.ts'

const STORE_NUMBER = /\d{3}/

/** What sites and merchants are matched by. */
interface Matched {
  readonly name: string
  readonly postalCode?: string | null
  readonly country?: string | null
}

/**
 * Returns the key by which a merchant without a site id finds its site in an application, or its learnt place in a
 * connection. It is the same for equal names without case and punctuation, postal codes and countries of one owner. Null
 * if one of them is missing, or if the name has no store number: another store of the chain may be in the same postal code.
 */
export function matchKeyOf(ownerId: string, { name, postalCode, country }: Matched): string | null {
  const word = nameForMatch(name)
  return STORE_NUMBER.test(word) ? keyOf(ownerId, word, { postalCode, country }) : null
}

/**
 * Returns the key of a brand in a postal code. Stores of a brand that report the address of its head office have the same
 * one, whatever their numbers. Null if the name has no letters, or the postal code or the country is missing.
 */
export function brandKeyOf(ownerId: string, { name, postalCode, country }: Matched): string | null {
  const word = nameForMatch(name).replaceAll(/\p{N}/gu, '')
  return word === '' ? null : keyOf(ownerId, word, { postalCode, country })
}

function keyOf(ownerId: string, word: string, { postalCode, country }: Omit<Matched, 'name'>): string | null {
  const code = postalCode && country ? postalCodeForMatch(postalCode, country) : ''
  return code === '' ? null : sha256(JSON.stringify([ownerId, country, code, word]))
}

/** Returns a name without case, accents, spaces and punctuation: `Love's #322` and `LOVES 322` give `LOVES322`. */
export const nameForMatch = (name: string): string =>
  name
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Returns a postal code without spaces and hyphens. In the US, its first five digits. */
export function postalCodeForMatch(postalCode: string, country: string | null): string {
  const code = postalCode.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return country === 'US' ? code.slice(0, 5) : code
}

import { sha256 } from '../../../domain/sha256.ts'

const STORE_NUMBER = /\d{3}/

/** What sites and merchants are matched by. */
interface Matched {
  readonly name: string
  readonly postalCode?: string | null
  readonly country?: string | null
}

/**
 * Returns the key by which a merchant without a site id finds its site. It is the same for equal names without case and
 * punctuation, postal codes and countries of one application. Null if one of them is missing, or if the name has no store
 * number: another store of the chain may be in the same postal code.
 */
export function matchKeyOf(applicationId: string, { name, postalCode, country }: Matched): string | null {
  const [word, code] = [
    nameForMatch(name),
    postalCode && country ? postalCodeForMatch(postalCode, country) : '',
  ]
  if (!STORE_NUMBER.test(word) || code === '') return null
  return sha256(JSON.stringify([applicationId, country, code, word]))
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

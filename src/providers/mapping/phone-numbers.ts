/** As our API tells them. */
const TOLD = /^(\+[1-9]\d{9,13}|\d{10,14})$/
const NORTH_AMERICAN = /^1?[2-9]\d{2}[2-9]\d{6}$/

/**
 * A phone number as our API tells it, whatever somebody typed between its digits: `+` and 10 to 14 digits, or as many
 * without `+` where no country is told. Ten digits of the North American plan are of +1. Null for anything else.
 */
export function normalizePhone(written: string | null): string | null {
  const digits = (written ?? '')
    .replace(/[\s\p{Pd}./]/gu, '')
    .replace(/^00/, '+')
    .replace(/^(\+\d+)\(0\)/, '$1')
    .replace(/[()]/g, '')
  if (NORTH_AMERICAN.test(digits)) return `+1${digits.slice(-10)}`
  return TOLD.test(digits) ? digits : null
}

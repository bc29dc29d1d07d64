/** Format of phone numbers in the API. */
const API_FORMAT = /^(\+[1-9]\d{9,13}|\d{10,14})$/
const NORTH_AMERICAN = /^1?[2-9]\d{2}[2-9]\d{6}$/

/**
 * Normalizes a phone number: `+` and 10 to 14 digits, or 10 to 14 digits if the country is unknown. A North
 * American number gets the prefix `+1`. Separators between digits are ignored. Null for any other text.
 */
export function normalizePhone(text: string | null): string | null {
  const digits = (text ?? '')
    .replace(/[\s\p{Pd}./]/gu, '')
    .replace(/^00/, '+')
    .replace(/^(\+\d+)\(0\)/, '$1')
    .replace(/[()]/g, '')
  if (NORTH_AMERICAN.test(digits)) return `+1${digits.slice(-10)}`
  return API_FORMAT.test(digits) ? digits : null
}

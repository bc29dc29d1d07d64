const VIN_LENGTH = 17
/** Letters that no VIN contains, because they look like digits. */
const FORBIDDEN_LETTERS = /[IOQ]/
/** Start of the VINs of North America. Only there, the ninth character must be a check digit. */
const NORTH_AMERICAN = /^[1-5]/
const CHECK_DIGIT_INDEX = 8

/** Value of each character in the sum from which the check digit is computed (49 CFR 565.15). */
const VALUES: Readonly<Record<string, number>> = Object.fromEntries(
  ['0', '1AJ', '2BKS', '3CLT', '4DMU', '5ENV', '6FW', '7GPX', '8HY', '9RZ'].flatMap((characters, value) =>
    [...characters].map((character) => [character, value]),
  ),
)
/** Weight of each position in that sum. The check digit has weight 0. */
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/**
 * Whether a VIN in capitals contains a typing error: a forbidden letter, or in North America a wrong check
 * digit. False for a number of another length: it is no VIN, but for example the serial number of an old trailer.
 */
export function isMistypedVin(vin: string): boolean {
  if (vin.length !== VIN_LENGTH) return false
  if (FORBIDDEN_LETTERS.test(vin)) return true
  return NORTH_AMERICAN.test(vin) && vin.charAt(CHECK_DIGIT_INDEX) !== checkDigitOf(vin)
}

/** Returns the VIN in a text, in capitals and without spaces and hyphens. Null for any other text, such as N/A. */
export function vinIn(text: string): string | null {
  const vin = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return /^[A-Z\d]+$/.test(vin) && vin.length === VIN_LENGTH && !FORBIDDEN_LETTERS.test(vin) ? vin : null
}

function checkDigitOf(vin: string): string {
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * (VALUES[vin.charAt(index)] ?? 0), 0)
  return sum % 11 === 10 ? 'X' : String(sum % 11)
}

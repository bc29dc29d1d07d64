const VIN_LENGTH = 17
const NEVER_USED = /[IOQ]/
/** First characters of VINs of North America, whose ninth character must be a check digit. */
const NORTH_AMERICA = /^[1-5]/
const CHECK_DIGIT_AT = 8

/** Value of each character in the check digit, and weight of each position (49 CFR 565.15). */
const VALUES: Readonly<Record<string, number>> = Object.fromEntries(
  ['0', '1AJ', '2BKS', '3CLT', '4DMU', '5ENV', '6FW', '7GPX', '8HY', '9RZ'].flatMap((characters, value) =>
    [...characters].map((character) => [character, value]),
  ),
)
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/**
 * Whether a VIN in capitals contains a typing error: a letter that no VIN has, or in North America a wrong check digit.
 * Numbers of another length are not VINs, for example the serial numbers of old trailers.
 */
export function isMistypedVin(vin: string): boolean {
  if (vin.length !== VIN_LENGTH) return false
  if (NEVER_USED.test(vin)) return true
  return NORTH_AMERICA.test(vin) && vin.charAt(CHECK_DIGIT_AT) !== checkDigitOf(vin)
}

function checkDigitOf(vin: string): string {
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * (VALUES[vin.charAt(at)] ?? 0), 0)
  return sum % 11 === 10 ? 'X' : String(sum % 11)
}

const ALPHABET = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'

/** Characters of the model years 2010 to 2030. They repeat every 30 years. */
const YEAR_LETTERS = 'ABCDEFGHJKLMNPRSTVWXY'

/** Value of each character of ALPHABET in the check digit (49 CFR 565.15). */
const VALUES = [
  1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
]
/** Weight of each position in the check digit. */
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

export interface VinParts {
  /** World manufacturer identifier: the first three characters. */
  wmi: string
  /** Number in [0, 1) that selects the five characters that describe the vehicle. */
  descriptor: number
  year: number
  /** Serial number below a million, which makes the VIN unique. */
  serial: number
}

export function vinOf({ wmi, descriptor, year, serial }: VinParts): string {
  const head = wmi + characters(descriptor, 5)
  const tail =
    YEAR_LETTERS.charAt(year - 2010) + characters(descriptor * 7919, 1) + String(serial).padStart(6, '0')
  return head + checkDigit(`${head}0${tail}`) + tail
}

/** Returns the check digit, the ninth character. It detects mistyped VINs. */
export function checkDigit(vin: string): string {
  const sum = WEIGHTS.reduce(
    (total, weight, i) => total + weight * VALUES[ALPHABET.indexOf(vin.charAt(i))]!,
    0,
  )
  return sum % 11 === 10 ? 'X' : String(sum % 11)
}

/** Returns characters that a number selects: its first digits in the base of the alphabet's length. */
function characters(draw: number, count: number): string {
  let text = ''
  for (let fraction = draw % 1; text.length < count; fraction = (fraction * ALPHABET.length) % 1) {
    text += ALPHABET.charAt(Math.floor(fraction * ALPHABET.length))
  }
  return text
}

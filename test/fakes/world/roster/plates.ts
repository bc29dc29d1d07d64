import { type Draw, oneOf } from '../draws.ts'

const VIN_LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'

/** Returns a VIN with a valid check digit. */
export function vinOf(draw: Draw, number: number): string {
  const start = Array.from({ length: 8 }, () => oneOf(draw, [...VIN_LETTERS])).join('')
  const end = `${oneOf(draw, [...'LMNPRSTV'])}${oneOf(draw, [...VIN_LETTERS])}${String(number % 1_000_000).padStart(6, '0')}`
  return `${start}${checkDigitOf(`${start}0${end}`)}${end}`
}

const VIN_VALUES: Readonly<Record<string, number>> = Object.fromEntries(
  [...'A1B2C3D4E5F6G7H8J1K2L3M4N5P7R9S2T3U4V5W6X7Y8Z9'.matchAll(/([A-Z])(\d)/g)].map(([, letter, value]) => [
    letter,
    Number(value),
  ]),
)
const VIN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

function checkDigitOf(vin: string): string {
  const sum = [...vin].reduce(
    (sum, letter, index) => sum + (VIN_VALUES[letter] ?? Number(letter)) * (VIN_WEIGHTS[index] as number),
    0,
  )
  return sum % 11 === 10 ? 'X' : String(sum % 11)
}

export function plateOf(draw: Draw, number: number): string {
  const letters = Array.from({ length: 3 }, () => oneOf(draw, [...'ABCDEFGHJKLMNPRSTUVWXYZ'])).join('')
  return `${letters}${String(number % 10_000).padStart(4, '0')}`
}

import { invalidArgument } from '../../../domain/errors.ts'
import { containsText } from '../../../storage/sql/contains-text.ts'
import type { Dialect } from '../../../storage/sql/dialect.ts'
import { either, type Where } from '../../../storage/sql/where.ts'

type SearchText = string | null | undefined

const MIN_LENGTH = 2
const MAX_LENGTH = 100

const vehicleTexts = ['`name`', '`vin`', '`licensePlateNumber`', '`sourceId`']

const driverTexts = [
  "CONCAT_WS(' ', `firstName`, `lastName`)",
  "CONCAT_WS(' ', `firstName`, `middleName`, `lastName`)",
  '`email`',
  '`sourceId`',
  '`licenseNumber`',
]

/** Returns the condition for vehicles with the text in their name, VIN, license plate or source id. */
export function vehicleSearch(dialect: Dialect, search: SearchText): Where | null {
  const text = searchText(search)
  return text === null ? null : foundIn(dialect, vehicleTexts, text)
}

/**
 * Returns the condition for drivers with the text in their name, phone number, e-mail address, source id or license
 * number.
 */
export function driverSearch(dialect: Dialect, search: SearchText): Where | null {
  const text = searchText(search)
  if (text === null) return null
  const digits = phoneDigits(text)
  return either(
    foundIn(dialect, driverTexts, text),
    digits === null ? null : containsText(dialect, '`phone`', digits),
  )
}

const foundIn = (dialect: Dialect, expressions: readonly string[], text: string): Where | null =>
  either(...expressions.map((expression) => containsText(dialect, expression, text)))

/** Returns the text to search for, without spaces at its ends. Null if there is none. Throws if its length is wrong. */
function searchText(search: SearchText): string | null {
  if (search == null) return null
  const text = search.trim()
  const { length } = Array.from(text)
  if (length >= MIN_LENGTH && length <= MAX_LENGTH) return text
  throw invalidArgument('search', `\`search\` must have ${MIN_LENGTH} to ${MAX_LENGTH} characters.`)
}

/** Returns the part of a phone number as it is stored: digits only, with a leading + if given. Null for other texts. */
function phoneDigits(text: string): string | null {
  const digits = text.replaceAll(/[\s().\-/]/g, '')
  return /^\+?\d{2,}$/.test(digits) ? digits : null
}

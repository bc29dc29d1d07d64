import type { Calendar } from '../../domain/calendar.ts'
import { type Instant, isDate, toInstant } from '../../domain/time.ts'
import { BadRow } from '../csv.ts'

// Times of exports: a date in a format of the mapping, with a time of day, mostly without a zone.

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/** Parts of date formats: what matches each, and an example. */
const PARTS: Readonly<Record<string, readonly [pattern: string, example: string]>> = {
  YYYY: ['(?<year>\\d{4})', '2026'],
  YY: ['(?<year>\\d{2})', '26'],
  MMM: [`(?<month>${MONTHS.join('|')})`, 'Nov'],
  MM: ['(?<month>\\d{1,2})', '11'],
  DD: ['(?<day>\\d{1,2})', '30'],
}
const PART = /YYYY|YY|MMM|MM|DD/g

/** Whether a text is a date format: a year, a month and a day, each once, and what separates them. */
export function isDateFormat(format: string): boolean {
  const kinds = (format.match(PART) ?? []).map((part) => part.charAt(0))
  return kinds.toSorted().join('') === 'DMY' && !/[\p{L}\d]/u.test(format.replaceAll(PART, ''))
}

const patterns = new Map<string, RegExp>()

function patternOf(format: string): RegExp {
  const known = patterns.get(format)
  if (known) return known
  const escaped = format.replaceAll(/[^A-Z]/g, (separator) => `\\u{${separator.charCodeAt(0).toString(16)}}`)
  const source = escaped.replaceAll(PART, (part) => PARTS[part]?.[0] ?? '')
  const pattern = new RegExp(`^${source}(?:$|[T,\\s]+)`, 'iu')
  patterns.set(format, pattern)
  return pattern
}

const TIME_OF_DAY =
  /^(?<hour>\d{1,2}):?(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d+)?)?\s*(?:(?<half>[AP])\.?M\.?)?\s*(?<zone>Z|[+-]\d{2}:?\d{2})?$/i

interface ExportedTime {
  /** Column that errors name. */
  readonly column: string
  /** Date, or date and time. */
  readonly at: string
  /** Time of day, if the export has it in its own column. It counts in the place of that in `at`. */
  readonly time: string
}

interface TimeForms {
  readonly dateFormats: readonly string[]
  /** Calendar of times without a zone; null if there is none. */
  readonly calendar: Calendar | null
}

/**
 * Returns the instant of a purchase. Without a zone in the text, it is the time of the calendar. A time that occurs twice
 * at the end of daylight saving time is the first; a time that is skipped at its start is an hour later.
 */
export function instantOfPurchase({ column, at, time }: ExportedTime, forms: TimeForms): Instant {
  if (at === '') throw new BadRow('The row has no time.')
  const instant = toInstant(at)
  if (instant !== null && time === '') return instant
  const { date, rest } = dateIn(column, at, forms.dateFormats)
  const timeOfDay = time || rest
  if (timeOfDay === '')
    throw new BadRow('The row has no time of day, without which it is not known where the vehicle was.')
  const { shown, zone } = timeOfDayIn(date, timeOfDay)
  if (zone !== undefined) return toInstant(`${shown}${zone}`) ?? badTime()
  if (forms.calendar) return forms.calendar.instantAt(toInstant(`${shown}Z`) ?? badTime())
  throw new BadRow(
    'The time has no zone. Give the time zone of the file, such as --time-zone America/Chicago.',
  )
}

/** Splits a text after its date, which is returned as YYYY-MM-DD. */
function dateIn(
  column: string,
  text: string,
  formats: readonly string[],
): { readonly date: string; readonly rest: string } {
  for (const format of formats) {
    const match = patternOf(format).exec(text)
    if (!match?.groups) continue
    const { year = '', month = '', day = '' } = match.groups
    const number = MONTHS.indexOf(month.toUpperCase()) + 1 || Number(month)
    const date = [year.padStart(4, '20'), padded(number), padded(day)].join('-')
    if (isDate(date)) return { date, rest: text.slice(match[0].length) }
  }
  throw new BadRow(`${column}: Give a date such as ${exampleOf(formats[0] ?? '')}.`)
}

function timeOfDayIn(
  date: string,
  text: string,
): { readonly shown: string; readonly zone: string | undefined } {
  const { hour = '', minute = '', second = '00', half, zone } = TIME_OF_DAY.exec(text)?.groups ?? {}
  const isHalf = half !== undefined
  if (hour === '' || (isHalf && (Number(hour) < 1 || Number(hour) > 12))) return badTime()
  const hours = isHalf ? (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0) : hour
  return {
    shown: `${date}T${padded(hours)}:${minute}:${second}`,
    zone: zone?.replace(/^(...)(\d{2})$/, '$1:$2'),
  }
}

function badTime(): never {
  throw new BadRow('Give a time of day such as 14:05 or 2:05 PM.')
}

const padded = (number: number | string): string => String(number).padStart(2, '0')

const exampleOf = (format: string): string => format.replaceAll(PART, (part) => PARTS[part]?.[1] ?? '')

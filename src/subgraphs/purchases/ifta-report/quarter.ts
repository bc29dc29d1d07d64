import { calendarOf } from '../../../domain/calendar.ts'
import { type Instant, isTimeZone, toIso } from '../../../domain/time.ts'

/** Quarter of a calendar year. Its months are texts such as 2026-07. */
export interface Quarter {
  readonly name: string
  readonly months: readonly [string, string, string]
  /** First date after the quarter. */
  readonly endDate: string
}

/** Returns the quarter with a name such as 2026-Q3; null for any other text. */
export function findQuarter(name: string): Quarter | null {
  const [, year, number] = /^(20\d\d)-Q([1-4])$/.exec(name) ?? []
  if (!year) return null
  const first = 3 * Number(number) - 2
  const monthAt = (at: number) => `${year}-${String(first + at).padStart(2, '0')}`
  return {
    name,
    months: [monthAt(0), monthAt(1), monthAt(2)],
    endDate: first === 10 ? `${Number(year) + 1}-01-01` : `${monthAt(3)}-01`,
  }
}

/** Returns the month of a time in UTC, such as 2026-07. */
export const monthOf = (at: Instant): string => toIso(at).slice(0, 'YYYY-MM'.length)

/** Period from a start until before an end. */
export interface QuarterSpan {
  readonly startsAt: Instant
  readonly endsAt: Instant
}

/** Returns the span of a quarter in a time zone. Without a known zone, it is that of UTC, as for computed months. */
export function spanOf({ months, endDate }: Quarter, timeZone: string | null): QuarterSpan {
  const { startOf } = calendarOf(timeZone !== null && isTimeZone(timeZone) ? timeZone : 'UTC')
  return { startsAt: startOf(`${months[0]}-01`), endsAt: startOf(endDate) }
}

import { firstInstantAround, type Instant } from '../../../domain/time.ts'

/** Month in a time zone: name (YYYY-MM), first instant, and first instant of the next month. */
export interface MonthSpan {
  readonly name: string
  readonly startsAt: Instant
  readonly endsAt: Instant
}

export interface MonthCalendar {
  monthAt(instant: Instant): MonthSpan
  /** Returns the month with a name such as 2024-02. */
  monthNamed(name: string): MonthSpan
}

/** Creates the calendar of an IANA time zone. It allows for clock changes at the ends of months. */
export function monthCalendarOf(timeZone: string): MonthCalendar {
  const known = new Map<string, MonthSpan>()
  const format = new Intl.DateTimeFormat('en-u-ca-iso8601', { timeZone, year: 'numeric', month: '2-digit' })
  const nameAt = (instant: Instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]))
    return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}`
  }
  const startOf = (name: string) =>
    firstInstantAround(Date.parse(`${name}-01T00:00:00Z`), (at) => nameAt(at) >= name)
  const monthNamed = (name: string) => {
    const month = known.get(name) ?? { name, startsAt: startOf(name), endsAt: startOf(nextMonth(name)) }
    known.set(name, month)
    return month
  }
  let last: MonthSpan | undefined
  return {
    monthNamed,
    monthAt(instant) {
      if (last && instant >= last.startsAt && instant < last.endsAt) return last
      return (last = monthNamed(nameAt(instant)))
    },
  }
}

function nextMonth(name: string): string {
  const [year, month] = name.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 'YYYY-MM'.length)
}

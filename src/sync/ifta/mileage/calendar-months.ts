import { calendarOf } from '../../../domain/calendar.ts'
import type { Instant } from '../../../domain/time.ts'

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

/** Creates the calendar of the months of an IANA time zone. */
export function monthCalendarOf(timeZone: string): MonthCalendar {
  const { dateAt, startOf } = calendarOf(timeZone)
  const monthNamed = (name: string): MonthSpan => ({
    name,
    startsAt: startOf(`${name}-01`),
    endsAt: startOf(`${nextMonth(name)}-01`),
  })
  let last: MonthSpan | undefined
  return {
    monthNamed,
    monthAt(instant) {
      if (last && instant >= last.startsAt && instant < last.endsAt) return last
      return (last = monthNamed(dateAt(instant).slice(0, 'YYYY-MM'.length)))
    },
  }
}

function nextMonth(name: string): string {
  const [year, month] = name.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 'YYYY-MM'.length)
}

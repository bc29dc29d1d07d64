import { firstInstantAround, type Instant } from '../../domain/time.ts'

const DAY_MS = 86_400_000

/** The dates of a time zone, whatever its clocks do. */
export interface ZonedDays {
  /** YYYY-MM-DD */
  dateAt(instant: Instant): string
  startOf(date: string): Instant
}

const known = new Map<string, ZonedDays>()

export function daysInZone(timeZone: string): ZonedDays {
  const days = known.get(timeZone) ?? opened(timeZone)
  known.set(timeZone, days)
  return days
}

function opened(timeZone: string): ZonedDays {
  // Swedes write dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  const starts = new Map<string, Instant>()
  const dateAt = (instant: Instant) => format.format(instant)
  return {
    dateAt,
    startOf(date) {
      const start =
        starts.get(date) ?? firstInstantAround(Date.parse(`${date}T00:00Z`), (at) => dateAt(at) >= date)
      starts.set(date, start)
      return start
    },
  }
}

export const dateAfter = (date: string, days = 1): string =>
  new Date(Date.parse(`${date}T00:00Z`) + days * DAY_MS).toISOString().slice(0, date.length)

/** As the platform calls it; UTC where it knows no such zone. */
export function zoneOf(name: string | null): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name ?? 'UTC' }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

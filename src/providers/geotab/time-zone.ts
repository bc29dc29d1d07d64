import { firstInstantAround, type Instant } from '../../domain/time.ts'

const DAY_MS = 86_400_000

/** Dates of a time zone. Changes to and from daylight saving time are taken into account. */
export interface ZonedDays {
  /** YYYY-MM-DD */
  dateAt(instant: Instant): string
  startOf(date: string): Instant
}

const known = new Map<string, ZonedDays>()

export function daysInZone(timeZone: string): ZonedDays {
  const days = known.get(timeZone) ?? createZonedDays(timeZone)
  known.set(timeZone, days)
  return days
}

function createZonedDays(timeZone: string): ZonedDays {
  // The Swedish date format is that of ISO 8601.
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

/** Canonical name of a time zone; UTC if the platform does not know it. */
export function zoneOf(name: string | null): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name ?? 'UTC' }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

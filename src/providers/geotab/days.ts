import type { Instant } from '../../time.ts'

const HOUR_MS = 3_600_000
/** No zone is farther than this from UTC. */
const ZONE_MS = 18 * HOUR_MS

/** The dates of a time zone, whatever its clocks do. */
export interface Days {
  /** YYYY-MM-DD */
  dateAt(instant: Instant): string
  startOf(date: string): Instant
}

const known = new Map<string, Days>()

export function daysIn(timeZone: string): Days {
  const days = known.get(timeZone) ?? opened(timeZone)
  known.set(timeZone, days)
  return days
}

function opened(timeZone: string): Days {
  // Swedes write dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  const starts = new Map<string, Instant>()
  const dateAt = (instant: Instant) => format.format(instant)
  return {
    dateAt,
    startOf(date) {
      const start = starts.get(date) ?? firstInstant(Date.parse(`${date}T00:00Z`), (at) => dateAt(at) >= date)
      starts.set(date, start)
      return start
    },
  }
}

/** The first instant around one at which something holds that holds from then on. */
function firstInstant(around: Instant, holds: (instant: Instant) => boolean): Instant {
  let [before, after] = [around - ZONE_MS, around + ZONE_MS]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (holds(middle)) after = middle
    else before = middle
  }
  return after
}

export const dateAfter = (date: string, days = 1): string =>
  new Date(Date.parse(`${date}T00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, date.length)

/** As the platform calls it; UTC where it knows no such zone. */
export function zoneOf(name: string | null): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name ?? 'UTC' }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

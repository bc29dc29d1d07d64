import { dateAfter } from '../../../domain/calendar.ts'
import { toIso } from '../../../domain/time.ts'
import type { TimeWindow } from '../../provider.ts'

/** Largest offset behind UTC. The time zone of the fleet is unknown. */
const MAX_OFFSET_BEHIND_MS = 12 * 3_600_000

export const dateOf = (at: number): string => toIso(at).slice(0, 10)

/**
 * Returns the dates that a time range touches, for any time zone at or behind UTC. The last day may not have
 * begun there and is then empty. For a zone ahead of UTC, a day is read after it begins in UTC.
 */
export function datesOf({ from, to }: TimeWindow): string[] {
  const dates: string[] = []
  const last = dateOf(to - 1)
  for (let date = dateOf(from - MAX_OFFSET_BEHIND_MS); date <= last; date = dateAfter(date)) dates.push(date)
  return dates
}

/** Months that a time range touches, as YYYY-MM. */
export const monthsOf = (window: TimeWindow): string[] => [
  ...new Set(datesOf(window).map((date) => date.slice(0, 7))),
]

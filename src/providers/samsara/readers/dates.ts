import { dateAfter } from '../../../domain/calendar.ts'
import { toIso } from '../../../domain/time.ts'
import type { TimeWindow } from '../../provider.ts'

/** Largest offset of a time zone behind UTC. The zone of the fleet is not known. */
const MAX_OFFSET_BEHIND_MS = 12 * 3_600_000

export const dateOf = (at: number): string => toIso(at).slice(0, 10)

/**
 * Returns the dates of a time range in UTC and in any time zone behind it. In such a zone the last day may not have
 * begun; its sums are then empty. In a zone ahead of UTC, a day is read only once it has begun in UTC.
 */
export function datesOf({ from, to }: TimeWindow): string[] {
  const dates: string[] = []
  const last = dateOf(to - 1)
  for (let date = dateOf(from - MAX_OFFSET_BEHIND_MS); date <= last; date = dateAfter(date)) dates.push(date)
  return dates
}

/** Months of these dates, as YYYY-MM. */
export const monthsOf = (window: TimeWindow): string[] => [
  ...new Set(datesOf(window).map((date) => date.slice(0, 7))),
]

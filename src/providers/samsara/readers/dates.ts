import { toIso } from '../../../domain/time.ts'
import type { TimeWindow } from '../../provider.ts'

const DAY_MS = 86_400_000
/** No zone is further behind UTC: where days begin at the fleet is not told. */
const FURTHEST_BEHIND_MS = 12 * 3_600_000

export const dateOf = (at: number): string => toIso(at).slice(0, 10)

export const dateAfter = (date: string): string => dateOf(Date.parse(`${date}T00:00:00Z`) + DAY_MS)

/**
 * The days that a time touches, of a fleet in UTC or behind it, where the last may not have begun and is empty. The day
 * of a fleet ahead of UTC is read once it has begun in UTC as well.
 */
export function datesOf({ from, to }: TimeWindow): string[] {
  const dates: string[] = []
  const last = dateOf(to - 1)
  for (let date = dateOf(from - FURTHEST_BEHIND_MS); date <= last; date = dateAfter(date)) dates.push(date)
  return dates
}

/** The months that a time touches, YYYY-MM. */
export const monthsOf = (window: TimeWindow): string[] => [
  ...new Set(datesOf(window).map((date) => date.slice(0, 7))),
]

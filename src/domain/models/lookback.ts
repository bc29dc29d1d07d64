import type { Depth } from './define-model.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/**
 * How far a lookback goes to find late records. A device that was offline for a week uploads its records when it is
 * back. The eighth day is the time until the next daily lookback.
 */
export const LATE_RECORDS_MS = 8 * DAY_MS

const LATE_RECORDS_ONCE_A_DAY: Depth = { ms: LATE_RECORDS_MS, everyMs: DAY_MS }

/**
 * Returns a lookback: every sync reads `days` again, and one sync a day reads eight days again. The service
 * thus finds a record that is up to a week late within a day of its arrival.
 */
export const lookbackDays = (days: number): readonly Depth[] => [
  { ms: days * DAY_MS },
  LATE_RECORDS_ONCE_A_DAY,
]

/**
 * Lookback of time series. They have many points, so deep lookbacks are rare. The service finds a point that
 * is up to a week late within a week of its arrival.
 */
export const TIME_SERIES_LOOKBACK: readonly Depth[] = [
  { ms: 15 * MINUTE_MS },
  { ms: 2 * HOUR_MS, everyMs: 2 * HOUR_MS },
  { ms: 3 * DAY_MS, everyMs: DAY_MS },
  { ms: 15 * DAY_MS, everyMs: 7 * DAY_MS },
]

/** A time range that includes `sinceMs` and excludes `untilMs`. */
export interface Period {
  readonly sinceMs: number
  readonly untilMs: number
}

/**
 * A record with its time. In a list, a vehicle or a driver has at most one record per time. For a record with
 * a duration, the time is its start and may be before the period.
 */
export interface TimeOrdered<T> {
  readonly timeMs: number
  readonly record: T
}

/** Returns the rest of a period from a moment on. */
export function resumedAt({ sinceMs, untilMs }: Period, resumeMs: number): Period {
  return { sinceMs: Math.max(sinceMs, resumeMs), untilMs }
}

/** A time range that includes `sinceMs` and excludes `untilMs`. */
export interface Period {
  readonly sinceMs: number
  readonly untilMs: number
}

/**
 * A record with its time. Cursors identify a record by its time, so a list has at most one record of a vehicle or
 * driver per time. The time of a record with a duration is its start, which may be before the period. Only the
 * time of a trip is its end.
 */
export interface TimeOrdered<T> {
  readonly timeMs: number
  readonly record: T
}

/** Returns the part of a period from a moment on. */
export function resumedAt({ sinceMs, untilMs }: Period, resumeMs: number): Period {
  return { sinceMs: Math.max(sinceMs, resumeMs), untilMs }
}

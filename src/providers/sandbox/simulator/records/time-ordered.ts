/** A time range that includes `sinceMs` and excludes `untilMs`. */
export interface Period {
  readonly sinceMs: number
  readonly untilMs: number
}

/**
 * A record and the time that orders it. Cursors identify a record by this time, so a vehicle or driver has at most one
 * record at each time. A trip has the time of its end. Other records with a duration have the time of their start,
 * which may be before the period.
 */
export interface TimeOrdered<T> {
  readonly timeMs: number
  readonly record: T
}

/** Returns the part of a period that has not been read yet: from `resumeMs` on. */
export function remainingPeriod({ sinceMs, untilMs }: Period, resumeMs: number): Period {
  return { sinceMs: Math.max(sinceMs, resumeMs), untilMs }
}

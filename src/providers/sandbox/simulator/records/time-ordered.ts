/** Times from `since` on and before `until`. */
export interface Period {
  readonly sinceMs: number
  readonly untilMs: number
}

/**
 * A record at its place in time. Within a list a vehicle or a driver has at most one record at a time; in a list of
 * what lasts, the time is that of its beginning and may lie before the period.
 */
export interface TimeOrdered<T> {
  readonly timeMs: number
  readonly record: T
}

/** From a moment on, a period that somebody asked for before it. */
export function resumedAt({ sinceMs, untilMs }: Period, resumeMs: number): Period {
  return { sinceMs: Math.max(sinceMs, resumeMs), untilMs }
}

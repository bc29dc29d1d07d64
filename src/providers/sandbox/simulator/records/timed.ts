/** Times from `since` on and before `until`. */
export interface Period {
  readonly sinceMs: number
  readonly untilMs: number
}

/** A record of one vehicle at its place in time. Within a list a vehicle has at most one record at a time. */
export interface Timed<T> {
  readonly timeMs: number
  readonly record: T
}

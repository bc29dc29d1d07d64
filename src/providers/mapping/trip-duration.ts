import type { Instant } from '../../domain/time.ts'

/** Returns the reported duration of a trip; the time from start to end if it is missing or impossible. */
export const tripDuration = (startedAt: Instant, endedAt: Instant, reported: number | null): number =>
  reported !== null && reported >= 0 && reported <= Number.MAX_SAFE_INTEGER ? reported : endedAt - startedAt

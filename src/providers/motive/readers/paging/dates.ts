import { type Instant, toIso } from '../../../../domain/time.ts'

/** Date in UTC, which Motive assumes if a request names no time zone. */
export const dateOf = (at: Instant): string => toIso(at).slice(0, 10)

export const earlierOf = (date: string, other: string): string => (date < other ? date : other)

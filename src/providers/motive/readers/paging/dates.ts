import { type Instant, toIso } from '../../../../domain/time.ts'

/** UTC date, which Motive uses if no zone is requested. */
export const dateOf = (at: Instant): string => toIso(at).slice(0, 10)

export const earlierOf = (date: string, other: string): string => (date < other ? date : other)

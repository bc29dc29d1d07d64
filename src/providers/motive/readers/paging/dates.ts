import { type Instant, toIso } from '../../../../domain/time.ts'

const DAY_MS = 86_400_000

/** UTC date, which Motive uses if no zone is requested. */
export const dateOf = (at: Instant): string => toIso(at).slice(0, 10)

const startOfDate = (date: string): Instant => Date.parse(`${date}T00:00:00Z`)

export const daysAfter = (date: string, days: number): string => dateOf(startOfDate(date) + days * DAY_MS)

export const earlierOf = (date: string, other: string): string => (date < other ? date : other)

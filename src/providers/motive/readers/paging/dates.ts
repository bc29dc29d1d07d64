import { type Instant, toIso } from '../../../../domain/time.ts'

const DAY_MS = 86_400_000

/** Dates are of UTC where no zone is asked for. */
export const dateOf = (at: Instant): string => toIso(at).slice(0, 10)

const startOfDate = (date: string): Instant => Date.parse(`${date}T00:00:00Z`)

export const daysAfter = (date: string, days: number): string => dateOf(startOfDate(date) + days * DAY_MS)

export const firstOf = (date: string, other: string): string => (date < other ? date : other)

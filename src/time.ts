/** A moment as whole milliseconds since 1970-01-01T00:00Z: what the tables store and the code compares. */
export type Instant = number

/** The clock of the service. Tests move it; nothing else reads the time. */
export interface Clock {
  now(): Instant
}

export const systemClock: Clock = { now: () => Date.now() }

export const toIso = (instant: Instant): string => new Date(instant).toISOString()

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** The instant of an RFC 3339 date-time, or null where the text is none: a zone is required, a day must exist. */
export function toInstant(text: string): Instant | null {
  const parts = DATE_TIME.exec(text)
  if (!parts) return null
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const real = new Date(Date.UTC(year, month - 1, day))
  if (year < 1 || real.getUTCMonth() !== month - 1 || hour > 23 || minute > 59 || second > 59) return null
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? null : instant
}

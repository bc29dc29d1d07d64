import type { Values } from '../../support/providers/read-back/read-back-names.ts'

/** Returns the time of a record; for a day, noon in UTC. */
export function beginOf({ startedAt, observedAt, locatedAt, timestamp, date }: Values): number {
  if (typeof date === 'string') return Date.parse(`${date}T12:00:00Z`)
  return Number(startedAt ?? observedAt ?? locatedAt ?? timestamp)
}

/** First ids of each kind. An id is the number in the world plus this. */

const firsts = {
  organization: 10_000,
  tag: 342_000,
  driver: 880_000,
  vehicle: 281_474_976_000_000,
  trailer: 281_474_990_000_000,
}

export type Kind = keyof typeof firsts

/** Returns an id as the oldest endpoints have it. */
export const idNumber = (kind: Kind, number: number): number => firsts[kind] + number

export const id = (kind: Kind, number: number): string => String(idNumber(kind, number))

/** Returns the number in the world; NaN for an id of another kind. */
export const numberOf = (kind: Kind, id: string): number =>
  /^\d{1,15}$/.test(id) ? Number(id) - firsts[kind] : Number.NaN

/** Returns a UUID that is derived from kind and number. */
export function uuid(kind: string, number: number): string {
  const head = Buffer.from(kind.padEnd(8, '_').slice(0, 8)).toString('hex')
  const tail = number.toString(16).padStart(12, '0')
  return `${head.slice(0, 8)}-${head.slice(8, 12)}-4${head.slice(12, 15)}-8000-${tail}`
}

/** Returns the id of a safety event: two UUIDs. */
export const safetyId = (number: number): string => `${uuid('safety', number)},${uuid('event', number)}`

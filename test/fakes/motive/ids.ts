/** First ids of each kind. An id is the number in the world plus this. */

const firsts = {
  user: 110_000,
  vehicle: 9_000,
  group: 5_200,
  eld: 50_800,
  asset: 74_000,
} as const

export type Kind = keyof typeof firsts

export const id = (kind: Kind, number: number): number => firsts[kind] + number

/** Returns the number in the world; NaN for an unknown id. */
export const numberOf = (kind: Kind, text: string): number =>
  /^\d{1,9}$/.test(text) ? Number(text) - firsts[kind] : Number.NaN

/** Returns the id of a location, a UUID. Ids of events are the numbers in the world. */
export const locationId = (vehicle: number, at: number): string => {
  const [head, tail] = [vehicle.toString(16).padStart(8, '0'), at.toString(16).padStart(12, '0')]
  return `${head}-501f-4566-8d07-${tail}`
}

/** Numbers of Motive's kind, of the small numbers that the world has. */

const firsts = {
  user: 110_000,
  vehicle: 9_000,
  group: 5_200,
  eld: 50_800,
  asset: 74_000,
} as const

export type Kind = keyof typeof firsts

export const id = (kind: Kind, number: number): number => firsts[kind] + number

/** The number in the world; NaN where it is no id. */
export const numberOf = (kind: Kind, text: string): number =>
  /^\d{1,9}$/.test(text) ? Number(text) - firsts[kind] : Number.NaN

/** What happens has the world's own numbers. */
export const locationId = (vehicle: number, at: number): string => {
  const [head, tail] = [vehicle.toString(16).padStart(8, '0'), at.toString(16).padStart(12, '0')]
  return `${head}-501f-4566-8d07-${tail}`
}

/** Returns the next random number from 0 to 1. */
export type Draw = () => number

/** Keys that make random numbers for different purposes independent of each other. */
export const drawPurpose = {
  corridor: 1,
  day: 2,
  driver: 3,
  upload: 4,
  correction: 5,
  safety: 6,
  fault: 7,
  duty: 8,
  vehicle: 9,
  vehicleChange: 10,
  driverChange: 11,
  person: 12,
  trailer: 13,
  swap: 14,
  shift: 15,
} as const

/** Creates a random number generator. The same keys give the same numbers. */
export function drawsOf(...keys: readonly number[]): Draw {
  let state = 0x9e3779b9
  for (const key of keys) state = mixed(state ^ mixed(key | 0))
  return () => {
    state = (state + 0x6d2b79f5) | 0
    return (mixed(state) >>> 0) / 4_294_967_296
  }
}

function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return bits ^ (bits >>> 15)
}

export const between = (draw: Draw, least: number, most: number): number => least + draw() * (most - least)

export const wholeBetween = (draw: Draw, least: number, most: number): number =>
  Math.floor(between(draw, least, most + 1))

export const oneOf = <T>(draw: Draw, choices: readonly T[]): T =>
  choices[Math.floor(draw() * choices.length)] as T

export const chance = (draw: Draw, share: number): boolean => draw() < share

/** Returns a random time until the next event of a Poisson process, given the average time. */
export const waitOf = (draw: Draw, average: number): number => -Math.log(1 - draw()) * average

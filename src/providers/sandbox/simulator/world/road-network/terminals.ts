import { CORRIDORS, type Corridor, type CorridorCity } from './corridors.ts'
import type { Fleet } from '../fleet.ts'
import { dice } from '../random.ts'

/** A yard in a city on a corridor, the base of some of the fleet's vehicles. */
export interface Terminal {
  readonly index: number
  readonly corridor: Corridor
  /** Index of its place in the corridor. */
  readonly placeIndex: number
  readonly place: CorridorCity
}

const corridorDice = dice('first corridor')
const placeDice = dice('place of a terminal')

export function terminalCount({ size }: Fleet): number {
  return Math.min(48, size, 5 + Math.floor(Math.sqrt(size) / 2))
}

export function terminalAt(fleet: Fleet, index: number): Terminal {
  const first = Math.floor(corridorDice(fleet.seed, 0) * CORRIDORS.length)
  const corridor = CORRIDORS[(first + index) % CORRIDORS.length]!
  const placeIndex = Math.floor(placeDice(fleet.seed, index) * corridor.places.length)
  return { index, corridor, placeIndex, place: corridor.places[placeIndex]! }
}

export function terminalOf(fleet: Fleet, vehicle: number): Terminal {
  return terminalAt(fleet, vehicle % terminalCount(fleet))
}

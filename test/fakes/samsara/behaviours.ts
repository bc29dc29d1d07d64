import { Switches as Positions } from '../kit/behaviours.ts'
import { requests } from './evidence/requests.ts'
import { timedRecords } from './evidence/timed-records.ts'
import { formats } from './evidence/formats.ts'

/** Behaviours of the fake, with their evidence. They were not compared with the live service. */
export const behaviours = { ...requests, ...formats, ...timedRecords }

type Behaviours = typeof behaviours

/** Position of each switch, by its name. */
export type Switches = {
  readonly [
    K in keyof Behaviours as Behaviours[K] extends { positions: readonly string[] } ? K : never
  ]: Behaviours[K] extends { positions: readonly (infer Position)[] } ? Position : never
}

export const positions = () => new Positions(behaviours)

/** Returns the switches as an object that always has the current positions. */
export function switchesOf(chosen: Positions<Behaviours>): Switches {
  const switches = {}
  for (const [name, behaviour] of Object.entries(behaviours)) {
    if (!('positions' in behaviour)) continue
    const position = () =>
      behaviour.positions.find((position) => chosen.is(name as keyof Behaviours, position))
    Object.defineProperty(switches, name, { get: position, enumerable: true })
  }
  return switches as Switches
}

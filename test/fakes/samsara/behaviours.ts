import { Switches as Positions } from '../kit/behaviours.ts'
import { asking } from './ledger/requests.ts'
import { timedRecords } from './ledger/timed-records.ts'
import { formats } from './ledger/formats.ts'

/** Behaviours of this fake with their sources. They were never compared with the live service. */
export const behaviours = { ...asking, ...formats, ...timedRecords }

type Behaviours = typeof behaviours

/** Position of each switch, by its name. */
export type Switches = {
  readonly [
    K in keyof Behaviours as Behaviours[K] extends { positions: readonly string[] } ? K : never
  ]: Behaviours[K] extends { positions: readonly (infer Position)[] } ? Position : never
}

export const positions = () => new Positions(behaviours)

/** Returns a live view of the switches. */
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

import type { BehaviourTable } from '../kit/behaviours.ts'
import { behaviours } from './behaviours.ts'

type Behaviours = typeof behaviours

type Switched = {
  [Id in keyof Behaviours]: Behaviours[Id] extends { positions: readonly string[] } ? Id : never
}[keyof Behaviours]

type PositionsOf<Of> = Of extends { readonly positions: readonly (infer Position)[] } ? Position : never

/** Position of each switch. */
export type Switches = { -readonly [Id in Switched]: PositionsOf<Behaviours[Id]> }

export const defaultSwitches = Object.fromEntries(
  Object.entries(behaviours as BehaviourTable).flatMap(([id, { positions }]) =>
    positions ? [[id, positions[0]]] : [],
  ),
) as Readonly<Switches>

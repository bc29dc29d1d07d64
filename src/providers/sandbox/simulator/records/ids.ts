import { driverCount, type Fleet } from '../world/fleet.ts'

export type Prefix =
  | 'acc'
  | 'usr'
  | 'all'
  | 'reg'
  | 'ter'
  | 'drv'
  | 'veh'
  | 'trl'
  | 'trk'
  | 'cam'
  | 'trp'
  | 'evt'
  | 'clip'
  | 'flt'
  | 'log'
  | 'rem'
  | 'day'
  | 'use'
  | 'ifta'

/**
 * Creates an id such as `veh-1-2s` from the fleet's seed and indexes. Fleets with different seeds share no
 * id.
 */
export function idOf(prefix: Prefix, { seed }: Fleet, ...indexes: number[]): string {
  let id = `${prefix}-${seed.toString(36)}`
  for (const index of indexes) id += `-${index.toString(36)}`
  return id
}

/** Parses the indexes of an id; undefined if it has another kind or another fleet. */
export function indexesOf(prefix: Prefix, fleet: Fleet, id: string): number[] | undefined {
  const indexes = id
    .split('-')
    .slice(2)
    .map((part) => Number.parseInt(part, 36))
  return idOf(prefix, fleet, ...indexes) === id ? indexes : undefined
}

/** Returns the vehicle index of an id; undefined if the fleet does not have the vehicle. */
export function vehicleOfId(fleet: Fleet, id: string): number | undefined {
  return indexOf('veh', fleet, id, fleet.size)
}

/** Returns the driver index of an id; undefined if the fleet does not have the driver. */
export function driverOfId(fleet: Fleet, id: string): number | undefined {
  return indexOf('drv', fleet, id, driverCount(fleet))
}

function indexOf(prefix: Prefix, fleet: Fleet, id: string, count: number): number | undefined {
  const [index = Number.NaN, ...rest] = indexesOf(prefix, fleet, id) ?? []
  return index < count && rest.length === 0 ? index : undefined
}

export function timestamp(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

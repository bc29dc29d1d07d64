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

/** `veh-1-2s`: an index within a fleet as an id that no fleet of another seed has. */
export function idOf(prefix: Prefix, { seed }: Fleet, ...indexes: number[]): string {
  let id = `${prefix}-${seed.toString(36)}`
  for (const index of indexes) id += `-${index.toString(36)}`
  return id
}

/** The indexes within an id of that kind; undefined unless it is one of this fleet. */
export function indexesOf(prefix: Prefix, fleet: Fleet, id: string): number[] | undefined {
  const indexes = id
    .split('-')
    .slice(2)
    .map((part) => Number.parseInt(part, 36))
  return idOf(prefix, fleet, ...indexes) === id ? indexes : undefined
}

/** The vehicle of an id; undefined unless the fleet has it. */
export function vehicleOfId(fleet: Fleet, id: string): number | undefined {
  return indexOf('veh', fleet, id, fleet.size)
}

/** The driver of an id; undefined unless the fleet has him or her. */
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

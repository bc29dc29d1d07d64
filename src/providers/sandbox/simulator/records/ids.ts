import type { Fleet } from '../world/fleet.ts'

export type Prefix = 'acc' | 'usr' | 'reg' | 'ter' | 'drv' | 'veh' | 'trk' | 'cam' | 'trp' | 'evt'

/** `veh-1-2s`: an index within a fleet as an id that no fleet of another seed has. */
export function idOf(prefix: Prefix, { seed }: Fleet, ...indexes: number[]): string {
  let id = `${prefix}-${seed.toString(36)}`
  for (const index of indexes) id += `-${index.toString(36)}`
  return id
}

/** The vehicle of an id; undefined unless the fleet has it. */
export function vehicleOfId(fleet: Fleet, id: string): number | undefined {
  const vehicle = Number.parseInt(id.split('-')[2] ?? '', 36)
  return vehicle < fleet.size && idOf('veh', fleet, vehicle) === id ? vehicle : undefined
}

export function timestamp(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

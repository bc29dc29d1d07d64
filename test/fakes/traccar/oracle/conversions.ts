import type { Position } from '../positions/position.ts'

const KPH_IN_KNOT = 1.852
const METERS_IN_KILOMETER = 1000

export const kphOf = (knots: number): number => knots * KPH_IN_KNOT
export const kilometersOf = (meters: number): number => meters / METERS_IN_KILOMETER

export const pointOf = ({ latitude, longitude }: { latitude: number; longitude: number }) => ({
  longitude,
  latitude,
})

/** Fields that no record of Traccar has. */
export const undated = { createdAt: null, updatedAt: null }

/** Returns the unique id of the driver. Positions and trips have no other reference to it. */
export const driverIdOf = ({ attributes }: Position): string | null => {
  const code = attributes['driverUniqueId']
  return typeof code === 'string' ? code : null
}

/** Returns the engine state: a standing vehicle with the ignition on idles. */
export function engineOf({ attributes, speed }: Position): 'on' | 'off' | 'idle' {
  if (attributes['ignition'] !== true) return 'off'
  return speed === 0 ? 'idle' : 'on'
}

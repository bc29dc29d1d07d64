import type { Position } from '../position.ts'

/** Of the service's words, not of the server's. */
const KPH_IN_KNOT = 1.852
const METERS_IN_KILOMETER = 1000

export const kphOf = (knots: number): number => knots * KPH_IN_KNOT
export const kilometersOf = (meters: number): number => meters / METERS_IN_KILOMETER

export const pointOf = ({ latitude, longitude }: { latitude: number; longitude: number }) => ({
  longitude,
  latitude,
})

/** What no record of Traccar says. */
export const undated = { createdAt: null, updatedAt: null }

/** A driver is known by the unique id, which is all that positions and trips tell. */
export const driverIdOf = ({ attributes }: Position): string | null => {
  const code = attributes['driverUniqueId']
  return typeof code === 'string' ? code : null
}

/** With the ignition on it idles while it stands. */
export function engineOf({ attributes, speed }: Position): 'on' | 'off' | 'idle' {
  if (attributes['ignition'] !== true) return 'off'
  return speed === 0 ? 'idle' : 'on'
}

import { MINUTE_MS } from '../../world/durations.ts'
import { type Fleet, vehicleIsSilent, WORLD_START_MS } from '../../world/fleet.ts'
import { rounded } from '../../world/road-network/geometry.ts'
import { between, dice } from '../../world/random.ts'
import { terminalOf } from '../../world/road-network/terminals.ts'
import { vehicleRouteOf } from '../../world/vehicle-route.ts'
import { idOf, timestamp } from '../ids.ts'
import { latestSampleMs, locationAt } from '../locations.ts'
import { vehicleModelOf } from '../vehicles.ts'
import type { World } from '../world.ts'

export interface TrailerLocationRecord {
  trailerId: string
  time: string
  lat: number
  lng: number
  heading: number
  speedMph: number
  address: string
}

/** Minutes between two samples of a parked trailer. They are far apart, to save the battery. */
const PARKED_SAMPLE_MINUTES = 240
const PARKED_SAMPLE_MS = PARKED_SAMPLE_MINUTES * MINUTE_MS
/** Width of a yard in degrees. */
const YARD_DEGREES = 0.004

const placeDice = dice('place of a trailer in its yard')

/** Returns the last location of a trailer; undefined if it has no tracker or is removed. */
export function trailerLocation(world: World, trailer: number): TrailerLocationRecord | undefined {
  if (!hasTracker(trailer) || world.edits.removedAt('trailers', trailer) !== undefined) return undefined
  return isHooked(world, trailer) ? locationBehindTruck(world, trailer) : locationInYard(world, trailer)
}

const hasTracker = (trailer: number): boolean => trailer % 10 !== 9

/**
 * Whether a truck pulls the trailer. Three in four heavy trucks pull the trailer that has the same index as the
 * truck.
 */
function isHooked({ fleet, edits }: World, trailer: number): boolean {
  if (trailer % 4 === 3 || vehicleIsSilent(trailer)) return false
  return isHeavy(fleet, trailer) && edits.removedAt('vehicles', trailer) === undefined
}

function isHeavy(fleet: Fleet, vehicle: number): boolean {
  return vehicleModelOf(fleet, vehicle).kind === 'Truck'
}

function locationBehindTruck({ fleet, nowMs }: World, trailer: number): TrailerLocationRecord {
  const route = vehicleRouteOf(fleet, trailer)
  const { time, lat, lng, heading, speedMph, address } = locationAt(route, latestSampleMs(route, nowMs))
  return { trailerId: idOf('trl', fleet, trailer), time, lat, lng, heading, speedMph, address }
}

function locationInYard({ fleet, nowMs }: World, trailer: number): TrailerLocationRecord {
  const { place } = terminalOf(fleet, trailer)
  const offset = (draw: number) => YARD_DEGREES * between(-0.5, 0.5, placeDice(fleet.seed, trailer, draw))
  const phaseMs = Math.floor(placeDice(fleet.seed, trailer, 2) * PARKED_SAMPLE_MINUTES) * MINUTE_MS
  const sinceFirstSampleMs = nowMs - WORLD_START_MS - phaseMs
  return {
    trailerId: idOf('trl', fleet, trailer),
    time: timestamp(nowMs - (sinceFirstSampleMs % PARKED_SAMPLE_MS)),
    lat: rounded(place.lat + offset(0), 6),
    lng: rounded(place.lng + offset(1), 6),
    heading: Math.floor(360 * placeDice(fleet.seed, trailer, 3)),
    speedMph: 0,
    address: `${place.city} terminal, ${place.city}, ${place.state}`,
  }
}

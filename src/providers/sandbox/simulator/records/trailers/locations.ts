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

/** Sample interval of a parked trailer. It is long to save the battery. */
const PARKED_SAMPLE_MS = 240 * MINUTE_MS
/** Width of a yard in degrees. */
const YARD_DEGREES = 0.004

const placeDice = dice('place of a trailer in its yard')

/** Returns the last location of a trailer; undefined if it has no tracker or is removed. */
export function trailerLocation(world: World, trailer: number): TrailerLocationRecord | undefined {
  if (trailer % 10 === 9 || world.edits.removedAt('trailers', trailer) !== undefined) return undefined
  return isHooked(world, trailer) ? behindTruck(world, trailer) : inYard(world, trailer)
}

/**
 * Returns whether a truck pulls the trailer. Three in four heavy trucks pull the trailer with their own
 * number.
 */
function isHooked({ fleet, edits }: World, trailer: number): boolean {
  if (trailer % 4 === 3 || vehicleIsSilent(trailer)) return false
  return isHeavy(fleet, trailer) && edits.removedAt('vehicles', trailer) === undefined
}

function isHeavy(fleet: Fleet, vehicle: number): boolean {
  return vehicleModelOf(fleet, vehicle).kind === 'Truck'
}

function behindTruck({ fleet, nowMs }: World, trailer: number): TrailerLocationRecord {
  const route = vehicleRouteOf(fleet, trailer)
  const { time, lat, lng, heading, speedMph, address } = locationAt(route, latestSampleMs(route, nowMs))
  return { trailerId: idOf('trl', fleet, trailer), time, lat, lng, heading, speedMph, address }
}

function inYard({ fleet, nowMs }: World, trailer: number): TrailerLocationRecord {
  const { place } = terminalOf(fleet, trailer)
  const offset = (draw: number) => YARD_DEGREES * between(-0.5, 0.5, placeDice(fleet.seed, trailer, draw))
  const phaseMs = Math.floor(placeDice(fleet.seed, trailer, 2) * 240) * MINUTE_MS
  const sinceStart = nowMs - WORLD_START_MS - phaseMs
  return {
    trailerId: idOf('trl', fleet, trailer),
    time: timestamp(nowMs - (sinceStart % PARKED_SAMPLE_MS)),
    lat: rounded(place.lat + offset(0), 6),
    lng: rounded(place.lng + offset(1), 6),
    heading: Math.floor(360 * placeDice(fleet.seed, trailer, 3)),
    speedMph: 0,
    address: `${place.city} terminal, ${place.city}, ${place.state}`,
  }
}

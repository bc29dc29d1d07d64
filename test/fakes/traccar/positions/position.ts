import type { Ms, Place, World } from '../../world/truth.ts'
import { toDate, toDegrees } from '../wire.ts'

export interface Position {
  readonly id: number
  readonly deviceId: number
  readonly fixTime: Date
  readonly deviceTime: Date
  readonly serverTime: Date
  readonly valid: boolean
  readonly outdated: boolean
  readonly latitude: number
  readonly longitude: number
  readonly speed: number
  readonly course: number
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly [more: string]: unknown
}

/** Number of ids of a device: one per millisecond, for 30 years. */
const IDS_PER_DEVICE = 1_000_000_000_000

export const positionId = (vehicle: number, at: Ms, world: World): number =>
  vehicle * IDS_PER_DEVICE + (at - world.startsAt)

export const deviceAndTimeOf = (id: number, world: World): { vehicle: number; at: Ms } => ({
  vehicle: Math.floor(id / IDS_PER_DEVICE),
  at: world.startsAt + (id % IDS_PER_DEVICE),
})

export function createPosition(vehicle: number, at: Ms, arrivedAt: Ms, place: Place, world: World) {
  const time = toDate(at)
  return {
    id: positionId(vehicle, at, world),
    deviceId: vehicle,
    protocol: 'teltonika',
    deviceTime: time,
    fixTime: time,
    serverTime: toDate(arrivedAt),
    outdated: false,
    valid: true,
    latitude: toDegrees(place.latitude),
    longitude: toDegrees(place.longitude),
    altitude: 0,
    address: null,
    accuracy: 0,
    network: null,
    geofenceIds: null,
  }
}

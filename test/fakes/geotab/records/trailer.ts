import type { Trailer } from '../../world/truth.ts'
import type { ListedEntity } from '../stores/snapshot-store.ts'
import { dateTime, type Entity, groupId, shortId, trailerId, versionText } from '../formats.ts'
import { activeTo } from './device.ts'
import type { Fleet } from '../fleet/fleet.ts'

export const isOnlyDevice = ({ switches }: Fleet): boolean =>
  switches.trailers === 'devices' || switches.trailers === 'unknown type'

export const trailerDeviceId = (number: number): string => shortId(0x80_00 + number)

/** Returns a trailer as a device, which has fewer members than the device of a vehicle. */
export const toTrailerDevice = (fleet: Fleet, trailer: Trailer, version: number): Entity => ({
  activeFrom: dateTime(trailer.createdAt),
  activeTo: activeTo(fleet, trailer),
  comment: '',
  deviceType: 'None',
  engineVehicleIdentificationNumber: '?',
  groups: trailer.groups.map((group) => ({ id: groupId(group) })),
  id: trailerDeviceId(trailer.number),
  licensePlate: trailer.plate,
  licenseState: trailer.plateState,
  name: trailer.name,
  productId: -1,
  serialNumber: '',
  timeZoneId: fleet.timeZone,
  tmpTrailerId: trailerId(trailer.number),
  vehicleIdentificationNumber: '',
  version: versionText(version),
  workTime: 'WorkTimeStandardHoursId',
})

export function trailers(fleet: Fleet): ListedEntity[] {
  if (isOnlyDevice(fleet)) return []
  return fleet.world
    .trailers()
    .filter((trailer) => fleet.isKept(trailer))
    .map((trailer) => [trailerId(trailer.number), (version) => toTrailer(trailer, version)])
}

const toTrailer = (trailer: Trailer, version: number): Entity => ({
  comment: '',
  groups: trailer.groups.map((group) => ({ id: groupId(group) })),
  id: trailerId(trailer.number),
  name: trailer.name,
  version: versionText(version),
})

import type { Trailer, Vehicle } from '../../world/truth.ts'
import type { Listed } from '../ledger/snapshots.ts'
import {
  dateTime,
  deviceId,
  type Entity,
  FOREVER,
  groupId,
  shortId,
  trailerId,
  versionText,
} from '../words.ts'
import type { Fleet } from './fleet.ts'

/** Vehicles, and trailers too where the database has them as devices. */
export function devices(fleet: Fleet): Listed[] {
  const { trailers } = fleet.switches
  const asDevices =
    trailers === 'entity' ? [] : fleet.world.trailers().filter((trailer) => fleet.isKept(trailer))
  return [
    ...fleet
      .vehicles()
      .map((vehicle): Listed => [deviceId(vehicle.number), (version) => toDevice(fleet, vehicle, version)]),
    ...asDevices.map((trailer): Listed => [
      trailerDeviceId(trailer.number),
      (version) => toTrailerDevice(fleet, trailer, version),
    ]),
  ]
}

export const trailerDeviceId = (number: number): string => shortId(0x80_00 + number)

export const deviceTypeOf = ({ number }: Vehicle): string => (number % 4 === 0 ? 'GO7' : 'GO9')

/** Some vehicles tell their number by the engine alone; where neither knows, both are a question mark or empty. */
export function vinsOf({ number, vin }: Vehicle): { readonly registered: string; readonly engine: string } {
  if (number % 25 === 24) return { registered: '', engine: '?' }
  return number % 7 === 3 ? { registered: '', engine: vin } : { registered: vin, engine: vin }
}

/** When it ceased, or will in the far future. What is inactive ceased when it became so. */
export function activeTo(of: {
  readonly isActive?: boolean
  readonly removedAt: number | null
  readonly updatedAt: number
}) {
  if (of.removedAt !== null) return dateTime(of.removedAt)
  return of.isActive === false ? dateTime(of.updatedAt) : FOREVER
}

function toDevice(fleet: Fleet, vehicle: Vehicle, version: number): Entity {
  const { registered, engine } = vinsOf(vehicle)
  return {
    ...telematics,
    ...(fleet.switches.fuelTankCapacity === 'present' ? { fuelTankCapacity: vehicle.tankLiters } : {}),
    ...(fleet.switches.vinInfo === 'present' && deviceTypeOf(vehicle) === 'GO9' ? vinInfoOf(vehicle) : {}),
    activeFrom: dateTime(vehicle.createdAt),
    activeTo: activeTo(vehicle),
    comment: '',
    deviceType: deviceTypeOf(vehicle),
    engineVehicleIdentificationNumber: engine,
    groups: vehicle.groups.map((group) => ({ id: groupId(group) })),
    id: deviceId(vehicle.number),
    licensePlate: vehicle.plate,
    licenseState: vehicle.plateState,
    name: vehicle.name,
    productId: deviceTypeOf(vehicle) === 'GO9' ? 120 : 111,
    serialNumber: vehicle.deviceSerial,
    timeZoneId: fleet.timeZone,
    vehicleIdentificationNumber: registered,
    version: versionText(version),
    workTime: 'WorkTimeStandardHoursId',
  }
}

const vinInfoOf = ({ make, model, year }: Vehicle) => ({
  vinInfoMake: make,
  vinInfoModel: model,
  vinInfoYear: String(year),
  vinInfoVehicleType: 15,
})

const telematics = {
  accelerationWarningThreshold: 22,
  brakingWarningThreshold: -34,
  corneringWarningThreshold: 26,
  deviceFlags: {
    activeFeatures: ['GoActive'],
    isActiveTrackingAllowed: true,
    isContinuousConnectAllowed: true,
    isEngineAllowed: true,
    isHOSAllowed: true,
    isTripDetailAllowed: true,
    isVINAllowed: true,
  },
  devicePlanBillingInfo: [{ billingLevel: 10, devicePlanName: 'ProPlus' }],
  devicePlans: ['ProPlus'],
  idleMinutes: 3,
  ignoreDownloadsUntil: '0001-01-01T00:00:00.000Z',
  isActiveTrackingEnabled: true,
  isContinuousConnectEnabled: true,
  maxSecondsBetweenLogs: 200,
  minAccidentSpeed: 4,
  speedingOff: 90,
  speedingOn: 100,
}

/** Much poorer than a vehicle: no device is in it. */
const toTrailerDevice = (fleet: Fleet, trailer: Trailer, version: number): Entity => ({
  activeFrom: dateTime(trailer.createdAt),
  activeTo: activeTo(trailer),
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

export function trailers(fleet: Fleet): Listed[] {
  if (fleet.switches.trailers === 'devices') return []
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

import type { Vehicle } from '../../world/truth.ts'
import type { Listed } from '../ledger/snapshots.ts'
import { DAY } from '../times.ts'
import { dateTime, deviceId, type Entity, FOREVER, groupId, versionText } from '../formats.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { toTrailerDevice, trailerDeviceId } from './trailer.ts'

/** Returns vehicles, and trailers if the database has them as devices. */
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

export const deviceTypeOf = ({ number }: Vehicle): string => (number % 4 === 0 ? 'GO7' : 'GO9')

/**
 * Returns the VINs. Some vehicles report only the engine's; if neither is known, both are a question mark or
 * empty.
 */
export function vinsOf({ number, vin }: Vehicle): { readonly registered: string; readonly engine: string } {
  if (number % 25 === 24) return { registered: '', engine: '?' }
  return number % 7 === 3 ? { registered: '', engine: vin } : { registered: vin, engine: vin }
}

interface Member {
  readonly number: number
  readonly isActive?: boolean
  readonly createdAt: number
  readonly updatedAt: number
  readonly removedAt: number | null
}

/** Returns the end of an inactive member: the time it became inactive. */
export const ceasedAt = ({ removedAt, isActive, updatedAt }: Member): number | null =>
  removedAt ?? (isActive === false ? updatedAt : null)

/** Returns the end of a member: in the far future if none is planned. */
export function activeTo({ switches }: Fleet, member: Member): string {
  const ceased = ceasedAt(member)
  if (ceased !== null) return dateTime(ceased)
  const isPlanned = switches.plannedEnds === 'some' && member.number % 3 === 1
  return isPlanned ? dateTime(member.createdAt + 1000 * DAY) : FOREVER
}

function toDevice(fleet: Fleet, vehicle: Vehicle, version: number): Entity {
  const { registered, engine } = vinsOf(vehicle)
  return {
    ...telematics,
    ...(fleet.switches.fuelTankCapacity === 'present' ? { fuelTankCapacity: vehicle.tankLiters } : {}),
    ...(fleet.switches.vinInfo === 'present' && deviceTypeOf(vehicle) === 'GO9' ? vinInfoOf(vehicle) : {}),
    activeFrom: dateTime(vehicle.createdAt),
    activeTo: activeTo(fleet, vehicle),
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

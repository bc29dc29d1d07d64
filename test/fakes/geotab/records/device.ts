import type { Vehicle } from '../../world/truth.ts'
import type { ListedEntity } from '../stores/snapshot-store.ts'
import { DAY } from '../times.ts'
import { dateTime, deviceId, type Entity, FOREVER, groupId, versionText } from '../formats.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { toTrailerDevice, trailerDeviceId } from './trailer.ts'

/** Returns the devices of vehicles, and those of trailers if trailers are devices. */
export function devices(fleet: Fleet): ListedEntity[] {
  const { trailers } = fleet.switches
  const asDevices =
    trailers === 'entity' ? [] : fleet.world.trailers().filter((trailer) => fleet.isKept(trailer))
  return [
    ...fleet
      .vehicles()
      .map((vehicle): ListedEntity => [
        deviceId(vehicle.number),
        (version) => toDevice(fleet, vehicle, version),
      ]),
    ...asDevices.map((trailer): ListedEntity => [
      trailerDeviceId(trailer.number),
      (version) => toTrailerDevice(fleet, trailer, version),
    ]),
  ]
}

export const deviceTypeOf = ({ number }: Vehicle): string => (number % 4 === 0 ? 'GO7' : 'GO9')

/** Returns the VINs that a person entered and that the engine reports. An unknown VIN is empty or a question mark. */
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

/** Returns when a member became inactive or was removed; null for an active one. */
export const inactiveSince = ({ removedAt, isActive, updatedAt }: Member): number | null =>
  removedAt ?? (isActive === false ? updatedAt : null)

/** Returns the end of a member; far in the future if there is none. */
export function activeTo({ switches }: Fleet, member: Member): string {
  const ceased = inactiveSince(member)
  if (ceased !== null) return dateTime(ceased)
  const isPlanned = switches.plannedEnds === 'some' && member.number % 3 === 1
  return isPlanned ? dateTime(member.createdAt + 1000 * DAY) : FOREVER
}

function toDevice(fleet: Fleet, vehicle: Vehicle, version: number): Entity {
  const { registered, engine } = vinsOf(vehicle)
  return {
    ...deviceSettings,
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

const deviceSettings = {
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

import type { Driver, Trailer, Vehicle } from '../../world/truth.ts'
import { inactiveSince, deviceTypeOf, vinsOf } from '../records/device.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { isOnlyDevice, trailerDeviceId } from '../records/trailer.ts'
import { loginOf } from '../records/user.ts'
import { COMPANY_GROUP, deviceId, groupId, trailerId, userId } from '../formats.ts'

export const groups = ({ world }: Fleet) => [
  { ...ofGroup, sourceId: COMPANY_GROUP, name: 'Company Group', parentSourceId: null },
  ...world
    .groups()
    .filter(({ removedAt }) => removedAt === null)
    .map(({ number, name, parent }) => ({
      ...ofGroup,
      sourceId: groupId(number),
      name,
      parentSourceId: parent === null ? COMPANY_GROUP : groupId(parent),
    })),
]

const ofGroup = { description: null, createdAt: null, updatedAt: null, deletedAt: null }

/** A member whose end is in the past is inactive and removed. */
function lifetimeOf(member: Pick<Vehicle, 'number' | 'isActive' | 'createdAt' | 'updatedAt' | 'removedAt'>) {
  const ceased = inactiveSince(member)
  return {
    status: ceased === null ? 'active' : 'inactive',
    deletedAt: ceased,
    createdAt: member.createdAt,
    updatedAt: null,
  }
}

export const drivers = (fleet: Fleet) => fleet.drivers().map(toDriver)

const toDriver = (driver: Driver) => ({
  ...lifetimeOf(driver),
  sourceId: userId(driver.number),
  firstName: driver.firstName,
  middleName: null,
  lastName: driver.lastName,
  email: loginOf(driver).includes('@') ? driver.email : null,
  phone: driver.phone,
  username: loginOf(driver),
  license: { state: driver.licenseState, number: driver.licenseNumber },
  groupSourceIds: driver.groups.map(groupId),
})

export const vehicles = (fleet: Fleet) => fleet.vehicles().map((vehicle) => toVehicle(fleet, vehicle))

function toVehicle({ switches }: Fleet, vehicle: Vehicle) {
  const { registered, engine } = vinsOf(vehicle)
  const isDecoded = switches.vinInfo === 'present' && deviceTypeOf(vehicle) === 'GO9'
  return {
    ...lifetimeOf(vehicle),
    sourceId: deviceId(vehicle.number),
    vin: [registered, engine].includes(vehicle.vin) ? vehicle.vin : null,
    name: vehicle.name,
    make: isDecoded ? vehicle.make : null,
    model: isDecoded ? vehicle.model : null,
    year: isDecoded ? vehicle.year : null,
    groupSourceIds: vehicle.groups.map(groupId),
    licensePlate: { state: vehicle.plateState, number: vehicle.plate },
    fuelType: null,
    fuelTankCapacityLiters:
      switches.fuelTankCapacity === 'present' && vehicle.tankLiters > 0 ? vehicle.tankLiters : null,
  }
}

export const devices = (fleet: Fleet) =>
  fleet.vehicles().map((vehicle) => ({
    sourceId: deviceId(vehicle.number),
    deletedAt: lifetimeOf(vehicle).deletedAt,
    createdAt: vehicle.createdAt,
    updatedAt: null,
    type: 'tracker',
    vehicleSourceId: deviceId(vehicle.number),
    description: deviceTypeOf(vehicle),
    serialNumber: vehicle.deviceSerial,
    lastConnectedAt: null,
  }))

export const trailers = (fleet: Fleet) =>
  fleet.world
    .trailers()
    .filter((trailer) => fleet.isKept(trailer))
    .map((trailer) => toTrailer(trailer, fleet.switches.trailers !== 'entity', isOnlyDevice(fleet)))

/** Returns a trailer. Only a trailer that is a device has a license plate and an end. */
function toTrailer(trailer: Trailer, isDevice: boolean, isOnlyDevice: boolean) {
  const life = lifetimeOf({ ...trailer, isActive: true })
  return {
    sourceId: isOnlyDevice ? trailerDeviceId(trailer.number) : trailerId(trailer.number),
    status: isDevice ? life.status : 'active',
    deletedAt: isDevice ? life.deletedAt : null,
    createdAt: isDevice ? trailer.createdAt : null,
    updatedAt: null,
    name: trailer.name,
    vin: null,
    serialNumber: null,
    make: null,
    model: null,
    year: null,
    groupSourceIds: trailer.groups.map(groupId),
    licensePlate: isDevice ? { state: trailer.plateState, number: trailer.plate } : null,
  }
}

import type { Driver, Vehicle } from '../../world/truth.ts'
import type { FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import { fuelEnergyIn } from '../reports/fuel-energy.ts'
import { GATEWAY_MODEL } from '../roster/gateways.ts'
import { nameOf } from '../roster/drivers.ts'
import { MILLISECONDS_PER_DAY } from '../formats.ts'
import type { NormalizedRecord } from './conversions.ts'

const groupsOf = ({ organization }: FakeRequest, groups: readonly number[]) =>
  groups.filter((group) => organization.group(group)).map((group) => id('tag', group))

const untimed = { createdAt: null, updatedAt: null }

export const groups = ({ organization }: FakeRequest): NormalizedRecord[] =>
  organization.groups().map(({ number, name, parent }) => ({
    sourceId: id('tag', number),
    name,
    description: null,
    parentSourceId: parent === null ? null : id('tag', parent),
    ...untimed,
  }))

/** The last word of a name is the last name. */
function namesOf(driver: Driver) {
  const words = nameOf(driver).split(' ')
  return { firstName: words.slice(0, -1).join(' '), middleName: null, lastName: words.at(-1) }
}

export const drivers = (request: FakeRequest): NormalizedRecord[] =>
  request.organization.drivers().map((driver) => ({
    sourceId: id('driver', driver.number),
    status: driver.isActive ? 'active' : 'inactive',
    ...namesOf(driver),
    email: null,
    phone: driver.phone,
    username: driver.username,
    license: { state: driver.licenseState, number: driver.licenseNumber },
    groupSourceIds: groupsOf(request, driver.groups),
    createdAt: driver.createdAt,
    updatedAt: driver.updatedAt,
  }))

/** Period of the report that names the energy type of vehicles. */
const REPORTED_FOR = 30 * MILLISECONDS_PER_DAY

const isElectric = (request: FakeRequest, vehicle: Vehicle): boolean =>
  vehicle.fuel === 'electric' &&
  request.switches.energyTypes === 'sent' &&
  fuelEnergyIn(request, [vehicle], request.organization.now - REPORTED_FOR, Infinity).length > 0

/** Samsara lists only active vehicles, and reports no fuel type except electric. */
export const vehicles = (request: FakeRequest): NormalizedRecord[] =>
  request.organization.vehicles().map((vehicle) => ({
    sourceId: id('vehicle', vehicle.number),
    status: 'active',
    vin: vehicle.vin,
    name: vehicle.name,
    make: vehicle.make,
    model: vehicle.model,
    year: vehicle.year,
    groupSourceIds: groupsOf(request, vehicle.groups),
    licensePlate: { state: null, number: vehicle.plate },
    fuelType: isElectric(request, vehicle) ? 'electric' : null,
    fuelTankCapacityLiters: null,
    createdAt: vehicle.createdAt,
    updatedAt: vehicle.updatedAt,
  }))

export const trailers = (request: FakeRequest): NormalizedRecord[] =>
  request.organization.trailers().map((trailer) => ({
    sourceId: id('trailer', trailer.number),
    status: 'active',
    name: trailer.name,
    vin: null,
    serialNumber: trailer.vin,
    make: null,
    model: null,
    year: null,
    groupSourceIds: groupsOf(request, trailer.groups),
    licensePlate: { state: null, number: trailer.plate },
    ...untimed,
  }))

export const devices = ({ organization }: FakeRequest): NormalizedRecord[] =>
  organization.vehicles().map((vehicle) => ({
    sourceId: vehicle.deviceSerial,
    type: 'tracker',
    vehicleSourceId: id('vehicle', vehicle.number),
    description: GATEWAY_MODEL,
    serialNumber: vehicle.deviceSerial,
    lastConnectedAt: organization.world.lastFix(vehicle.number)?.arrivedAt ?? null,
    ...untimed,
  }))

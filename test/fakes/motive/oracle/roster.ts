import type { FakeRequest } from '../fake-request.ts'
import { id } from '../ids.ts'
import { ELD_MODEL, yearOf } from '../roster/people.ts'
import { secondOf } from '../formats.ts'
import type { NormalizedRecord } from './conversions.ts'

const undated = { createdAt: null, updatedAt: null }

const groupsOf = ({ company }: FakeRequest, groups: readonly number[]): string[] =>
  groups
    .filter((number) => company.groups().some((group) => group.number === number))
    .map((number) => String(id('group', number)))

export const groups = ({ company }: FakeRequest): NormalizedRecord[] =>
  company.groups().map(({ number, name, parent }) => ({
    ...undated,
    sourceId: String(id('group', number)),
    name,
    description: null,
    parentSourceId: parent === null ? null : String(id('group', parent)),
  }))

export const drivers = (request: FakeRequest): NormalizedRecord[] =>
  request.company.drivers().map((driver) => ({
    sourceId: String(id('user', driver.number)),
    status: driver.isActive ? 'active' : 'inactive',
    firstName: driver.firstName,
    middleName: null,
    lastName: driver.lastName,
    email: driver.email,
    phone: driver.phone,
    username: driver.username,
    license: { state: driver.licenseState, number: driver.licenseNumber },
    groupSourceIds: groupsOf(request, driver.groups),
    createdAt: secondOf(driver.createdAt),
    updatedAt: driver.updatedAt,
  }))

/** Depending on a switch, the fuel type of an electric vehicle is `other`, which maps to null. */
export const vehicles = (request: FakeRequest): NormalizedRecord[] =>
  request.company.vehicles().map((vehicle) => ({
    sourceId: String(id('vehicle', vehicle.number)),
    status: vehicle.isActive ? 'active' : 'inactive',
    vin: vehicle.vin,
    name: vehicle.name,
    make: vehicle.make,
    model: vehicle.model,
    year: yearOf(vehicle) === '' ? null : vehicle.year,
    groupSourceIds: groupsOf(request, vehicle.groups),
    licensePlate: { state: vehicle.plateState, number: vehicle.plate },
    fuelType: vehicle.fuel === 'electric' && request.is('electricFuel', 'other') ? null : vehicle.fuel,
    fuelTankCapacityLiters: null,
    createdAt: secondOf(vehicle.createdAt),
    updatedAt: secondOf(vehicle.updatedAt),
  }))

export const devices = ({ company }: FakeRequest): NormalizedRecord[] =>
  company.vehicles().map(({ number, deviceSerial }) => ({
    ...undated,
    sourceId: String(id('eld', number)),
    type: 'tracker',
    vehicleSourceId: String(id('vehicle', number)),
    description: ELD_MODEL,
    serialNumber: deviceSerial,
    lastConnectedAt: null,
  }))

export const trailers = ({ company }: FakeRequest): NormalizedRecord[] =>
  company.trailers().map((trailer) => ({
    sourceId: String(id('asset', trailer.number)),
    status: 'active',
    name: trailer.name,
    vin: trailer.vin,
    serialNumber: null,
    make: trailer.make,
    model: trailer.model,
    year: trailer.year,
    groupSourceIds: [],
    licensePlate: { state: trailer.plateState, number: trailer.plate },
    createdAt: secondOf(trailer.createdAt),
    updatedAt: secondOf(trailer.updatedAt),
  }))

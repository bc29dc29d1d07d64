import type { World } from '../../world/truth.ts'
import { driverCode, driversOf, groupOf, groupsOf, vehiclesOf } from '../lists.ts'
import { latestOf } from '../positions/positions.ts'
import type { TraccarSwitches } from '../wire.ts'
import { undated } from './conversions.ts'

export const groups = (world: World): object[] =>
  groupsOf(world).map(({ number, name, parent }) => ({
    ...undated,
    sourceId: String(number),
    name,
    description: null,
    parentSourceId: parent === null ? null : String(parent),
  }))

/** The last word of a name is the last name. */
export const drivers = (world: World): object[] =>
  driversOf(world).map(({ number, firstName, lastName, phone }) => {
    const words = `${firstName} ${lastName}`.split(' ')
    return {
      ...undated,
      sourceId: driverCode(number),
      status: 'active',
      firstName: words.slice(0, -1).join(' '),
      middleName: null,
      lastName: words.at(-1),
      email: null,
      phone,
      username: null,
      license: null,
      groupSourceIds: [],
    }
  })

export const vehicles = (world: World): object[] =>
  vehiclesOf(world).map((vehicle) => ({
    ...undated,
    sourceId: String(vehicle.number),
    status: vehicle.isActive ? 'active' : 'inactive',
    vin: vehicle.vin,
    name: vehicle.name,
    make: vehicle.make,
    model: vehicle.model,
    year: vehicle.year,
    groupSourceIds: [String(groupOf(vehicle))],
    licensePlate: { state: vehicle.plateState, number: vehicle.plate },
    fuelType: vehicle.fuel,
    fuelTankCapacityLiters: vehicle.tankLiters > 0 ? vehicle.tankLiters : null,
  }))

export const devices = (world: World, switches: TraccarSwitches): object[] =>
  vehiclesOf(world).map(({ number, deviceSerial, model }) => ({
    ...undated,
    sourceId: String(number),
    type: 'tracker',
    vehicleSourceId: String(number),
    description: model,
    serialNumber: deviceSerial,
    lastConnectedAt: latestOf(number, world, switches)?.serverTime.getTime() ?? null,
  }))

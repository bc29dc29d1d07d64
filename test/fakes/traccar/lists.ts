import { stateNames } from '../world/roster/names.ts'
import type { Driver, Group, Vehicle, World } from '../world/truth.ts'
import { latestOf } from './positions/positions.ts'
import type { TraccarSwitches } from './wire.ts'

const MINUTE = 60_000

export const driverCode = (number: number): string => `DRV-${number}`

const present = <T extends { removedAt: number | null }>(members: readonly T[]): T[] =>
  members.filter(({ removedAt }) => removedAt === null)

export const vehiclesOf = (world: World): Vehicle[] => present(world.vehicles())
export const driversOf = (world: World): Driver[] => present(world.drivers())
export const groupsOf = (world: World): Group[] => present(world.groups())

/** Returns the group of a device, which has only one: the most specific of the vehicle. */
export const groupOf = ({ groups }: Vehicle): number => groups.at(-1) ?? 0

export function toDevice(vehicle: Vehicle, world: World, switches: TraccarSwitches): object {
  const latest = latestOf(vehicle.number, world, switches)
  const age = latest ? world.now - latest.serverTime.getTime() : Infinity
  return {
    id: vehicle.number,
    name: vehicle.name,
    uniqueId: vehicle.deviceSerial,
    status: age === Infinity ? 'unknown' : age < 10 * MINUTE ? 'online' : 'offline',
    disabled: !vehicle.isActive,
    lastUpdate: latest ? latest.serverTime : null,
    positionId: latest?.id ?? 0,
    groupId: groupOf(vehicle),
    phone: null,
    model: vehicle.model,
    contact: null,
    category: vehicle.fuel === 'diesel' ? 'truck' : 'van',
    attributes: {
      vin: vehicle.vin,
      licensePlate: vehicle.plate,
      plateState: vehicle.number % 2 === 0 ? stateNames[vehicle.plateState] : vehicle.plateState,
      make: vehicle.make,
      year: vehicle.year,
      fuelType: vehicle.fuel,
      ...(vehicle.tankLiters > 0 ? { tankCapacity: vehicle.tankLiters } : {}),
    },
  }
}

export const toGroup = ({ number, name, parent }: Group): object => ({
  id: number,
  name,
  groupId: parent ?? 0,
  attributes: {},
})

export const toDriver = ({ number, firstName, lastName, phone }: Driver): object => ({
  id: number,
  name: `${firstName} ${lastName}`,
  uniqueId: driverCode(number),
  attributes: { phone: number % 2 === 0 ? phone : toNationalFormat(phone) },
})

const toNationalFormat = (phone: string): string => phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')

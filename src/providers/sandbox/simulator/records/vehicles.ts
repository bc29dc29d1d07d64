import { VEHICLE_MODELS, type VehicleModel } from '../world/catalogue.ts'
import { type Fleet, removedCount, vehicleIsActive, WORLD_START_MS } from '../world/fleet.ts'
import { rounded } from '../world/road-network/geometry.ts'
import { between, dice, digits, pick, pickWeighted } from '../world/random.ts'
import { terminalOf } from '../world/road-network/terminals.ts'
import { groupIdsOf } from './groups.ts'
import { idOf } from './ids.ts'
import { editTimes, removedMsOf, type Roster } from './roster.ts'
import { vinOf } from './vin.ts'
import type { World } from './world.ts'

export interface VehicleRecord {
  id: string
  status: 'active' | 'inactive'
  vin: string
  name: string
  make: string
  model: string
  year: number
  groupIds: string[]
  licensePlate: { state: string; number: string } | null
  fuelType: VehicleModel['fuelType']
  fuelTankGallons: number | null
  /** Known for two in three vehicles that burn fuel. */
  fuelEconomyMpg: number | null
  removedAt: string | null
  createdAt: string
  updatedAt: string
}

const YEARS = [2017, 2018, 2019, 2020, 2021, 2022, 2023, 2024]

const modelDice = dice('model of a vehicle')
const yearDice = dice('year of a vehicle')
const vinDice = dice('vin of a vehicle')
const plateDice = dice('plate of a vehicle')
const economyDice = dice('fuel economy of a vehicle')
const ageDice = dice('age of a vehicle')
const editDice = dice('last edit of a vehicle')

export const vehicles: Roster<VehicleRecord> = {
  resource: 'vehicles',
  count: (fleet) => fleet.size + removedCount(fleet),
  record: vehicleRecord,
  renamed: (vehicle) => ({ ...vehicle, name: `${vehicle.name} (renamed)` }),
}

export function vehicleModelOf({ seed }: Fleet, vehicle: number): VehicleModel {
  return pickWeighted(VEHICLE_MODELS, modelDice(seed, vehicle))
}

export function vehicleYearOf({ seed }: Fleet, vehicle: number): number {
  return pick(YEARS, yearDice(seed, vehicle))
}

/** Returns the creation time of a vehicle, between July before its model year and the start of the world. */
export function vehicleCreatedMs(fleet: Fleet, vehicle: number): number {
  const earliest = Date.UTC(vehicleYearOf(fleet, vehicle) - 1, 6, 1)
  return between(earliest, WORLD_START_MS, ageDice(fleet.seed, vehicle))
}

function vehicleRecord({ fleet }: World, index: number): VehicleRecord {
  const { seed } = fleet
  const { make, model, kind, wmi, fuelType, fuelTankGallons } = vehicleModelOf(fleet, index)
  const year = vehicleYearOf(fleet, index)
  const createdMs = vehicleCreatedMs(fleet, index)
  return {
    id: idOf('veh', fleet, index),
    status: vehicleIsActive(index) ? 'active' : 'inactive',
    vin: vinOf({ wmi, descriptor: vinDice(seed, index), year, serial: index }),
    name: `${kind} ${1001 + index}`,
    make,
    model,
    year,
    groupIds: groupIdsOf(fleet, index),
    licensePlate: plateDice(seed, index) < 0.96 ? licensePlate(fleet, index) : null,
    fuelType,
    fuelTankGallons,
    fuelEconomyMpg: fuelEconomyMpg(fleet, index),
    ...editTimes(createdMs, removedMsOf('vehicles', fleet, index, fleet.size), editDice(seed, index)),
  }
}

function licensePlate(fleet: Fleet, index: number) {
  const letter = String.fromCharCode(65 + Math.floor(26 * plateDice(fleet.seed, index, 1)))
  const [head, tail] = [
    digits(3, plateDice(fleet.seed, index, 2)),
    digits(2, plateDice(fleet.seed, index, 3)),
  ]
  return { state: terminalOf(fleet, index).place.state, number: `P${head}${letter}${tail}` }
}

function fuelEconomyMpg(fleet: Fleet, vehicle: number): number | null {
  const gallons = gallonsPerMile(fleet, vehicle)
  return gallons === null || economyDice(fleet.seed, vehicle) >= 2 / 3 ? null : rounded(1 / gallons, 1)
}

/** Returns the fuel consumption; null for an electric vehicle. */
export function gallonsPerMile(fleet: Fleet, vehicle: number): number | null {
  const { fuelTankGallons, rangeMiles } = vehicleModelOf(fleet, vehicle)
  return fuelTankGallons === null ? null : fuelTankGallons / rangeMiles
}

import type { Device } from '../../../../src/subgraphs/fleet/device.ts'
import { DeviceType } from '../../../../src/subgraphs/fleet/device.ts'
import type { Driver } from '../../../../src/subgraphs/fleet/driver.ts'
import { DriverStatus } from '../../../../src/subgraphs/fleet/driver.ts'
import type { Group } from '../../../../src/subgraphs/fleet/group.ts'
import { type Trailer, TrailerStatus } from '../../../../src/subgraphs/fleet/trailer.ts'
import { FuelType, type Vehicle } from '../../../../src/subgraphs/fleet/vehicle.ts'
import {
  bareVehicleRow,
  DAY,
  deviceRow,
  driverRow,
  groupRow,
  NOON,
  type Owner,
  unknownId,
  vehicleRow,
} from '../../factories.ts'
import { trailerRow } from '../../rows/record-rows.ts'

export interface Roster {
  readonly groups: readonly Group[]
  readonly drivers: readonly Driver[]
  readonly vehicles: readonly Vehicle[]
  readonly trailers: readonly Trailer[]
  readonly devices: readonly Device[]
}

/** Returns a roster with missing values, deleted records, and references to rows that do not exist. */
export function variedRoster(owner: Owner): Roster {
  const groups = variedGroups(owner)
  const vehicles = variedVehicles(owner, groups)
  return {
    groups,
    vehicles,
    drivers: variedDrivers(owner, groups),
    trailers: variedTrailers(owner, groups),
    devices: variedDevices(owner, vehicles),
  }
}

function variedGroups(owner: Owner): Group[] {
  const region = groupRow(owner)
  const terminal = groupRow(owner, {
    name: 'Terminal',
    description: 'Gate 4',
    parentId: region.id,
    modifiedAt: NOON,
  })
  const yard = groupRow(owner, { name: null, parentId: terminal.id })
  const orphan = groupRow(owner, { name: 'Orphan', parentId: unknownId('group') })
  return [region, terminal, yard, orphan, groupRow(owner, { name: 'Closed', deletedAt: NOON - DAY })]
}

const variedDrivers = (owner: Owner, groups: readonly Group[]): Driver[] => [
  driverRow(owner, { groupIds: [groups[0]!.id, groups[1]!.id] }),
  driverRow(owner, {
    firstName: null,
    lastName: null,
    email: null,
    phone: null,
    licenseState: null,
    licenseNumber: null,
    createdAt: null,
  }),
  driverRow(owner, { firstName: 'Gone', status: DriverStatus.INACTIVE, deletedAt: NOON - DAY }),
  driverRow(owner, { firstName: 'Ursula', licenseNumber: null, modifiedAt: NOON }),
  driverRow(owner, { firstName: 'Idle', middleName: 'B.', username: 'idle', status: DriverStatus.INACTIVE }),
]

const variedVehicles = (owner: Owner, groups: readonly Group[]): Vehicle[] => [
  vehicleRow(owner, { name: 'Everything', groupIds: groups.slice(0, 3).map(({ id }) => id) }),
  bareVehicleRow(owner),
  vehicleRow(owner, { name: 'Gone', deletedAt: NOON - DAY }),
  vehicleRow(owner, { name: 'Nowhere', fuelType: FuelType.HYBRID_DIESEL, modifiedAt: NOON }),
  vehicleRow(owner, {
    name: 'Lost group',
    groupIds: [groups[0]!.id, unknownId('group')],
    modifiedAt: NOON - DAY,
  }),
  vehicleRow(owner, {
    name: 'Same group',
    groupIds: [groups[0]!.id],
    licensePlateNumber: null,
    fuelType: FuelType.ELECTRIC,
  }),
]

const variedDevices = (owner: Owner, vehicles: readonly Vehicle[]): Device[] => [
  deviceRow(owner, { vehicleId: vehicles[0]!.id, description: 'Under the dash' }),
  deviceRow(owner, {
    vehicleId: vehicles[0]!.id,
    type: DeviceType.CAMERA,
    serialNumber: null,
    lastConnectedAt: null,
  }),
  deviceRow(owner, { vehicleId: vehicles[1]!.id }),
  deviceRow(owner),
  deviceRow(owner, { vehicleId: unknownId('vehicle') }),
  deviceRow(owner, { vehicleId: vehicles[2]!.id, deletedAt: NOON - DAY }),
]

const variedTrailers = (owner: Owner, groups: readonly Group[]): Trailer[] => [
  trailerRow(owner, { groupIds: [groups[1]!.id, groups[0]!.id], vin: '1UYVS2530XM000001' }),
  trailerRow(owner, {
    status: TrailerStatus.INACTIVE,
    name: null,
    serialNumber: null,
    make: null,
    model: null,
    year: null,
    licensePlateState: null,
    licensePlateNumber: null,
    createdAt: null,
    modifiedAt: NOON,
  }),
  trailerRow(owner, { name: 'Gone', deletedAt: NOON - DAY }),
  trailerRow(owner, { name: 'Lost group', groupIds: [unknownId('group')], licensePlateState: null }),
]

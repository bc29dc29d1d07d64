import { expect } from 'vitest'
import { toIso } from '../../src/time.ts'
import {
  agreementRow,
  bareVehicleRow,
  DAY,
  deviceRow,
  driverRow,
  groupRow,
  latestLocationRow,
  MINUTE,
  NOON,
  type Owner,
  type Party,
  type PlantedApplication,
  type PlantedConnection,
  plantApplication,
  rawRow,
  syncRow,
  tripRow,
  vehicleRow,
} from '../factories.ts'
import type { Rest } from './rig.ts'

/** A fleet with a record of each kind, and what REST shows of it. */

/** A connection that has everything, and one that has nothing. */
export const plantFleet = (rest: Rest): Promise<PlantedApplication> =>
  plantApplication(
    rest.db,
    [recordsOf, () => ({})],
    [
      { externalId: 'ours-1' },
      {
        company: { name: null, dotNumbers: [] },
        account: { name: null, dotNumbers: [], user: null },
        tags: [],
        sourceId: null,
        options: {},
        filters: { vehicles: { status: 'active' } },
      },
    ],
  )

function recordsOf(owner: Owner) {
  const parent = groupRow(owner, { name: 'All' })
  const group = groupRow(owner, { parentId: parent.id, description: 'A "quoted" one' })
  const driver = driverRow(owner, { groupIds: [group.id] })
  const whole = vehicleRow(owner, {
    groupIds: [group.id],
    name: 'Nº 7 "Ünï"\n',
    fuelType: 'hybrid_diesel' as never,
  })
  const bare = bareVehicleRow(owner)
  const gone = vehicleRow(owner, { deletedAt: NOON - DAY })
  return {
    groups: [parent, group],
    drivers: [driver],
    vehicles: [whole, bare, gone],
    devices: [deviceRow(owner, { vehicleId: whole.id })],
    trips: [
      tripRow(owner, { vehicleId: whole.id, driverId: driver.id }),
      tripRow(owner, {
        vehicleId: bare.id,
        startedAt: NOON - DAY + MINUTE,
        startLatitude: null,
        distance: null,
      }),
    ],
    latestLocations: [
      latestLocationRow(owner, { vehicleId: whole.id, driverId: driver.id, fuelSecondaryPercentage: 20 }),
      latestLocationRow(owner, {
        vehicleId: bare.id,
        addressText: null,
        heading: null,
        speed: null,
        odometer: null,
        fuelPrimaryPercentage: null,
        engineState: null,
        engineRuntime: null,
      }),
    ],
    raw: [rawRow(owner, whole.id), rawRow(owner, driver.id)],
    syncs: [syncRow(owner)],
    agreements: [agreementRow(owner)],
  }
}

const metadata = {
  addedAt: toIso(NOON - 10 * DAY),
  modifiedAt: toIso(NOON - 5 * DAY),
  visibility: 'visible',
}

export const deletedMetadata = { ...metadata, deletedAt: toIso(NOON - DAY), visibility: 'deleted' }

export function wholeVehicle(of: PlantedConnection) {
  const {
    vehicles: [row],
    groups,
    devices,
  } = of
  return {
    id: row!.id,
    sourceId: row!.sourceId,
    provider: 'sandbox',
    status: 'active',
    vin: '1HGCM82633A004352',
    name: 'Nº 7 "Ünï"\n',
    make: 'Volvo',
    model: 'VNL',
    year: 2021,
    licensePlate: { state: 'ON', number: 'AB 123' },
    fuelType: 'hybrid_diesel',
    fuelEfficiency: 33.5,
    fuelTankCapacity: 900,
    createdAt: toIso(NOON - 500 * DAY),
    updatedAt: toIso(NOON - 9 * DAY),
    metadata,
    groups: [groups[1]!.id],
    devices: [devices[0]!.id],
  }
}

export function bareVehicle(of: PlantedConnection) {
  const row = of.vehicles[1]!
  return {
    id: row.id,
    sourceId: row.sourceId,
    provider: 'sandbox',
    status: 'inactive',
    metadata,
    groups: [],
    devices: [],
  }
}

export function wholeDriver(of: PlantedConnection) {
  const {
    drivers: [row],
    groups,
  } = of
  return {
    id: row!.id,
    sourceId: row!.sourceId,
    provider: 'sandbox',
    status: 'active',
    firstName: 'Grace',
    lastName: 'Hopper',
    email: 'grace@example.com',
    phone: '+15550100',
    license: { state: 'TX', number: 'D1' },
    createdAt: toIso(NOON - 400 * DAY),
    metadata,
    groups: [groups[1]!.id],
  }
}

export const wholeGroup = (of: PlantedConnection) => {
  const [parent, row] = of.groups
  return {
    id: row!.id,
    sourceId: row!.sourceId,
    provider: 'sandbox',
    name: 'Region West',
    description: 'A "quoted" one',
    parent: parent!.id,
    metadata,
  }
}

export const wholeDevice = (of: PlantedConnection) => {
  const row = of.devices[0]!
  return {
    id: row.id,
    sourceId: row.sourceId,
    provider: 'sandbox',
    type: 'tracker',
    vehicle: row.vehicleId,
    serialNumber: 'S-1',
    lastConnectedAt: toIso(NOON - MINUTE),
    metadata,
  }
}

export const rawOf = () => [
  {
    provider: 'sandbox',
    schema: 'record',
    extractedAt: toIso(NOON - DAY),
    data: { nested: { list: [1, 'two', null] }, text: 'ünïcödé' },
  },
]

/** The body of a path that is answered. */
export async function found(rest: Rest, path: string, party: Party) {
  const { status, body, headers } = await rest.get(path, party)
  expect(body).not.toHaveProperty('code')
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  return body
}

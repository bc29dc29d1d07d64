import { newId } from '../../src/ids.ts'
import { type Database } from '../../src/storage/database.ts'
import type { LogEntry } from '../../src/storage/outbox.ts'
import { SyncStatus } from '../../src/subgraphs/connections/sync.ts'
import type { Device } from '../../src/subgraphs/fleet/device.ts'
import { DeviceType } from '../../src/subgraphs/fleet/device.ts'
import type { Driver } from '../../src/subgraphs/fleet/driver.ts'
import { DriverStatus } from '../../src/subgraphs/fleet/driver.ts'
import type { Group } from '../../src/subgraphs/fleet/group.ts'
import type { Vehicle, VehicleStatus } from '../../src/subgraphs/fleet/vehicle.ts'
import { FuelType } from '../../src/subgraphs/fleet/vehicle.ts'
import type { SafetyEvent } from '../../src/subgraphs/records/safety-event.ts'
import type { Trip } from '../../src/subgraphs/records/trip.ts'
import { EngineState } from '../../src/subgraphs/telemetry/location.ts'
import {
  agreementRow,
  bareVehicleRow,
  DAY,
  deviceRow,
  driverRow,
  eventRow,
  groupRow,
  latestLocationRow,
  locationRow,
  MINUTE,
  none,
  NOON,
  type Owner,
  plantApplication,
  type PlantedApplication,
  rawRow,
  type Records,
  type RecordsOf,
  safetyEventRow,
  syncRow,
  tripRow,
  unknownId,
  vehicleRow,
} from '../factories.ts'

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** A fleet as fleets are: facts that are missing, records that are gone, mentions of rows that do not exist. */
export function variedRecords(owner: Owner): Records {
  const groups = variedGroups(owner)
  const drivers = variedDrivers(owner, groups)
  const vehicles = variedVehicles(owner, groups)
  const trips = variedTrips(owner, vehicles, drivers)
  const safetyEvents = variedSafetyEvents(owner, vehicles, drivers)
  const devices = variedDevices(owner, vehicles)
  const syncs = [
    syncRow(owner, {
      status: SyncStatus.FAILED,
      failureReason: 'The provider refused the credentials.',
      progress: 12.5,
    }),
    syncRow(owner),
    syncRow(owner, {
      status: SyncStatus.IN_PROGRESS,
      completedAt: null,
      progress: 40,
      startFrom: NOON - 30 * DAY,
    }),
  ]
  const records = { groups, drivers, vehicles, devices, trips, safetyEvents, syncs }
  return {
    ...records,
    ...variedPlaces(owner, vehicles, drivers),
    raw: [vehicles[0], drivers[0], groups[0], devices[0], trips[0], safetyEvents[0]].map((row) =>
      rawRow(owner, row!.id),
    ),
    agreements: [
      agreementRow(owner),
      agreementRow(owner, { acceptedBy: {}, location: 'Austin', ipAddress: null }),
    ],
    events: variedEvents(owner, records),
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

const variedTrips = (owner: Owner, vehicles: readonly Vehicle[], drivers: readonly Driver[]): Trip[] => [
  ...times(9, (at) =>
    tripRow(owner, {
      vehicleId: vehicles[at % 3]!.id,
      driverId: at % 4 === 3 ? null : drivers[at % 3]!.id,
      startedAt: NOON - DAY + Math.floor(at / 2) * 60 * MINUTE,
      endedAt: NOON - DAY + at * 60 * MINUTE,
      endLongitude: -95 + at,
      endLatitude: 29.5,
      modifiedAt: NOON - at * MINUTE,
    }),
  ),
  tripRow(owner, {
    vehicleId: unknownId('vehicle'),
    driverId: unknownId('driver'),
    distance: null,
    startLongitude: null,
  }),
  tripRow(owner, { vehicleId: vehicles[0]!.id, deletedAt: NOON - MINUTE }),
]

const variedSafetyEvents = (
  owner: Owner,
  vehicles: readonly Vehicle[],
  drivers: readonly Driver[],
): SafetyEvent[] => [
  safetyEventRow(owner, { vehicleId: vehicles[0]!.id, driverId: drivers[0]!.id }),
  safetyEventRow(owner, {
    vehicleId: vehicles[0]!.id,
    type: 'near_crash',
    endedAt: NOON,
    startedAt: NOON - 2 * DAY,
  }),
  safetyEventRow(owner, {
    vehicleId: vehicles[1]!.id,
    driverId: drivers[1]!.id,
    type: 'speeding',
    startLatitude: null,
  }),
  safetyEventRow(owner, {
    vehicleId: vehicles[2]!.id,
    type: 'rolling_stop',
    maximumSpeed: null,
    sourceType: null,
  }),
  safetyEventRow(owner, { vehicleId: unknownId('vehicle'), type: 'crash' }),
]

function variedPlaces(owner: Owner, vehicles: readonly Vehicle[], drivers: readonly Driver[]) {
  const [everything, bare, gone, , lost, same] = vehicles
  const track = [
    ...times(7, (at) =>
      locationRow(owner, {
        vehicleId: everything!.id,
        driverId: drivers[0]!.id,
        locatedAt: NOON - at * MINUTE,
        speed: at * 10,
      }),
    ),
    ...times(3, (at) =>
      locationRow(owner, { vehicleId: bare!.id, locatedAt: NOON - at * MINUTE, heading: null, speed: null }),
    ),
  ]
  const latestLocations = [
    latestLocationRow(owner, {
      vehicleId: everything!.id,
      driverId: drivers[0]!.id,
      fuelSecondaryPercentage: 20,
    }),
    latestLocationRow(owner, {
      vehicleId: bare!.id,
      addressText: null,
      heading: null,
      speed: null,
      odometer: null,
      fuelPrimaryPercentage: null,
      engineState: null,
      engineRuntime: null,
    }),
    latestLocationRow(owner, { vehicleId: gone!.id, engineState: EngineState.OFF }),
    latestLocationRow(owner, {
      vehicleId: lost!.id,
      driverId: unknownId('driver'),
      engineState: EngineState.IDLE,
    }),
    latestLocationRow(owner, { vehicleId: same!.id, driverId: drivers[2]!.id }),
  ]
  return { track, latestLocations }
}

function variedEvents(owner: Owner, records: Partial<Records>): LogEntry[] {
  const { groups, drivers, vehicles, devices, trips, safetyEvents, syncs } = { ...none, ...records }
  const told: readonly (readonly [string, string | null])[] = [
    ['connection.added', owner.connectionId],
    ['sync.completed', syncs[1]!.id],
    ['group.added', groups[1]!.id],
    ['vehicle.added', vehicles[0]!.id],
    ['vehicle.added', vehicles[1]!.id],
    ['driver.added', drivers[0]!.id],
    ['device.added', devices[0]!.id],
    ['trip.added', trips[0]!.id],
    ['safety_event.added', safetyEvents[0]!.id],
    ['vehicle.removed', vehicles[2]!.id],
    ['vehicle.modified', unknownId('vehicle')],
    ['vehicle_location.modified', unknownId('vehicleLocation')],
    ['connection.disconnected', null],
  ]
  return told.map(([type, subjectId], at) => eventRow(owner, { type, subjectId, occurredAt: NOON + at }))
}

/** A fleet that a broken release might leave behind: values that no type of the graph can represent. */
export const brokenRecords: RecordsOf = (owner) => {
  const vehicles = [
    vehicleRow(owner, { name: 'Sound' }),
    vehicleRow(owner, { name: 'Odd fuel', fuelType: 'steam' as FuelType }),
    vehicleRow(owner, { name: 'Odd status', status: 'sleeping' as VehicleStatus }),
    vehicleRow(owner, { name: 'Odd status too', status: 'dreaming' as VehicleStatus }),
  ]
  const trips = [0, 2, 3].map((at) => tripRow(owner, { vehicleId: vehicles[at]!.id }))
  const latestLocations = [
    latestLocationRow(owner, { vehicleId: vehicles[0]!.id, engineState: 'purring' as EngineState }),
  ]
  const devices = [0, 1, 2].map((at) => deviceRow(owner, { vehicleId: vehicles[at]!.id }))
  const events = [0, 2].map((at) => eventRow(owner, { subjectId: vehicles[at]!.id }))
  return { vehicles, trips, latestLocations, devices, events, syncs: [syncRow(owner)] }
}

export interface PlantedFleets {
  /** Two connections, both varied. */
  readonly a: PlantedApplication
  readonly b: PlantedApplication
  /** One connection with broken records, one of a provider that is no more. */
  readonly broken: PlantedApplication
}

export async function plantFleets(db: Database): Promise<PlantedFleets> {
  const a = await plantApplication(
    db,
    [variedRecords, variedRecords],
    [
      { externalId: 'ours-1' },
      {
        company: { name: null, dotNumbers: [] },
        account: { name: null, dotNumbers: ['7'], user: null },
        tags: [],
        filters: { vehicles: [] },
      },
    ],
  )
  const b = await plantApplication(db, [variedRecords])
  const broken = await plantApplication(db, [brokenRecords, () => ({})], [{}, { provider: 'withdrawn' }])
  return { a, b, broken }
}

/** So many of each kind of record, each vehicle with some of everything of its own. */
export const uniformRecords =
  (count: number): RecordsOf =>
  (owner) => {
    const ids = times(2 * count, () => newId('group'))
    const regions = ids.slice(count).map((id) => groupRow(owner, { id }))
    const terminals = regions.map(({ id: parentId }, at) =>
      groupRow(owner, { id: ids[at]!, name: 'Terminal', parentId }),
    )
    const groups = [...terminals, ...regions]
    const drivers = regions.map(({ id }) => driverRow(owner, { groupIds: [id] }))
    const vehicles = regions.map(({ id }) => vehicleRow(owner, { groupIds: [id] }))
    const pairs = vehicles.map(({ id }, at) => ({ vehicleId: id, driverId: drivers[at]!.id }))
    const trips = pairs.flatMap((pair) => [
      tripRow(owner, pair),
      tripRow(owner, { ...pair, startedAt: NOON }),
    ])
    const safetyEvents = pairs.map((pair) => safetyEventRow(owner, pair))
    const devices = pairs.flatMap(({ vehicleId }) => [
      deviceRow(owner, { vehicleId }),
      deviceRow(owner, { vehicleId }),
    ])
    const known = [...groups, ...drivers, ...vehicles, ...devices, ...trips, ...safetyEvents]
    return {
      groups,
      drivers,
      vehicles,
      devices,
      trips,
      safetyEvents,
      track: pairs.flatMap((pair) =>
        times(3, (at) => locationRow(owner, { ...pair, locatedAt: NOON + at * MINUTE })),
      ),
      latestLocations: pairs.map((pair) => latestLocationRow(owner, pair)),
      raw: known.map(({ id }) => rawRow(owner, id)),
      syncs: times(count, () => syncRow(owner)),
      agreements: [agreementRow(owner)],
      events: vehicles.map(({ id }) => eventRow(owner, { subjectId: id })),
    }
  }

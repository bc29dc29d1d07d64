import { hashKey, newConnectionToken } from '../src/auth/keys.ts'
import { createEncryption } from '../src/auth/envelope-encryption.ts'
import { derivedId, type Id, newId } from '../src/domain/ids.ts'
import type { Database } from '../src/storage/database.ts'
import { tableOf } from '../src/storage/sql/table.ts'
import { Connection, ConnectionStatus, SyncMode } from '../src/subgraphs/connections/connection.ts'
import { createApplication } from '../src/subgraphs/connections/applications/create-application.ts'
import { Device, DeviceType } from '../src/subgraphs/fleet/device.ts'
import { Driver, DriverStatus } from '../src/subgraphs/fleet/driver.ts'
import { Group } from '../src/subgraphs/fleet/group.ts'
import { FuelType, Vehicle, VehicleStatus } from '../src/subgraphs/fleet/vehicle.ts'
import { Trip } from '../src/subgraphs/records/trip.ts'
import { EngineState } from '../src/subgraphs/schema/enums/engine-state.ts'
import { LatestVehicleLocation } from '../src/subgraphs/telemetry/location.ts'
import { encryptionContext } from '../src/subgraphs/tables/encrypted-columns.ts'

/**
 * Creates the fleet that the benchmarks read. Only its ids and credentials differ between runs. Some of its values are
 * null.
 */

const counts = { groups: 20, drivers: 1200, vehicles: 1000, devices: 1000, trips: 5000 }

const NOON = Date.UTC(2026, 0, 31, 12)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

export const encryption = createEncryption(Buffer.alloc(32, 7))

export interface Owner {
  readonly applicationId: Id<'application'>
  readonly connectionId: Id<'connection'>
}

/** Ids and credentials of the fleet. Callers send them, and the hand-written server knows them. */
export interface Fleet {
  readonly owner: Owner
  readonly secretKey: string
  readonly connectionToken: string
  readonly vehicleId: string
}

export async function seedFleet(db: Database): Promise<Fleet> {
  const { application, secretKey } = await createApplication(db, {
    name: 'Bench',
    environment: 'sandbox',
    now: NOON,
  })
  const connectionToken = newConnectionToken()
  const connection = connectionOf(application.id, connectionToken)
  const owner = { applicationId: application.id, connectionId: connection.id }
  await db.transaction(async (tx) => {
    await tx.insert(tableOf(Connection), [connection])
    await tx.insert(
      tableOf(Group),
      times(counts.groups, (at) => group(owner, at)),
    )
    await tx.insert(
      tableOf(Driver),
      times(counts.drivers, (at) => driver(owner, at)),
    )
    await tx.insert(
      tableOf(Vehicle),
      times(counts.vehicles, (at) => vehicle(owner, at)),
    )
    await tx.insert(
      tableOf(Device),
      times(counts.devices, (at) => device(owner, at)),
    )
    await tx.insert(
      tableOf(Trip),
      times(counts.trips, (at) => trip(owner, at)),
    )
    await tx.insert(
      tableOf(LatestVehicleLocation),
      times(counts.vehicles, (at) => latestLocation(owner, at)),
    )
  })
  return { owner, secretKey, connectionToken, vehicleId: vehicle(owner, 500).id }
}

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** Returns the value, or null for every nth row. */
const nullEvery = <T>(every: number, at: number, value: T): T | null =>
  at % every === every - 1 ? null : value

type SourcedKind = 'group' | 'driver' | 'vehicle' | 'device' | 'trip'

const idOf = <K extends SourcedKind>(kind: K, { connectionId }: Owner, at: number): Id<K> & string =>
  derivedId(kind, connectionId, String(at))

const sourced = (kind: SourcedKind, owner: Owner, at: number) => ({
  id: idOf(kind, owner, at),
  ...owner,
  sourceId: `${kind}-${100_000 + at}`,
  provider: 'sandbox',
  addedAt: NOON - 30 * DAY,
  modifiedAt: NOON - at * 1000,
  deletedAt: null,
  contentHash: `content-${at}`,
  rawHash: `raw-${at}`,
  seenIn: null,
})

function connectionOf(applicationId: Id<'application'>, token: string): Connection {
  const id = newId('connection', NOON)
  return {
    id,
    applicationId,
    connectionId: id,
    provider: 'sandbox',
    status: ConnectionStatus.CONNECTED,
    syncMode: SyncMode.AUTOMATIC,
    company: { name: 'Acme Freight', dotNumbers: ['1234567'] },
    account: { name: 'acme', dotNumbers: [], user: null },
    options: {},
    tags: [],
    filters: null,
    sourceId: 'account-1',
    externalId: null,
    tokenHash: hashKey(token),
    tokenSealed: encryption.seal(token, encryptionContext('connections.tokenSealed', { id, applicationId })),
    credentialsSealed: '{}',
    backfillFrom: null,
    createdAt: NOON - 30 * DAY,
    updatedAt: NOON - DAY,
    lastStamp: NOON,
    lastSyncId: null,
    timeZone: null,
    statusBefore: null,
    deletionRequestedAt: null,
    lastDisconnectedAt: null,
    deletedAt: null,
  }
}

const group = (owner: Owner, at: number): Group => ({
  ...sourced('group', owner, at),
  name: `Terminal ${at + 1}`,
  description: nullEvery(3, at, `Vehicles of terminal ${at + 1}`),
  parentId: null,
  createdAt: NOON - 900 * DAY,
  updatedAt: null,
})

const groupIdsOf = (owner: Owner, at: number): string[] =>
  times(at % 3, (nth) => idOf('group', owner, (at + 7 * nth) % counts.groups))

const driver = (owner: Owner, at: number): Driver => ({
  ...sourced('driver', owner, at),
  status: at % 10 === 0 ? DriverStatus.INACTIVE : DriverStatus.ACTIVE,
  firstName: `Given ${at}`,
  middleName: null,
  lastName: nullEvery(50, at, `Family ${at}`),
  email: `driver${at}@example.com`,
  phone: nullEvery(4, at, `+1555${1_000_000 + at}`),
  username: `driver${at}`,
  licenseState: 'TX',
  licenseNumber: `D${10_000 + at}`,
  groupIds: groupIdsOf(owner, at),
  createdAt: NOON - 800 * DAY,
  updatedAt: NOON - 10 * DAY,
})

const makes = ['Freightliner', 'Volvo', 'Kenworth', 'Ford', 'Mack']

const vehicle = (owner: Owner, at: number): Vehicle => ({
  ...sourced('vehicle', owner, at),
  status: at % 12 === 0 ? VehicleStatus.INACTIVE : VehicleStatus.ACTIVE,
  vin: nullEvery(20, at, `1FUJGLDR0CS${100_000 + at}`),
  name: `Unit ${1000 + at}`,
  make: makes[at % makes.length] ?? null,
  model: nullEvery(15, at, `Model ${at % 9}`),
  year: nullEvery(25, at, 2005 + (at % 20)),
  groupIds: groupIdsOf(owner, at),
  licensePlateState: nullEvery(10, at, 'TX'),
  licensePlateNumber: nullEvery(10, at, `ABC ${1000 + at}`),
  fuelType: nullEvery(8, at, at % 2 === 0 ? FuelType.DIESEL : FuelType.HYBRID_GASOLINE),
  fuelEfficiency: nullEvery(6, at, 25.5 + (at % 10)),
  fuelTankCapacity: nullEvery(5, at, 450 + at / 8),
  createdAt: NOON - 700 * DAY,
  updatedAt: nullEvery(7, at, NOON - at * MINUTE),
})

const device = (owner: Owner, at: number): Device => ({
  ...sourced('device', owner, at),
  type: at % 4 === 0 ? DeviceType.CAMERA : DeviceType.TRACKER,
  vehicleId: nullEvery(9, at, idOf('vehicle', owner, (at * 3) % counts.vehicles)),
  description: null,
  serialNumber: `SN-${200_000 + at}`,
  lastConnectedAt: NOON - MINUTE,
  createdAt: NOON - 700 * DAY,
  updatedAt: null,
})

const trip = (owner: Owner, at: number): Trip => ({
  ...sourced('trip', owner, at),
  vehicleId: idOf('vehicle', owner, at % counts.vehicles),
  driverId: nullEvery(6, at, idOf('driver', owner, at % counts.drivers)),
  startedAt: NOON - 20 * DAY + at * MINUTE,
  endedAt: NOON - 20 * DAY + (at + 40) * MINUTE,
  startLongitude: nullEvery(30, at, -97.5 - at / 997),
  startLatitude: nullEvery(30, at, 30.25 + at / 1009),
  endLongitude: -96.5 - at / 991,
  endLatitude: 31.25 + at / 1013,
  distance: nullEvery(11, at, 12.5 + (at % 400)),
  duration: 40 * MINUTE,
})

const latestLocation = (owner: Owner, at: number): LatestVehicleLocation => ({
  ...owner,
  vehicleId: idOf('vehicle', owner, at),
  provider: 'sandbox',
  driverId: nullEvery(5, at, idOf('driver', owner, at)),
  longitude: -97.5 - at / 997,
  latitude: 30.25 + at / 1009,
  addressText: nullEvery(4, at, `${at} Main Street, Austin, TX`),
  heading: (at * 37) % 360,
  speed: nullEvery(13, at, (at % 110) + 0.5),
  locatedAt: NOON - at * 1000,
  odometer: 120_000 + at,
  fuelPrimaryPercentage: at % 100,
  fuelSecondaryPercentage: null,
  engineState: EngineState.ON,
  engineRuntime: 1_000_000 + at,
  modifiedAt: NOON - at * 1000,
})

import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { hashOf, newConnectionToken, newSecretKey } from '../src/auth/keys.ts'
import { secretBox } from '../src/auth/secret-box.ts'
import { type Id, idPrefixes, type Kind, newId } from '../src/ids.ts'
import { type Database, openDatabase, type Transaction } from '../src/storage/database.ts'
import type { Dialect } from '../src/storage/dialect.ts'
import { LogEntry } from '../src/storage/outbox.ts'
import { tableOf } from '../src/storage/table.ts'
import { Agreement } from '../src/subgraphs/connections/agreement.ts'
import { ApiKey, Application } from '../src/subgraphs/connections/application.ts'
import { Connection, ConnectionStatus, SyncMode } from '../src/subgraphs/connections/connection.ts'
import { Sync, SyncStatus } from '../src/subgraphs/connections/sync.ts'
import { Device, DeviceType } from '../src/subgraphs/fleet/device.ts'
import { Driver, DriverStatus } from '../src/subgraphs/fleet/driver.ts'
import { Group } from '../src/subgraphs/fleet/group.ts'
import { FuelType, Vehicle, VehicleStatus } from '../src/subgraphs/fleet/vehicle.ts'
import { RawRecord } from '../src/subgraphs/raw-record.ts'
import { SafetyEvent } from '../src/subgraphs/records/safety-event.ts'
import { Trip } from '../src/subgraphs/records/trip.ts'
import { EngineState, LatestVehicleLocation, VehicleLocation } from '../src/subgraphs/telemetry/location.ts'

/** Rows for tests: a factory fills in whatever is not the point. */

export const NOON = Date.UTC(2026, 0, 31, 12)
export const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE

export const dialects: readonly Dialect[] = ['sqlite', 'mysql']

export const masterBox = secretBox(Buffer.alloc(32, 7))

/** An id of the right shape that no row has. */
export const unknownId = (kind: Kind): string => `${idPrefixes[kind]}_01J8ZQ4N5R8X2V6T3W1Y7K9M0P`

/** Whose a row is. */
export interface Owner {
  readonly applicationId: Id<'application'>
  readonly connectionId: Id<'connection'>
}

/** An empty database of its own, gone when it is disposed of. */
export async function temporaryDatabase(dialect: Dialect): Promise<Database & AsyncDisposable> {
  const { open, remove } = dialect === 'mysql' ? await ownMysql() : ownFile()
  const db = await open()
  await db.migrate()
  const dispose = async () => {
    await db.close()
    await remove()
  }
  return { ...db, [Symbol.asyncDispose]: dispose }
}

function ownFile() {
  const path = join(tmpdir(), `odograph-test-${randomUUID()}.db`)
  const remove = async () => {
    for (const tail of ['', '-wal', '-shm']) await rm(`${path}${tail}`, { force: true })
  }
  return { open: () => openDatabase({ sqlitePath: path }), remove }
}

async function ownMysql() {
  const server = process.env['MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306'
  const name = `odograph_test_${randomUUID().replaceAll('-', '')}`
  await onServer(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    open: () => openDatabase({ mysqlUrl: url.href, sqlitePath: '', poolSize: 4 }),
    remove: () => onServer(server, `DROP DATABASE ${name}`),
  }
}

async function onServer(url: string, sql: string): Promise<void> {
  const connection = await createConnection(url)
  await connection.query(sql)
  await connection.end()
}

/** Whatever a row has that is not a column, the graph derives from those that are. */
const asRow = <Row extends object>(columns: Partial<Row>): Row => columns as Row

export const applicationRow = (values: Partial<Application> = {}): Application => ({
  id: newId('application'),
  name: 'Fleet Software Inc.',
  environment: 'sandbox',
  createdAt: NOON - 30 * DAY,
  ...values,
})

export const keyRow = (applicationId: Id<'application'>, key: string): ApiKey => ({
  id: newId('key'),
  applicationId,
  use: 'secret',
  hash: hashOf(key),
  hint: key.slice(-4),
  createdAt: NOON - 30 * DAY,
  revokedAt: null,
})

export function connectionRow(
  applicationId: Id<'application'>,
  token: string,
  values: Partial<Connection> = {},
): Connection {
  const id = values.id ?? newId('connection')
  return asRow<Connection>({
    id,
    applicationId,
    connectionId: id,
    provider: 'sandbox',
    status: ConnectionStatus.CONNECTED,
    syncMode: SyncMode.AUTOMATIC,
    company: { name: 'Acme Freight', dotNumbers: ['1234567'] },
    account: {
      name: 'acme',
      dotNumbers: [],
      user: { sourceId: 'u-1', firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' },
    },
    options: { units: 'metric' },
    tags: ['west'],
    filters: null,
    sourceId: 'account-1',
    externalId: null,
    tokenHash: hashOf(token),
    tokenSealed: masterBox.seal(token, id),
    credentialsSealed: '{}',
    backfillFrom: null,
    createdAt: NOON - 20 * DAY,
    updatedAt: NOON - DAY,
    lastStamp: NOON,
    lastSyncId: null,
    ...values,
  })
}

export const agreementRow = (owner: Owner, values: Partial<Agreement> = {}): Agreement => ({
  id: newId('agreement'),
  ...owner,
  agreementUrl: 'https://example.com/agreement',
  acceptedAt: NOON - 20 * DAY,
  acceptedBy: { firstName: 'Ada' },
  location: null,
  ipAddress: '192.0.2.1',
  userAgent: null,
  ...values,
})

export const syncRow = (owner: Owner, values: Partial<Sync> = {}): Sync => ({
  id: newId('sync'),
  ...owner,
  status: SyncStatus.COMPLETED,
  requestedAt: NOON - 2 * DAY,
  completedAt: NOON - 2 * DAY + MINUTE,
  failureReason: null,
  progress: 100,
  startFrom: null,
  attempts: 1,
  leaseOwner: null,
  leasedUntil: null,
  ...values,
})

const sourced = <K extends Kind>(kind: K, owner: Owner) => {
  const id = newId(kind)
  return {
    id,
    ...owner,
    sourceId: id.slice(-6),
    provider: 'sandbox',
    addedAt: NOON - 10 * DAY,
    modifiedAt: NOON - 5 * DAY,
    deletedAt: null,
    contentHash: 'content',
    rawHash: 'raw',
    seenIn: null,
  }
}

export const groupRow = (owner: Owner, values: Partial<Group> = {}): Group =>
  asRow<Group>({
    ...sourced('group', owner),
    name: 'Region West',
    description: null,
    parentId: null,
    createdAt: null,
    updatedAt: null,
    ...values,
  })

export const driverRow = (owner: Owner, values: Partial<Driver> = {}): Driver =>
  asRow<Driver>({
    ...sourced('driver', owner),
    status: DriverStatus.ACTIVE,
    firstName: 'Grace',
    middleName: null,
    lastName: 'Hopper',
    email: 'grace@example.com',
    phone: '+15550100',
    username: null,
    licenseState: 'TX',
    licenseNumber: 'D1',
    groupIds: [],
    createdAt: NOON - 400 * DAY,
    updatedAt: null,
    ...values,
  })

export const vehicleRow = (owner: Owner, values: Partial<Vehicle> = {}): Vehicle =>
  asRow<Vehicle>({
    ...sourced('vehicle', owner),
    status: VehicleStatus.ACTIVE,
    vin: '1HGCM82633A004352',
    name: 'Truck',
    make: 'Volvo',
    model: 'VNL',
    year: 2021,
    groupIds: [],
    licensePlateState: 'ON',
    licensePlateNumber: 'AB 123',
    fuelType: FuelType.DIESEL,
    fuelEfficiency: 33.5,
    fuelTankCapacity: 900,
    createdAt: NOON - 500 * DAY,
    updatedAt: NOON - 9 * DAY,
    ...values,
  })

/** A vehicle of which its provider tells nothing. */
export const bareVehicleRow = (owner: Owner, values: Partial<Vehicle> = {}): Vehicle =>
  vehicleRow(owner, {
    status: VehicleStatus.INACTIVE,
    vin: null,
    name: null,
    make: null,
    model: null,
    year: null,
    licensePlateState: null,
    licensePlateNumber: null,
    fuelType: null,
    fuelEfficiency: null,
    fuelTankCapacity: null,
    createdAt: null,
    updatedAt: null,
    ...values,
  })

export const deviceRow = (owner: Owner, values: Partial<Device> = {}): Device =>
  asRow<Device>({
    ...sourced('device', owner),
    type: DeviceType.TRACKER,
    vehicleId: null,
    description: null,
    serialNumber: 'S-1',
    lastConnectedAt: NOON - MINUTE,
    createdAt: null,
    updatedAt: null,
    ...values,
  })

export const tripRow = (owner: Owner, values: Partial<Trip> & { vehicleId: string }): Trip =>
  asRow<Trip>({
    ...sourced('trip', owner),
    driverId: null,
    startedAt: NOON - DAY,
    endedAt: NOON - DAY + 30 * MINUTE,
    startLongitude: -97.7,
    startLatitude: 30.3,
    endLongitude: null,
    endLatitude: null,
    distance: 41.2,
    duration: 30 * MINUTE,
    ...values,
  })

export const safetyEventRow = (
  owner: Owner,
  values: Partial<SafetyEvent> & { vehicleId: string },
): SafetyEvent =>
  asRow<SafetyEvent>({
    ...sourced('safetyEvent', owner),
    type: 'harsh_brake',
    driverId: null,
    startedAt: NOON - DAY + MINUTE,
    endedAt: null,
    startLongitude: -97.7,
    startLatitude: 30.3,
    sourceType: 'HB',
    maximumSpeed: 101,
    averageSpeed: null,
    roadSpeedLimit: 90,
    gForceForwardBackward: -0.4,
    gForceSideToSide: null,
    heading: 270,
    ...values,
  })

type Place = Partial<VehicleLocation> & { vehicleId: string }

export const locationRow = (owner: Owner, values: Place): VehicleLocation =>
  asRow<VehicleLocation>({
    ...owner,
    provider: 'sandbox',
    driverId: null,
    longitude: -97.7,
    latitude: 30.3,
    addressText: null,
    heading: 90,
    speed: 88.5,
    locatedAt: NOON - DAY,
    modifiedAt: NOON - DAY,
    ...values,
  })

export const latestLocationRow = (
  owner: Owner,
  values: Partial<LatestVehicleLocation> & { vehicleId: string },
): LatestVehicleLocation =>
  asRow<LatestVehicleLocation>({
    ...owner,
    provider: 'sandbox',
    driverId: null,
    longitude: -97.7,
    latitude: 30.3,
    addressText: 'I-35, Austin, TX',
    heading: 90,
    speed: 88.5,
    locatedAt: NOON,
    odometer: 123_456.7,
    fuelPrimaryPercentage: 61,
    fuelSecondaryPercentage: null,
    engineState: EngineState.ON,
    engineRuntime: 1_000_000,
    modifiedAt: NOON,
    ...values,
  })

export const rawRow = (owner: Owner, ownerId: string, values: Partial<RawRecord> = {}): RawRecord => ({
  ownerId,
  ...owner,
  provider: 'sandbox',
  schemaName: 'record',
  extractedAt: NOON - DAY,
  data: { nested: { list: [1, 'two', null] }, text: 'ünïcödé' },
  ...values,
})

export const eventRow = (owner: Owner, values: Partial<LogEntry> = {}): LogEntry => ({
  id: newId('event'),
  ...owner,
  type: 'vehicle.modified',
  occurredAt: NOON - MINUTE,
  subjectId: null,
  detail: { name: 'as it was' },
  position: null,
  ...values,
})

/** What one connection has, by the kind of record. */
export interface Records {
  readonly groups: readonly Group[]
  readonly drivers: readonly Driver[]
  readonly vehicles: readonly Vehicle[]
  readonly devices: readonly Device[]
  readonly trips: readonly Trip[]
  readonly safetyEvents: readonly SafetyEvent[]
  readonly track: readonly VehicleLocation[]
  readonly latestLocations: readonly LatestVehicleLocation[]
  readonly raw: readonly RawRecord[]
  readonly syncs: readonly Sync[]
  readonly agreements: readonly Agreement[]
  readonly events: readonly LogEntry[]
}

/** How a caller shows who it is, and who it then is. */
export interface Party {
  readonly applicationId: Id<'application'>
  readonly connectionId: Id<'connection'> | null
  readonly secretKey: string
  readonly token: string | null
}

export interface PlantedConnection extends Records {
  readonly connection: Connection
  readonly token: string
}

export interface PlantedApplication {
  readonly id: Id<'application'>
  readonly secretKey: string
  /** The application across its connections. */
  readonly party: Party
  /** The application narrowed to one of its connections. */
  narrowed(at: number): Party
  readonly connections: readonly PlantedConnection[]
}

type RecordsOf = (owner: Owner) => Partial<Records>

const none: Records = {
  groups: [],
  drivers: [],
  vehicles: [],
  devices: [],
  trips: [],
  safetyEvents: [],
  track: [],
  latestLocations: [],
  raw: [],
  syncs: [],
  agreements: [],
  events: [],
}

/** Stores an application with a key, and a connection for each of the functions that make records. */
export async function plantApplication(
  db: Database,
  recordsOf: readonly RecordsOf[],
  connectionValues: readonly Partial<Connection>[] = [],
): Promise<PlantedApplication> {
  const secretKey = newSecretKey('sandbox')
  const application = applicationRow()
  const connections = recordsOf.map((make, at): PlantedConnection => {
    const token = newConnectionToken()
    const id = newId('connection')
    const records = { ...none, ...make({ applicationId: application.id, connectionId: id }) }
    const lastSyncId = records.syncs.at(-1)?.id ?? null
    return {
      ...records,
      token,
      connection: connectionRow(application.id, token, { id, lastSyncId, ...connectionValues[at] }),
    }
  })
  await db.transaction(async (tx) => {
    await tx.insert(tableOf(Application), [application])
    await tx.insert(tableOf(ApiKey), [keyRow(application.id, secretKey)])
    await tx.insert(
      tableOf(Connection),
      connections.map(({ connection }) => connection),
    )
    for (const connection of connections) await insertRecords(tx, connection)
    await insertEvents(tx, connections)
  })
  const party: Party = { applicationId: application.id, connectionId: null, secretKey, token: null }
  return {
    id: application.id,
    secretKey,
    party,
    narrowed: (at) => {
      const { connection, token } = connections[at]!
      return { ...party, connectionId: connection.id, token }
    },
    connections,
  }
}

async function insertRecords(tx: Transaction, records: Records): Promise<void> {
  await tx.insert(tableOf(Group), records.groups)
  await tx.insert(tableOf(Driver), records.drivers)
  await tx.insert(tableOf(Vehicle), records.vehicles)
  await tx.insert(tableOf(Device), records.devices)
  await tx.insert(tableOf(Trip), records.trips)
  await tx.insert(tableOf(SafetyEvent), records.safetyEvents)
  await tx.insert(tableOf(VehicleLocation), records.track)
  await tx.insert(tableOf(LatestVehicleLocation), records.latestLocations)
  await tx.insert(tableOf(RawRecord), records.raw)
  await tx.insert(tableOf(Sync), records.syncs)
  await tx.insert(tableOf(Agreement), records.agreements)
}

/** An application has one log: the entries of its connections get their places in turn. */
async function insertEvents(tx: Transaction, connections: readonly PlantedConnection[]): Promise<void> {
  const entries = connections.flatMap(({ events }) => events)
  await tx.insert(
    tableOf(LogEntry),
    entries.map((entry, at) => ({ ...entry, position: at + 1 })),
  )
}

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

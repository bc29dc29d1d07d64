import { type Caller, keyHolder } from '../../src/auth/caller.ts'
import { hashKey, newConnectionToken, newSecretKey } from '../../src/auth/keys.ts'
import { createEncryption } from '../../src/auth/envelope-encryption.ts'
import { firstIdAt, type Id, idPrefixes, type Kind, newId } from '../../src/domain/ids.ts'
import { latestModels } from '../../src/domain/record-models.ts'
import type { Database, Transaction } from '../../src/storage/database.ts'
import type { Dialect } from '../../src/storage/sql/dialect.ts'
import { EventRow } from '../../src/storage/outbox.ts'
import { tableOf } from '../../src/storage/sql/table.ts'
import { Agreement } from '../../src/subgraphs/connections/agreement.ts'
import { ApiKey, Application } from '../../src/subgraphs/connections/applications/application.ts'
import { Connection, ConnectionStatus, SyncMode } from '../../src/subgraphs/connections/connection.ts'
import { Issue, SyncIssue } from '../../src/subgraphs/connections/issues/issue.ts'
import { Sync, SyncStatus } from '../../src/subgraphs/connections/syncs/sync.ts'
import { Device, DeviceType } from '../../src/subgraphs/fleet/device.ts'
import { Driver, DriverStatus } from '../../src/subgraphs/fleet/driver.ts'
import { Group } from '../../src/subgraphs/fleet/group.ts'
import { Trailer } from '../../src/subgraphs/fleet/trailer.ts'
import { FuelType, Vehicle, VehicleStatus } from '../../src/subgraphs/fleet/vehicle.ts'
import { LatestRead } from '../../src/subgraphs/tables/latest-read.ts'
import { RawPoint, RawRecord } from '../../src/subgraphs/tables/raw-record.ts'
import { FaultCodeEvent } from '../../src/subgraphs/records/fault-code-event.ts'
import { HosAvailableTime } from '../../src/subgraphs/records/hos/hos-available-time.ts'
import { PurchaseCard } from '../../src/subgraphs/purchases/cards/purchase-card.ts'
import { PurchaseCheck } from '../../src/subgraphs/purchases/purchase-check.ts'
import { HosDailyLog } from '../../src/subgraphs/records/hos/hos-daily-log.ts'
import { HosLog } from '../../src/subgraphs/records/hos/hos-log.ts'
import { IftaVehicleMonth } from '../../src/subgraphs/records/totals/ifta-summary.ts'
import { SafetyEvent } from '../../src/subgraphs/records/safety/safety-event.ts'
import { Trip } from '../../src/subgraphs/records/trip.ts'
import { DailyUtilization } from '../../src/subgraphs/records/totals/daily-utilization.ts'
import { EngineState } from '../../src/subgraphs/schema/enums/engine-state.ts'
import { LatestVehicleLocation, VehicleLocation } from '../../src/subgraphs/telemetry/location.ts'
import { VehicleStatLog } from '../../src/subgraphs/telemetry/stat-log.ts'
import { LatestTrailerLocation } from '../../src/subgraphs/telemetry/trailer-location.ts'
import { createLog } from '../../src/platform/logging/log.ts'
import {
  renewalTiming,
  type RenewalTiming,
} from '../../src/subgraphs/connections/credentials/renewal-timing.ts'
import { Renewals } from '../../src/subgraphs/connections/credentials/renewals.ts'
import { sealedCredentials } from '../../src/subgraphs/connections/credentials/stored-credentials.ts'
import { encryptionContext } from '../../src/subgraphs/tables/encrypted-columns.ts'
import { migratedDatabase } from './database/migrated-databases.ts'

/** Rows for tests: a factory fills in all values that a test does not set. */

export const NOON = Date.UTC(2026, 0, 31, 12)
export const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE

export const dialects: readonly Dialect[] = process.env['MYSQL_URL'] ? ['sqlite', 'mysql'] : ['sqlite']

export const masterEncryption = createEncryption(Buffer.alloc(32, 7))

/** Creates the credential renewals of a process, without a log. */
export const newRenewals = (timing: Partial<RenewalTiming> = {}): Renewals =>
  new Renewals(createLog('silent'), { ...renewalTiming(4000), ...timing })

/** Returns a well-formed id that no row has. */
export const unknownId = (kind: Kind): string => `${idPrefixes[kind]}_01J8ZQ4N5R8X2V6T3W1Y7K9M0P`

/** Returns an id of a given time. `newId` cannot: its ids never go back in time. */
export const idAt = (kind: Kind, at: number): string => firstIdAt(kind, at) + newId(kind).slice(-16)

/** Application and connection that a row belongs to. */
export interface Owner {
  readonly applicationId: Id<'application'>
  readonly connectionId: Id<'connection'>
}

/** Creates a migrated database that is removed on disposal. */
export async function temporaryDatabase(dialect: Dialect): Promise<Database & AsyncDisposable> {
  const { open, remove } = await migratedDatabase(dialect)
  const db = await open()
  const dispose = async () => {
    await db.close()
    await remove()
  }
  return { ...db, [Symbol.asyncDispose]: dispose }
}

/** Casts columns to a row: the graph derives the other members from the columns. */
export const asRow = <Row extends object>(columns: Partial<Row>): Row => columns as Row

export const applicationRow = (values: Partial<Application> = {}): Application => ({
  id: newId('application'),
  name: 'Fleet Software Inc.',
  environment: 'sandbox',
  createdAt: NOON - 30 * DAY,
  linkOrigins: null,
  agreementUrl: null,
  mergesConnections: null,
  allowsSandbox: null,
  documentMode: null,
  pointsPerMinute: null,
  quotas: null,
  ...values,
})

export const keyRow = (applicationId: Id<'application'>, key: string): ApiKey => ({
  id: newId('key'),
  applicationId,
  use: 'secret',
  hash: hashKey(key),
  hint: key.slice(-4),
  publishable: null,
  createdAt: NOON - 30 * DAY,
  revokedAt: null,
  name: null,
  scopes: null,
  lastUsedAt: null,
  expiresAt: null,
  documentMode: null,
  pointsPerMinute: null,
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
    tokenHash: hashKey(token),
    tokenSealed: masterEncryption.seal(
      token,
      encryptionContext('connections.tokenSealed', { id, applicationId }),
    ),
    credentialsSealed: sealedCredentials(masterEncryption, { id, applicationId }, {}),
    backfillFrom: null,
    createdAt: NOON - 20 * DAY,
    updatedAt: NOON - DAY,
    lastStamp: NOON,
    lastSyncId: null,
    timeZone: null,
    statusBefore: null,
    deletionRequestedAt: null,
    lastDisconnectedAt: null,
    deletedAt: null,
    ...values,
  })
}

export const agreementRow = (owner: Owner, values: Partial<Agreement> = {}): Agreement => ({
  id: newId('agreement'),
  ...owner,
  type: 'end-user-agreement',
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
  providerRequests: null,
  leaseOwner: null,
  leasedUntil: null,
  ...values,
})

/** Returns the columns that every provider record has. */
export const sourced = <K extends Kind>(kind: K, owner: Owner) => {
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

/** Returns a vehicle without any optional value. */
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
    endLongitude: null,
    endLatitude: null,
    frontCamera: null,
    rearCamera: null,
    extensions: null,
    ...values,
  })

type Place = Partial<VehicleLocation> & { vehicleId: string }

export const locationRow = (owner: Owner, values: Place): VehicleLocation =>
  asRow<VehicleLocation>({
    ...owner,
    provider: 'sandbox',
    sourceId: null,
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

export const eventRow = (owner: Owner, values: Partial<EventRow> = {}): EventRow => ({
  id: newId('event'),
  ...owner,
  type: 'vehicle.modified',
  occurredAt: NOON - MINUTE,
  subjectId: null,
  detail: { name: 'as it was' },
  position: null,
  ...values,
})

/** Records of one connection, by kind. */
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
  readonly events: readonly EventRow[]
  readonly trailers: readonly Trailer[]
  readonly latestTrailerLocations: readonly LatestTrailerLocation[]
  readonly hosLogs: readonly HosLog[]
  readonly hosDailyLogs: readonly HosDailyLog[]
  readonly availableTimes: readonly HosAvailableTime[]
  readonly faultCodeEvents: readonly FaultCodeEvent[]
  readonly vehicleDays: readonly DailyUtilization[]
  readonly iftaMonths: readonly IftaVehicleMonth[]
  readonly statLogs: readonly VehicleStatLog[]
  readonly rawPoints: readonly RawPoint[]
  readonly issues: readonly Issue[]
  readonly syncIssues: readonly SyncIssue[]
  readonly purchaseChecks: readonly PurchaseCheck[]
  readonly purchaseCards: readonly PurchaseCard[]
}

/** Client of the API: its credentials, and the caller that they identify. */
export interface ApiClient {
  readonly applicationId: Id<'application'>
  readonly connectionId: Id<'connection'> | null
  readonly secretKey: string
  readonly token: string | null
  /** Caller that the credentials identify. By default, a holder of a key with every scope. */
  readonly caller?: Caller
}

/** Returns the caller that the credentials of a client identify. */
export const callerOf = ({ applicationId, connectionId, caller }: ApiClient): Caller =>
  caller ?? keyHolder(applicationId, connectionId)

export interface SeededConnection extends Records {
  readonly connection: Connection
  readonly token: string
}

export interface SeededApplication {
  readonly id: Id<'application'>
  readonly secretKey: string
  /** The application across its connections. */
  readonly client: ApiClient
  /** Returns the application restricted to one of its connections. */
  narrowed(index: number): ApiClient
  readonly connections: readonly SeededConnection[]
}

/** Creates the records of a connection for an owner. */
export type RecordsOf = (owner: Owner) => Partial<Records>

export const none: Records = {
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
  trailers: [],
  latestTrailerLocations: [],
  hosLogs: [],
  hosDailyLogs: [],
  availableTimes: [],
  faultCodeEvents: [],
  vehicleDays: [],
  iftaMonths: [],
  statLogs: [],
  rawPoints: [],
  issues: [],
  syncIssues: [],
  purchaseChecks: [],
  purchaseCards: [],
}

/** Values of a connection, or a function that derives them from its records. */
export type ConnectionValues = Partial<Connection> | ((records: Records) => Partial<Connection>)

/** Marks a connection as just polled. Its provider does not exist, so the service must not call it. */
const pollsOf = ({ id: connectionId, applicationId }: Connection): LatestRead[] =>
  latestModels.map((model) => {
    const at = Date.now()
    return {
      connectionId,
      model,
      applicationId,
      readAt: at,
      standsUntil: at + DAY,
      begunAt: null,
      state: null,
    }
  })

/** Stores an application with a key, and one connection for each record function. */
export async function seedApplication(
  db: Database,
  recordsOf: readonly RecordsOf[],
  connectionValues: readonly ConnectionValues[] = [],
): Promise<SeededApplication> {
  const secretKey = newSecretKey('sandbox')
  const application = applicationRow()
  const connections = recordsOf.map((make, index): SeededConnection => {
    const token = newConnectionToken()
    const id = newId('connection')
    const records = { ...none, ...make({ applicationId: application.id, connectionId: id }) }
    const lastSyncId = records.syncs.at(-1)?.id ?? null
    const values = connectionValues[index] ?? {}
    const own = typeof values === 'function' ? values(records) : values
    return {
      ...records,
      token,
      connection: connectionRow(application.id, token, { id, lastSyncId, ...own }),
    }
  })
  await db.inBackground().transaction(async (tx) => {
    await tx.insert(tableOf(Application), [application])
    await tx.insert(tableOf(ApiKey), [keyRow(application.id, secretKey)])
    await tx.insert(
      tableOf(Connection),
      connections.map(({ connection }) => connection),
    )
    await tx.insert(
      tableOf(LatestRead),
      connections.flatMap(({ connection }) => pollsOf(connection)),
    )
    for (const connection of connections) await insertRecords(tx, connection)
    await insertEvents(tx, connections)
  })
  const client: ApiClient = { applicationId: application.id, connectionId: null, secretKey, token: null }
  return {
    id: application.id,
    secretKey,
    client,
    narrowed: (index) => {
      const { connection, token } = connections[index]!
      return { ...client, connectionId: connection.id, token }
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
  await insertRecordsAndSeries(tx, records)
}

async function insertRecordsAndSeries(tx: Transaction, records: Records): Promise<void> {
  await tx.insert(tableOf(Trailer), records.trailers)
  await tx.insert(tableOf(LatestTrailerLocation), records.latestTrailerLocations)
  await tx.insert(tableOf(HosLog), records.hosLogs)
  await tx.insert(tableOf(HosDailyLog), records.hosDailyLogs)
  await tx.insert(tableOf(HosAvailableTime), records.availableTimes)
  await tx.insert(tableOf(FaultCodeEvent), records.faultCodeEvents)
  await tx.insert(tableOf(DailyUtilization), records.vehicleDays)
  await tx.insert(tableOf(IftaVehicleMonth), records.iftaMonths)
  await tx.insert(tableOf(VehicleStatLog), records.statLogs)
  await tx.insert(tableOf(RawPoint), records.rawPoints)
  await tx.insert(tableOf(Issue), records.issues)
  await tx.insert(tableOf(SyncIssue), records.syncIssues)
  await tx.insert(tableOf(PurchaseCheck), records.purchaseChecks)
  await tx.insert(tableOf(PurchaseCard), records.purchaseCards)
}

/** Stores events. An application has one log, so the connections take log positions in turn. */
async function insertEvents(tx: Transaction, connections: readonly SeededConnection[]): Promise<void> {
  const entries = connections.flatMap(({ events }) => events)
  await tx.insert(
    tableOf(EventRow),
    entries.map((entry, at) => ({ ...entry, position: at + 1 })),
  )
}

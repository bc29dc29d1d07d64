import { createPool } from 'mysql2/promise'
import Database from 'libsql'
import type { Owner } from './fleet.ts'
import type { StoreLocation } from './stores.ts'

/** Reads of the hand-written server. Each method runs one statement with only the needed columns. */

export interface VehicleRow {
  readonly id: string
  readonly sourceId: string
  readonly provider: string
  readonly status: string
  readonly vin: string | null
  readonly name: string | null
  readonly make: string | null
  readonly model: string | null
  readonly year: number | null
  readonly fuelType: string | null
  readonly fuelEfficiency: number | null
  readonly fuelTankCapacity: number | null
  readonly createdAt: number | null
  readonly updatedAt: number | null
  readonly licensePlateState: string | null
  readonly licensePlateNumber: string | null
  readonly addedAt: number
  readonly modifiedAt: number
  readonly deletedAt: number | null
}

export interface GroupedVehicleRow extends VehicleRow {
  readonly groupIds: string
}

export type BoardRow = Pick<GroupedVehicleRow, 'id' | 'name' | 'groupIds'>

export type OneVehicleRow = Pick<
  VehicleRow,
  'id' | 'sourceId' | 'provider' | 'status' | 'vin' | 'name' | 'make' | 'model' | 'year' | 'fuelType'
>

export interface LocationRow {
  readonly vehicleId: string
  readonly locatedAt: number
  readonly longitude: number
  readonly latitude: number
  readonly speed: number | null
  readonly driverId: string | null
}

export interface DriverRow {
  readonly id: string
  readonly firstName: string | null
  readonly lastName: string | null
}

export interface GroupRow {
  readonly id: string
  readonly name: string | null
}

export interface DeviceRow {
  readonly id: string
  readonly vehicleId: string
}

export interface TripRow {
  readonly id: string
  readonly sourceId: string
  readonly provider: string
  readonly startedAt: number
  readonly endedAt: number
  readonly distance: number | null
  readonly duration: number
  readonly startLongitude: number | null
  readonly startLatitude: number | null
  readonly endLongitude: number | null
  readonly endLatitude: number | null
  readonly vehicleId: string
}

type Ids = readonly string[]

export interface HandRows {
  vehicles(count: number): Promise<VehicleRow[]>
  groupedVehicles(count: number): Promise<GroupedVehicleRow[]>
  board(count: number): Promise<BoardRow[]>
  vehicle(id: string): Promise<OneVehicleRow | null>
  trips(count: number): Promise<TripRow[]>
  locations(vehicleIds: Ids): Promise<LocationRow[]>
  groups(ids: Ids): Promise<GroupRow[]>
  drivers(ids: Ids): Promise<DriverRow[]>
  devices(vehicleIds: Ids): Promise<DeviceRow[]>
}

const columns = {
  vehicle:
    'id, sourceId, provider, status, vin, name, make, model, year, fuelType, fuelEfficiency, fuelTankCapacity, createdAt, updatedAt, licensePlateState, licensePlateNumber, addedAt, modifiedAt, deletedAt',
  board: 'id, name, groupIds',
  oneVehicle: 'id, sourceId, provider, status, vin, name, make, model, year, fuelType',
  trip: 'id, sourceId, provider, startedAt, endedAt, distance, duration, startLongitude, startLatitude, endLongitude, endLatitude, vehicleId',
  location: 'vehicleId, locatedAt, longitude, latitude, speed, driverId',
}

const TENANT = 'applicationId = ? AND connectionId = ?'

type Query = <Row>(sql: string, parameters: readonly unknown[]) => Promise<Row[]>

export function rowsOf(location: StoreLocation, owner: Owner): Promise<HandRows> | HandRows {
  const query =
    location.store === 'mariadb' ? mysqlQuery(location.mysqlUrl) : sqliteQuery(location.sqlitePath)
  const rows = statements(query, owner)
  return location.store === 'memory' ? inMemory(rows) : rows
}

function statements(query: Query, { applicationId, connectionId }: Owner): HandRows {
  const tenant = [applicationId, connectionId]
  const firstVehicles = <Row>(selected: string, count: number) =>
    query<Row>(
      `SELECT ${selected} FROM vehicles WHERE ${TENANT} AND deletedAt IS NULL ORDER BY id LIMIT ${count}`,
      tenant,
    )
  const selectIn = <Row>(selected: string, table: string, column: string, ids: Ids) =>
    query<Row>(
      `SELECT ${selected} FROM \`${table}\` WHERE ${TENANT} AND ${column} IN (${Array(ids.length).fill('?').join(', ')})`,
      [...tenant, ...ids],
    )
  return {
    vehicles: (count) => firstVehicles(columns.vehicle, count),
    groupedVehicles: (count) => firstVehicles(`${columns.vehicle}, groupIds`, count),
    board: (count) => firstVehicles(columns.board, count),
    vehicle: async (id) =>
      (
        await query<OneVehicleRow>(`SELECT ${columns.oneVehicle} FROM vehicles WHERE ${TENANT} AND id = ?`, [
          ...tenant,
          id,
        ])
      )[0] ?? null,
    trips: (count) =>
      query(
        `SELECT ${columns.trip} FROM trips WHERE ${TENANT} AND deletedAt IS NULL ORDER BY startedAt, id LIMIT ${count}`,
        tenant,
      ),
    locations: (ids) => selectIn(columns.location, 'latest_vehicle_locations', 'vehicleId', ids),
    groups: (ids) => selectIn('id, name', 'groups', 'id', ids),
    drivers: (ids) => selectIn('id, firstName, lastName', 'drivers', 'id', ids),
    devices: (ids) => selectIn('id, vehicleId', 'devices', 'vehicleId', ids),
  }
}

function mysqlQuery(url: string): Query {
  const pool = createPool({
    uri: url,
    connectionLimit: 10,
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
  })
  return async <Row>(sql: string, parameters: readonly unknown[]) =>
    (await pool.query(sql, [...parameters]))[0] as Row[]
}

function sqliteQuery(path: string): Query {
  const database = new Database(path, { readonly: true })
  const prepared = new Map<string, ReturnType<typeof database.prepare>>()
  return async <Row>(sql: string, parameters: readonly unknown[]) => {
    let statement = prepared.get(sql)
    if (!statement) prepared.set(sql, (statement = database.prepare(sql)))
    return statement.all(parameters) as Row[]
  }
}

/** Limit that is greater than the number of rows in any table. */
const ALL = 100_000

/** Reads all rows into arrays, in list order. The returned methods copy rows from the arrays, without the database. */
async function inMemory(rows: HandRows): Promise<HandRows> {
  const [vehicles, grouped, board, trips] = await Promise.all([
    rows.vehicles(ALL),
    rows.groupedVehicles(ALL),
    rows.board(ALL),
    rows.trips(ALL),
  ])
  const ids = vehicles.map(({ id }) => id)
  const vehicleById = new Map(await Promise.all(ids.map(async (id) => [id, await rows.vehicle(id)] as const)))
  const [locations, devices] = await Promise.all([rows.locations(ids), rows.devices(ids)])
  const groups = await rows.groups([
    ...new Set(board.flatMap(({ groupIds }) => JSON.parse(groupIds) as string[])),
  ])
  const drivers = await rows.drivers([...new Set(locations.flatMap(({ driverId }) => driverId ?? []))])
  const first =
    <Row extends object>(list: readonly Row[]) =>
    (count: number) =>
      Promise.resolve(list.slice(0, count).map((row) => ({ ...row })))
  return {
    vehicles: first(vehicles),
    groupedVehicles: first(grouped),
    board: first(board),
    trips: first(trips),
    vehicle: (id) => Promise.resolve({ ...vehicleById.get(id) } as OneVehicleRow),
    locations: lookup(locations, ({ vehicleId }) => vehicleId),
    groups: lookup(groups, ({ id }) => id),
    drivers: lookup(drivers, ({ id }) => id),
    devices: lookup(devices, ({ vehicleId }) => vehicleId),
  }
}

function lookup<Row extends object>(list: readonly Row[], keyOf: (row: Row) => string) {
  const byKey = new Map<string, Row[]>()
  for (const row of list) byKey.set(keyOf(row), [...(byKey.get(keyOf(row)) ?? []), row])
  return (keys: Ids): Promise<Row[]> =>
    Promise.resolve(keys.flatMap((key) => (byKey.get(key) ?? []).map((row) => ({ ...row }))))
}

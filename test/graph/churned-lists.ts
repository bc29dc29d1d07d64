import { derivedId, type Kind } from '../../src/ids.ts'
import { type Table, tableOf } from '../../src/storage/table.ts'
import { Device } from '../../src/subgraphs/fleet/device.ts'
import { Driver } from '../../src/subgraphs/fleet/driver.ts'
import { Group } from '../../src/subgraphs/fleet/group.ts'
import { Trailer } from '../../src/subgraphs/fleet/trailer.ts'
import { Vehicle } from '../../src/subgraphs/fleet/vehicle.ts'
import { FaultCodeEvent } from '../../src/subgraphs/records/fault-code-event.ts'
import { HosDailyLog } from '../../src/subgraphs/records/hos-daily-log.ts'
import { HosLog } from '../../src/subgraphs/records/hos-log.ts'
import { IftaVehicleMonth } from '../../src/subgraphs/records/ifta-summary.ts'
import { SafetyEvent } from '../../src/subgraphs/records/safety-event.ts'
import { Trip } from '../../src/subgraphs/records/trip.ts'
import { VehicleDay } from '../../src/subgraphs/records/vehicle-day.ts'
import { LatestVehicleLocation, VehicleLocation } from '../../src/subgraphs/telemetry/location.ts'
import { VehicleStatLog } from '../../src/subgraphs/telemetry/stat-log.ts'
import { LatestTrailerLocation } from '../../src/subgraphs/telemetry/trailer-location.ts'
import {
  deviceRow,
  driverRow,
  groupRow,
  latestLocationRow,
  locationRow,
  MINUTE,
  NOON,
  type Owner,
  safetyEventRow,
  tripRow,
  vehicleRow,
} from '../factories.ts'

/** The records that others belong to. They stay as they are. */
export interface Parents {
  readonly connection: string
  readonly vehicle: string
  readonly driver: string
  readonly trip: string
}

/** What makes rows of one list differ: the number that tells them apart, and a time that many share. */
export interface Point {
  readonly number: number
  readonly time: number
  readonly modifiedAt: number
}

type Row = Readonly<Record<string, unknown>>

export interface ChurnedList {
  readonly name: string
  readonly field: string
  readonly of?: keyof Parents
  /** What is selected of a record, by which it is told apart, and the same read off its row. */
  readonly record: string
  node(row: Row): unknown
  readonly table: Table<Row>
  row(owner: Owner, point: Point, parents: Parents): Row
  /** Arguments that it may be asked with, each or none. */
  readonly args: readonly string[]
  /** Always asked with. */
  readonly always?: string
}

const at = (minutes: number) => JSON.stringify(new Date(NOON + minutes * MINUTE).toISOString())
const modified = [
  `modifiedAfter: ${at(-30)}`,
  `modifiedBefore: ${at(7)}`,
  'modifiedAfter: "2000-01-01T00:00:00Z"',
]
const started = [`startedAfter: ${at(2)}`, `startedBefore: ${at(8)}`]
const table = (entity: abstract new () => object) => tableOf(entity) as unknown as Table<Row>
const byId = { record: 'id', node: ({ id }: Row) => ({ id }) }
const asRow = (row: object) => row as Row

/** Ids that are in no order of time. */
const idOf = (kind: Kind, { connectionId }: Owner, { number }: Point) =>
  derivedId(kind, connectionId, `${number}`)
const timeOf = ({ time }: Point) => NOON + time * MINUTE
const dateOf = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)

const sourced = (kind: Kind, owner: Owner, point: Point) => ({
  id: idOf(kind, owner, point),
  ...owner,
  sourceId: `${point.number}`,
  provider: 'sandbox',
  addedAt: NOON,
  modifiedAt: point.modifiedAt,
  deletedAt: null,
  contentHash: 'content',
  rawHash: 'raw',
})

const fleet: readonly ChurnedList[] = (
  [
    ['vehicles', 'vehicle', Vehicle, (owner, values) => vehicleRow(owner, values)],
    ['drivers', 'driver', Driver, (owner, values) => driverRow(owner, values)],
    ['groups', 'group', Group, (owner, values) => groupRow(owner, values)],
    ['devices', 'device', Device, (owner, values) => deviceRow(owner, values)],
    ['trailers', 'trailer', Trailer, (_owner, values) => ({ ...values, status: 'active', groupIds: [] })],
  ] as readonly [string, Kind, abstract new () => object, (owner: Owner, values: object) => object][]
).flatMap(([field, kind, entity, make]) => {
  const list: ChurnedList = {
    name: field,
    field,
    ...byId,
    table: table(entity),
    row: (owner, point) => asRow(make(owner, sourced(kind, owner, point))),
    args: [...modified, 'deleted: true'],
  }
  return [list, { ...list, name: `${field} of a connection`, of: 'connection' as const }]
})

const records: readonly ChurnedList[] = [
  {
    name: 'trips',
    field: 'trips',
    ...byId,
    table: table(Trip),
    row: (owner, point, { vehicle, driver }) =>
      asRow(
        tripRow(owner, {
          ...sourced('trip', owner, point),
          vehicleId: vehicle,
          driverId: driver,
          startedAt: timeOf(point),
          endedAt: timeOf(point) + MINUTE,
        }),
      ),
    args: [...modified, ...started, `endedAfter: ${at(4)}`],
  },
  {
    name: 'safetyEvents',
    field: 'safetyEvents',
    ...byId,
    table: table(SafetyEvent),
    row: (owner, point, { vehicle, driver }) =>
      asRow(
        safetyEventRow(owner, {
          ...sourced('safetyEvent', owner, point),
          vehicleId: vehicle,
          driverId: driver,
          startedAt: timeOf(point),
        }),
      ),
    args: [...modified, ...started],
  },
  {
    name: 'hosLogs',
    field: 'hosLogs',
    ...byId,
    table: table(HosLog),
    row: (owner, point, { driver }) => ({
      ...sourced('hosLog', owner, point),
      status: 'driving',
      driverId: driver,
      codriverIds: [],
      remarks: [],
      startedAt: timeOf(point),
    }),
    args: [...modified, ...started],
  },
  {
    name: 'hosDailyLogs',
    field: 'hosDailyLogs',
    ...byId,
    table: table(HosDailyLog),
    row: (owner, point, { driver }) => ({
      ...sourced('hosDailyLog', owner, point),
      driverId: driver,
      date: dateOf(point.time),
    }),
    args: [...modified, `startDate: "${dateOf(2)}"`, `endDate: "${dateOf(7)}"`],
  },
  {
    name: 'faultCodeEvents',
    field: 'faultCodeEvents',
    ...byId,
    table: table(FaultCodeEvent),
    row: (owner, point, { vehicle }) => ({
      ...sourced('faultCodeEvent', owner, point),
      protocol: 'obdii',
      vehicleId: vehicle,
      status: 'active',
      code: 'P0420',
      observedAt: timeOf(point),
    }),
    args: [...modified, `startAt: ${at(2)}`, `endAt: ${at(7)}`],
  },
]

const ofOwners: readonly ChurnedList[] = (
  [
    ['trips', 'vehicle'],
    ['trips', 'driver'],
    ['safetyEvents', 'vehicle'],
    ['hosLogs', 'driver'],
    ['faultCodeEvents', 'vehicle'],
  ] as const
).map(([field, of]) => ({
  ...records.find((list) => list.field === field)!,
  name: `${field} of a ${of}`,
  of,
}))

const sums: readonly ChurnedList[] = [
  {
    name: 'vehicleUtilization',
    field: 'vehicleUtilization',
    record: 'vehicle { id }',
    node: ({ vehicleId }) => ({ vehicle: { id: vehicleId } }),
    table: table(VehicleDay),
    row: (owner, point) => ({
      ...sourced('vehicleUtilization' as Kind, owner, point),
      vehicleId: idOf('vehicle', owner, { ...point, number: Math.floor(point.number / 2) }),
      date: dateOf(point.time),
      distance: point.number,
    }),
    args: [modified[0]!, `startDate: "${dateOf(2)}"`, `endDate: "${dateOf(7)}"`],
  },
  {
    name: 'iftaSummary',
    field: 'iftaSummary',
    record: 'vehicle { id } jurisdiction month',
    node: ({ vehicleId, jurisdiction, month }) => ({ vehicle: { id: vehicleId }, jurisdiction, month }),
    table: table(IftaVehicleMonth),
    row: (owner, point) => ({
      ...sourced('iftaReport', owner, point),
      vehicleId: idOf('vehicle', owner, { ...point, number: point.number % 3 }),
      jurisdiction: point.number % 2 ? 'TX' : 'CA',
      month: dateOf(31 * point.time).slice(0, 7),
      distance: point.number,
    }),
    args: [],
    always: 'startMonth: "2020-01", endMonth: "2030-01", groupBy: [MONTH, VEHICLE, JURISDICTION]',
  },
]

const series: readonly ChurnedList[] = [
  {
    name: 'vehicleLocations',
    field: 'vehicleLocations',
    record: 'vehicle { id }',
    node: ({ vehicleId }) => ({ vehicle: { id: vehicleId } }),
    table: table(LatestVehicleLocation),
    row: (owner, point, { driver }) =>
      asRow(
        latestLocationRow(owner, {
          vehicleId: idOf('vehicle', owner, point),
          driverId: driver,
          locatedAt: timeOf(point),
          modifiedAt: point.modifiedAt,
        }),
      ),
    args: [],
  },
  {
    name: 'trailerLocations',
    field: 'trailerLocations',
    record: 'trailer { id }',
    node: ({ trailerId }) => ({ trailer: { id: trailerId } }),
    table: table(LatestTrailerLocation),
    row: (owner, point) => ({
      ...owner,
      trailerId: idOf('trailer', owner, point),
      provider: 'sandbox',
      locatedAt: timeOf(point),
      longitude: -97.7,
      latitude: 30.3,
      modifiedAt: point.modifiedAt,
    }),
    args: [],
  },
  {
    name: 'locations of a vehicle',
    field: 'locations',
    of: 'vehicle',
    record: 'locatedAt',
    node: ({ locatedAt }) => ({ locatedAt: new Date(locatedAt as number).toISOString() }),
    table: table(VehicleLocation),
    row: (owner, point, { vehicle }) =>
      asRow(
        locationRow(owner, {
          vehicleId: vehicle,
          locatedAt: NOON + ((point.number * 7) % 64) * MINUTE,
          speed: point.time,
          modifiedAt: point.modifiedAt,
        }),
      ),
    args: [`startAt: ${at(5)}`, `endAt: ${at(50)}`],
  },
  {
    name: 'stats of a vehicle',
    field: 'stats',
    of: 'vehicle',
    record: 'type timestamp',
    node: ({ type, timestamp }) => ({
      type: String(type).toUpperCase(),
      timestamp: new Date(timestamp as number).toISOString(),
    }),
    table: table(VehicleStatLog),
    row: (owner, point, { vehicle }) => ({
      ...owner,
      vehicleId: vehicle,
      timestamp: NOON + (Math.floor(point.number / 3) % 10) * MINUTE,
      type: ['odometer', 'fuel_level', 'engine_rpm'][point.number % 3],
      provider: 'sandbox',
      value: point.time,
      modifiedAt: point.modifiedAt,
    }),
    args: [`startAt: ${at(1)}`, `endAt: ${at(8)}`, 'types: [ODOMETER, ENGINE_RPM]', 'types: [FUEL_LEVEL]'],
  },
]

const tracks = series.find((list) => list.field === 'locations')!

/** Every list of what syncs write. */
export const churnedLists: readonly ChurnedList[] = [
  ...fleet,
  ...records,
  ...ofOwners,
  ...sums,
  ...series,
  { ...tracks, name: 'path of a trip', field: 'path', of: 'trip', args: [] },
]

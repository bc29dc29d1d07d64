import type { Kind } from '../../../../src/domain/ids.ts'
import { IftaVehicleMonth } from '../../../../src/subgraphs/records/totals/ifta-summary.ts'
import { DailyUtilization } from '../../../../src/subgraphs/records/totals/daily-utilization.ts'
import { LatestVehicleLocation, VehicleLocation } from '../../../../src/subgraphs/telemetry/location.ts'
import { VehicleStatLog } from '../../../../src/subgraphs/telemetry/stat-log.ts'
import { LatestTrailerLocation } from '../../../../src/subgraphs/telemetry/trailer-location.ts'
import { latestLocationRow, locationRow, MINUTE, NOON } from '../../factories.ts'
import {
  asRow,
  at,
  type ChurnedList,
  dateOf,
  idOf,
  modified,
  sourced,
  table,
  timeOf,
} from './changing-list.ts'
import { churnedFleet, churnedRecords, churnedRecordsOfOwners } from './changing-records.ts'

const sums: readonly ChurnedList[] = [
  {
    name: 'vehicleUtilization',
    field: 'vehicleUtilization',
    record: 'vehicle { id }',
    node: ({ vehicleId }) => ({ vehicle: { id: vehicleId } }),
    table: table(DailyUtilization),
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

/** Every list of records that syncs write. */
export const churnedLists: readonly ChurnedList[] = [
  ...churnedFleet,
  ...churnedRecords,
  ...churnedRecordsOfOwners,
  ...sums,
  ...series,
  { ...tracks, name: 'path of a trip', field: 'path', of: 'trip', args: [] },
]

import type { Kind } from '../../../../src/domain/ids.ts'
import { Device } from '../../../../src/subgraphs/fleet/device.ts'
import { Driver } from '../../../../src/subgraphs/fleet/driver.ts'
import { Group } from '../../../../src/subgraphs/fleet/group.ts'
import { Trailer } from '../../../../src/subgraphs/fleet/trailer.ts'
import { Vehicle } from '../../../../src/subgraphs/fleet/vehicle.ts'
import { FaultCodeEvent } from '../../../../src/subgraphs/records/fault-code-event.ts'
import { HosDailyLog } from '../../../../src/subgraphs/records/hos/hos-daily-log.ts'
import { HosLog } from '../../../../src/subgraphs/records/hos/hos-log.ts'
import { SafetyEvent } from '../../../../src/subgraphs/records/safety/safety-event.ts'
import { Trip } from '../../../../src/subgraphs/records/trip.ts'
import {
  deviceRow,
  driverRow,
  groupRow,
  MINUTE,
  type Owner,
  safetyEventRow,
  tripRow,
  vehicleRow,
} from '../../factories.ts'
import {
  asRow,
  at,
  byId,
  type ChurnedList,
  dateOf,
  modified,
  sourced,
  started,
  table,
  timeOf,
} from './changing-list.ts'

/** Lists of a fleet's records, and lists of one connection. */
export const churnedFleet: readonly ChurnedList[] = (
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

/** Lists of the activity of vehicles and drivers. */
export const churnedRecords: readonly ChurnedList[] = [
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
    args: [...modified, ...started, `endedAfter: ${at(4)}`, 'deleted: true'],
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
    args: [...modified, ...started, 'deleted: true'],
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
    args: [...modified, ...started, 'deleted: true'],
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
    args: [...modified, `startDate: "${dateOf(2)}"`, `endDate: "${dateOf(7)}"`, 'deleted: true'],
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
    args: [...modified, `startAt: ${at(2)}`, `endAt: ${at(7)}`, 'deleted: true'],
  },
]

/** The same lists for one vehicle or driver. */
export const churnedRecordsOfOwners: readonly ChurnedList[] = (
  [
    ['trips', 'vehicle'],
    ['trips', 'driver'],
    ['safetyEvents', 'vehicle'],
    ['hosLogs', 'driver'],
    ['faultCodeEvents', 'vehicle'],
  ] as const
).map(([field, of]) => ({
  ...churnedRecords.find((list) => list.field === field)!,
  name: `${field} of a ${of}`,
  of,
}))

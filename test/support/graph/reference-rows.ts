import type { Database } from '../../../src/storage/database.ts'
import { EventRow } from '../../../src/storage/outbox.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { SyncIssue } from '../../../src/subgraphs/connections/issues/issue.ts'
import { Sync } from '../../../src/subgraphs/connections/syncs/sync.ts'
import { Device } from '../../../src/subgraphs/fleet/device.ts'
import { Trailer } from '../../../src/subgraphs/fleet/trailer.ts'
import { Vehicle } from '../../../src/subgraphs/fleet/vehicle.ts'
import { RawRecord } from '../../../src/subgraphs/tables/raw-record.ts'
import { FaultCodeEvent } from '../../../src/subgraphs/records/fault-code-event.ts'
import { HosDailyLog } from '../../../src/subgraphs/records/hos/hos-daily-log.ts'
import { HosLog } from '../../../src/subgraphs/records/hos/hos-log.ts'
import { IftaVehicleMonth } from '../../../src/subgraphs/records/totals/ifta-summary.ts'
import { Trip } from '../../../src/subgraphs/records/trip.ts'
import { DailyUtilization } from '../../../src/subgraphs/records/totals/daily-utilization.ts'
import { LatestVehicleLocation } from '../../../src/subgraphs/telemetry/location.ts'
import {
  deviceRow,
  eventRow,
  latestLocationRow,
  type SeededConnection,
  rawRow,
  syncRow,
  tripRow,
  vehicleRow,
} from '../factories.ts'
import {
  faultCodeRow,
  hosDailyLogRow,
  hosLogRow,
  iftaMonthRow,
  syncIssueRow,
  trailerRow,
  vehicleDayRow,
} from '../rows/record-rows.ts'
import type { ForeignReferences } from './foreign-access-attempts.ts'

let position = 1_000_000
const nextPosition = () => (position += 10)

/**
 * Stores rows of one connection whose columns hold ids of another connection. Returns the variables of
 * `REFERENCES_QUERY`.
 */
export async function seedReferences(
  db: Database,
  { connection }: SeededConnection,
  ids: ForeignReferences['ids'],
) {
  const owner = { applicationId: connection.applicationId, connectionId: connection.id }
  const trip = tripRow(owner, { vehicleId: ids.vehicle, driverId: ids.driver, startedAt: 0 })
  const vehicle = vehicleRow(owner, { groupIds: [ids.group] })
  const device = deviceRow(owner, { vehicleId: ids.vehicle })
  const trailer = trailerRow(owner, { groupIds: [ids.group] })
  const sync = syncRow(owner)
  const hosLog = hosLogRow(owner, {
    driverId: ids.driver,
    vehicleId: ids.vehicle,
    codriverIds: [ids.driver],
  })
  const day = hosDailyLogRow(owner, { driverId: ids.driver })
  const fault = faultCodeRow(owner, { vehicleId: ids.vehicle })
  const subjects = [ids.vehicle, ids.connection, ids.sync, ids.trip, ids.group, ids.trailer, ids.hosLog]
  const events = subjects.map((subjectId, at) =>
    eventRow(owner, { subjectId, position: nextPosition() + at, type: 'odd' }),
  )
  const latest = latestLocationRow(owner, { vehicleId: vehicle.id, driverId: ids.driver })
  await db.transaction(async (tx) => {
    await tx.insert(tableOf(Trip), [trip])
    await tx.insert(tableOf(Vehicle), [vehicle])
    await tx.insert(tableOf(Device), [device])
    await tx.insert(tableOf(Trailer), [trailer])
    await tx.insert(tableOf(HosLog), [hosLog])
    await tx.insert(tableOf(HosDailyLog), [day])
    await tx.insert(tableOf(FaultCodeEvent), [fault])
    await tx.insert(tableOf(Sync), [sync])
    await tx.insert(tableOf(SyncIssue), [syncIssueRow(owner, sync.id, ids.issue)])
    await tx.insert(tableOf(LatestVehicleLocation), [latest])
    await tx.insert(tableOf(EventRow), events)
  })
  const requested = { trip, vehicle, device, trailer, sync, hosLog, day, fault }
  const named = Object.entries(requested).map(([name, { id }]) => [name, id] as const)
  return { ...Object.fromEntries(named), after: events[0]!.id }
}

/** Stores distances of one connection with the vehicle id of another connection. */
export async function seedDistances(db: Database, { connection }: SeededConnection, vehicleId: string) {
  const owner = { applicationId: connection.applicationId, connectionId: connection.id }
  const days = ['2026-01-29', '2026-01-30'].map((date) => vehicleDayRow(owner, { vehicleId, date }))
  const months = ['TX', 'OK', ''].map((jurisdiction) => iftaMonthRow(owner, { vehicleId, jurisdiction }))
  await db.transaction(async (tx) => {
    await tx.insert(tableOf(DailyUtilization), days)
    await tx.insert(tableOf(IftaVehicleMonth), months)
    await tx.insert(
      tableOf(RawRecord),
      [...days, ...months].map(({ id }) => rawRow(owner, id)),
    )
  })
}

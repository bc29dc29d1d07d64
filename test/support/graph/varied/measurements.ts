import { IssueCode } from '../../../../src/subgraphs/connections/issues/issue-code.ts'
import { type Issue, IssueStatus } from '../../../../src/subgraphs/connections/issues/issue.ts'
import { statTypes } from '../../../../src/domain/models/vehicle-stat-log.ts'
import type { Sync } from '../../../../src/subgraphs/connections/syncs/sync.ts'
import type { Driver } from '../../../../src/subgraphs/fleet/driver.ts'
import type { Vehicle } from '../../../../src/subgraphs/fleet/vehicle.ts'
import type { RawPoint } from '../../../../src/subgraphs/tables/raw-record.ts'
import { type FaultCodeEvent, FaultCodeStatus } from '../../../../src/subgraphs/records/fault-code-event.ts'
import type { HosAvailableTime } from '../../../../src/subgraphs/records/hos/hos-available-time.ts'
import type { HosDailyLog } from '../../../../src/subgraphs/records/hos/hos-daily-log.ts'
import type { HosLog } from '../../../../src/subgraphs/records/hos/hos-log.ts'
import type { IftaVehicleMonth } from '../../../../src/subgraphs/records/totals/ifta-summary.ts'
import type { DailyUtilization } from '../../../../src/subgraphs/records/totals/daily-utilization.ts'
import { EngineState } from '../../../../src/subgraphs/schema/enums/engine-state.ts'
import type { VehicleStatLog } from '../../../../src/subgraphs/telemetry/stat-log.ts'
import { DAY, MINUTE, NOON, type Owner, unknownId } from '../../factories.ts'
import {
  hosAvailableTimeRow,
  hosDailyLogRow,
  hosLogRow,
  iftaMonthRow,
  issueRow,
  faultCodeRow,
  latestTrailerLocationRow,
  obdiiRow,
  rawPointRow,
  statRow,
  syncIssueRow,
  vehicleDayRow,
} from '../../rows/record-rows.ts'
import type { Roster } from './roster.ts'

/** Hours of service, faults, aggregates and series of a roster, with and without each optional value. */
export function variedMeasurements(owner: Owner, { drivers, vehicles, trailers }: Roster, syncs: Sync[]) {
  const issues = variedIssues(owner)
  return {
    hosLogs: variedHosLogs(owner, drivers, vehicles),
    hosDailyLogs: variedDailyLogs(owner, drivers),
    availableTimes: variedClocks(owner, drivers),
    faultCodeEvents: variedFaults(owner, vehicles),
    vehicleDays: variedDays(owner, vehicles),
    iftaMonths: variedMonths(owner, vehicles),
    statLogs: variedStats(owner, vehicles),
    latestTrailerLocations: [
      latestTrailerLocationRow(owner, { trailerId: trailers[0]!.id }),
      latestTrailerLocationRow(owner, {
        trailerId: trailers[1]!.id,
        addressText: null,
        heading: null,
        speed: null,
      }),
      latestTrailerLocationRow(owner, { trailerId: trailers[2]!.id }),
    ],
    rawPoints: variedRawPoints(owner, vehicles),
    issues,
    syncIssues: [
      syncIssueRow(owner, syncs[0]!.id, issues[1]!.id),
      syncIssueRow(owner, syncs[0]!.id, issues[0]!.id),
      syncIssueRow(owner, syncs[1]!.id, issues[0]!.id),
    ],
  }
}

const variedIssues = (owner: Owner): Issue[] => [
  issueRow(owner),
  issueRow(owner, {
    status: IssueStatus.RESOLVED,
    code: IssueCode.PROVIDER_SOURCE_DATA_INVALID,
    model: null,
    lastReportedAt: NOON,
  }),
]

const variedHosLogs = (owner: Owner, drivers: readonly Driver[], vehicles: readonly Vehicle[]): HosLog[] => [
  hosLogRow(owner, {
    driverId: drivers[0]!.id,
    vehicleId: vehicles[0]!.id,
    codriverIds: [drivers[1]!.id, unknownId('driver'), drivers[2]!.id],
    remarks: [
      { notes: 'Fuel stop', sourceId: 'r-1', submittedAt: NOON - DAY },
      { notes: 'No time', sourceId: null, submittedAt: null },
    ],
  }),
  hosLogRow(owner, {
    driverId: drivers[0]!.id,
    status: 'off_duty',
    startedAt: NOON - DAY + 30 * MINUTE,
    endedAt: null,
    longitude: null,
    modifiedAt: NOON,
  }),
  hosLogRow(owner, { driverId: drivers[1]!.id, status: 'sleeper_bed', codriverIds: [drivers[0]!.id] }),
  hosLogRow(owner, { driverId: drivers[1]!.id, status: 'personal_conveyance', startedAt: NOON }),
  hosLogRow(owner, { driverId: unknownId('driver'), vehicleId: unknownId('vehicle'), status: 'yard_move' }),
  hosLogRow(owner, { driverId: drivers[0]!.id, status: 'waiting_time', deletedAt: NOON - DAY }),
]

const variedDailyLogs = (owner: Owner, drivers: readonly Driver[]): HosDailyLog[] => [
  hosDailyLogRow(owner, { driverId: drivers[0]!.id }),
  hosDailyLogRow(owner, { driverId: drivers[0]!.id, date: '2026-01-29', yardMove: 1, yardMoveDistance: 0.5 }),
  hosDailyLogRow(owner, {
    driverId: drivers[1]!.id,
    onDuty: null,
    offDuty: null,
    driving: null,
    waiting: null,
    sleeperBed: null,
    totalDistance: null,
    drivingDistance: null,
    modifiedAt: NOON,
  }),
  hosDailyLogRow(owner, { driverId: unknownId('driver'), date: '2026-01-28' }),
  hosDailyLogRow(owner, { driverId: drivers[1]!.id, date: '2026-01-27', deletedAt: NOON }),
]

const variedClocks = (owner: Owner, drivers: readonly Driver[]): HosAvailableTime[] => [
  hosAvailableTimeRow(owner, { driverId: drivers[0]!.id }),
  hosAvailableTimeRow(owner, {
    driverId: drivers[1]!.id,
    currentStatus: null,
    cycle: null,
    shift: null,
    drive: 0,
    break: null,
  }),
  hosAvailableTimeRow(owner, { driverId: drivers[2]!.id, currentStatus: 'driving' }),
]

const variedFaults = (owner: Owner, vehicles: readonly Vehicle[]): FaultCodeEvent[] => [
  faultCodeRow(owner, { vehicleId: vehicles[0]!.id }),
  obdiiRow(owner, { vehicleId: vehicles[0]!.id, observedAt: NOON }),
  faultCodeRow(owner, {
    vehicleId: vehicles[1]!.id,
    status: FaultCodeStatus.PENDING,
    description: null,
    milStatus: null,
    spnDescription: null,
    fmi: null,
    fmiDescription: null,
    occurrenceCount: null,
    sourceAddress: null,
    modifiedAt: NOON,
  }),
  obdiiRow(owner, {
    vehicleId: vehicles[1]!.id,
    status: FaultCodeStatus.CLOSED,
    description: null,
    milStatus: null,
  }),
  obdiiRow(owner, { vehicleId: unknownId('vehicle'), observedAt: NOON - 2 * DAY }),
  faultCodeRow(owner, { vehicleId: vehicles[0]!.id, deletedAt: NOON }),
]

const variedDays = (owner: Owner, [full, bare, gone]: readonly Vehicle[]): DailyUtilization[] => [
  ...['2026-01-28', '2026-01-29', '2026-01-31'].map((date, index) =>
    vehicleDayRow(owner, {
      vehicleId: full!.id,
      date,
      distance: 100.25 * (index + 1),
      fuelConsumed: index === 1 ? null : 30.5,
      idling: index === 2 ? null : MINUTE,
      modifiedAt: NOON - index * DAY,
    }),
  ),
  vehicleDayRow(owner, { vehicleId: bare!.id, fuelConsumed: null, driving: null, idling: null }),
  vehicleDayRow(owner, { vehicleId: gone!.id, driving: null }),
  vehicleDayRow(owner, { vehicleId: unknownId('vehicle') }),
  vehicleDayRow(owner, { vehicleId: full!.id, date: '2026-01-27', distance: 9999, deletedAt: NOON }),
]

const variedMonths = (owner: Owner, [full, bare]: readonly Vehicle[]): IftaVehicleMonth[] => [
  ...['2025-12', '2026-01', '2026-02'].flatMap((month, nth) =>
    ['TX', 'OK', ''].map((jurisdiction, index) =>
      iftaMonthRow(owner, { vehicleId: full!.id, month, jurisdiction, distance: 10 ** nth * (index + 0.5) }),
    ),
  ),
  iftaMonthRow(owner, { vehicleId: bare!.id }),
  iftaMonthRow(owner, { vehicleId: bare!.id, jurisdiction: 'ON', distance: 0 }),
  iftaMonthRow(owner, { vehicleId: unknownId('vehicle'), jurisdiction: '', month: '2025-11' }),
  iftaMonthRow(owner, { vehicleId: bare!.id, month: '2026-02', distance: 9999, deletedAt: NOON }),
]

const variedStats = (owner: Owner, [full, bare]: readonly Vehicle[]): VehicleStatLog[] => [
  ...statTypes.map((type) => statOf(owner, { vehicleId: full!.id, type })),
  ...Object.values(EngineState).map((state, index) =>
    statOf(owner, {
      vehicleId: full!.id,
      type: 'engine_state',
      state,
      sourceId: `s-${index}`,
      timestamp: NOON + index,
    }),
  ),
  ...[0, 1, 2].map((index) =>
    statRow(owner, { vehicleId: full!.id, value: 1000.5 + index, timestamp: NOON + index * MINUTE }),
  ),
  statRow(owner, { vehicleId: bare!.id, type: 'battery_voltage', value: 0 }),
]

/** Returns a stat log row. An engine state has no numeric value; other types have no state. */
const statOf = (owner: Owner, values: Partial<VehicleStatLog> & { vehicleId: string }) =>
  statRow(owner, values.type === 'engine_state' ? { value: null, state: EngineState.ON, ...values } : values)

const variedRawPoints = (owner: Owner, vehicles: readonly Vehicle[]): RawPoint[] => {
  const ownerId = vehicles[0]!.id
  return [
    rawPointRow(owner, { ownerId, at: NOON, series: 'location' }),
    rawPointRow(owner, { ownerId, at: NOON - DAY, series: 'odometer' }),
    rawPointRow(owner, { ownerId, at: NOON - DAY, series: 'location' }),
    rawPointRow(owner, { ownerId, at: NOON, series: 'engine_state' }),
  ]
}

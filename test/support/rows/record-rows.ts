import type { Issue, SyncIssue } from '../../../src/subgraphs/connections/issues/issue.ts'
import { IssueCode } from '../../../src/subgraphs/connections/issues/issue-code.ts'
import { IssueStatus } from '../../../src/subgraphs/connections/issues/issue.ts'
import { type Trailer, TrailerStatus } from '../../../src/subgraphs/fleet/trailer.ts'
import { newId } from '../../../src/domain/ids.ts'
import {
  type FaultCodeEvent,
  FaultCodeProtocol,
  FaultCodeStatus,
  MilStatus,
} from '../../../src/subgraphs/records/fault-code-event.ts'
import type { HosAvailableTime } from '../../../src/subgraphs/records/hos/hos-available-time.ts'
import type { HosDailyLog } from '../../../src/subgraphs/records/hos/hos-daily-log.ts'
import type { HosLog } from '../../../src/subgraphs/records/hos/hos-log.ts'
import type { IftaVehicleMonth } from '../../../src/subgraphs/records/totals/ifta-summary.ts'
import type { DailyUtilization } from '../../../src/subgraphs/records/totals/daily-utilization.ts'
import type { RawPoint } from '../../../src/subgraphs/tables/raw-record.ts'
import type { VehicleStatLog } from '../../../src/subgraphs/telemetry/stat-log.ts'
import type { LatestTrailerLocation } from '../../../src/subgraphs/telemetry/trailer-location.ts'
import { asRow, DAY, MINUTE, NOON, type Owner, sourced } from '../factories.ts'

/** More rows for tests: each factory fills in all values that a test does not set. */

const HOUR = 60 * MINUTE

export const trailerRow = (owner: Owner, values: Partial<Trailer> = {}): Trailer =>
  asRow<Trailer>({
    ...sourced('trailer', owner),
    status: TrailerStatus.ACTIVE,
    name: 'T-1',
    vin: '1UYVS2538AU901234',
    serialNumber: 'S-T1',
    make: 'Utility',
    model: '3000R',
    year: 2019,
    groupIds: [],
    licensePlateState: 'TX',
    licensePlateNumber: 'TR 1',
    createdAt: NOON - 300 * DAY,
    updatedAt: null,
    ...values,
  })

export const latestTrailerLocationRow = (
  owner: Owner,
  values: Partial<LatestTrailerLocation> & { trailerId: string },
): LatestTrailerLocation =>
  asRow<LatestTrailerLocation>({
    ...owner,
    provider: 'sandbox',
    locatedAt: NOON,
    longitude: -97.7,
    latitude: 30.3,
    addressText: 'Yard 4, Austin, TX',
    heading: 10,
    speed: 0,
    modifiedAt: NOON,
    ...values,
  })

export const hosLogRow = (owner: Owner, values: Partial<HosLog> & { driverId: string }): HosLog =>
  asRow<HosLog>({
    ...sourced('hosLog', owner),
    status: 'sleeper_bed',
    vehicleId: null,
    codriverIds: [],
    startedAt: NOON - DAY,
    endedAt: NOON - DAY + HOUR,
    longitude: -97.7,
    latitude: 30.3,
    remarks: [],
    ...values,
  })

export const hosDailyLogRow = (
  owner: Owner,
  values: Partial<HosDailyLog> & { driverId: string },
): HosDailyLog =>
  asRow<HosDailyLog>({
    ...sourced('hosDailyLog', owner),
    date: '2026-01-30',
    onDuty: 2 * HOUR,
    offDuty: 10 * HOUR,
    driving: 8 * HOUR,
    waiting: 0,
    sleeperBed: 4 * HOUR,
    personalConveyance: null,
    yardMove: null,
    totalDistance: 700.5,
    drivingDistance: 690,
    personalConveyanceDistance: null,
    yardMoveDistance: null,
    ...values,
  })

export const hosAvailableTimeRow = (
  owner: Owner,
  values: Partial<HosAvailableTime> & { driverId: string },
): HosAvailableTime =>
  asRow<HosAvailableTime>({
    ...owner,
    provider: 'sandbox',
    cycle: 50 * HOUR,
    shift: 9 * HOUR,
    drive: 6 * HOUR,
    break: 2 * HOUR,
    currentStatus: 'driving',
    modifiedAt: NOON,
    ...values,
  })

export const faultCodeRow = (
  owner: Owner,
  values: Partial<FaultCodeEvent> & { vehicleId: string },
): FaultCodeEvent =>
  asRow<FaultCodeEvent>({
    ...sourced('faultCodeEvent', owner),
    protocol: FaultCodeProtocol.J1939,
    status: FaultCodeStatus.OPEN,
    code: 'SPN100-FMI1',
    description: 'Engine oil pressure: below normal',
    observedAt: NOON - DAY,
    milStatus: MilStatus.ON,
    spn: 100,
    spnDescription: 'Engine oil pressure',
    fmi: 1,
    fmiDescription: 'Below normal',
    occurrenceCount: 3,
    sourceAddress: 0,
    ...values,
  })

/** Returns a fault of a light vehicle. */
export const obdiiRow = (
  owner: Owner,
  values: Partial<FaultCodeEvent> & { vehicleId: string },
): FaultCodeEvent =>
  faultCodeRow(owner, {
    protocol: FaultCodeProtocol.OBDII,
    code: 'P0087',
    description: 'Fuel rail pressure too low',
    milStatus: null,
    spn: null,
    spnDescription: null,
    fmi: null,
    fmiDescription: null,
    occurrenceCount: null,
    sourceAddress: null,
    ...values,
  })

export const vehicleDayRow = (
  owner: Owner,
  values: Partial<DailyUtilization> & { vehicleId: string },
): DailyUtilization =>
  asRow<DailyUtilization>({
    ...sourced('vehicleDay', owner),
    date: '2026-01-30',
    distance: 500.25,
    fuelConsumed: 150,
    driving: 8 * HOUR,
    idling: HOUR,
    ...values,
  })

export const iftaMonthRow = (
  owner: Owner,
  values: Partial<IftaVehicleMonth> & { vehicleId: string },
): IftaVehicleMonth =>
  asRow<IftaVehicleMonth>({
    ...sourced('iftaReport', owner),
    jurisdiction: 'TX',
    month: '2026-01',
    distance: 1200.5,
    ...values,
  })

export const statRow = (
  owner: Owner,
  values: Partial<VehicleStatLog> & { vehicleId: string },
): VehicleStatLog =>
  asRow<VehicleStatLog>({
    ...owner,
    provider: 'sandbox',
    timestamp: NOON - DAY,
    type: 'odometer',
    sourceId: null,
    value: 1000,
    state: null,
    modifiedAt: NOON - DAY,
    ...values,
  })

export const rawPointRow = (
  owner: Owner,
  values: Partial<RawPoint> & { ownerId: string; at: number },
): RawPoint => ({
  ...owner,
  series: 'location',
  provider: 'sandbox',
  schemaName: 'point',
  extractedAt: NOON - DAY,
  data: { at: 'noon' },
  ...values,
})

export const issueRow = (owner: Owner, values: Partial<Issue> = {}): Issue =>
  asRow<Issue>({
    id: newId('issue'),
    ...owner,
    status: IssueStatus.ONGOING,
    code: IssueCode.PERMISSION_MISSING,
    model: 'Driver',
    message: 'The account may not read drivers.',
    firstReportedAt: NOON - 3 * DAY,
    lastReportedAt: NOON - DAY,
    ...values,
  })

export const syncIssueRow = (owner: Owner, syncId: string, issueId: string): SyncIssue => ({
  syncId,
  issueId,
  ...owner,
  records: 2,
  readFrom: null,
})

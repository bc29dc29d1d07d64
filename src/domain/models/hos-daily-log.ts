import { defineModel, exampleId } from './define-model.ts'
import { lookbackDays } from './lookback.ts'
import { kilometers, milliseconds } from './value-ranges.ts'

export interface NormalizedHosDailyLog {
  readonly sourceId: string
  readonly driverSourceId: string
  /** YYYY-MM-DD in the time zone of the driver's home terminal. */
  readonly date: string
  readonly onDutyMilliseconds: number | null
  readonly offDutyMilliseconds: number | null
  readonly drivingMilliseconds: number | null
  readonly waitingMilliseconds: number | null
  readonly sleeperBedMilliseconds: number | null
  readonly personalConveyanceMilliseconds: number | null
  readonly yardMoveMilliseconds: number | null
  readonly totalKilometers: number | null
  readonly drivingKilometers: number | null
  readonly personalConveyanceKilometers: number | null
  readonly yardMoveKilometers: number | null
}

export const hosDailyLogModel = defineModel<NormalizedHosDailyLog>()({
  name: 'HOSDailyLog',
  read: 'sync',
  id: { kind: 'hosDailyLog', prefix: 'hos_day' },
  node: { typeName: 'HosDailyLog', table: 'hos_daily_logs' },
  queryFields: ['hosDailyLog', 'hosDailyLogs'],
  scope: 'hos:read',
  sessionScope: 'READ_RECORDS',
  consentCategory: 'hours',
  owner: 'driver',
  lookback: lookbackDays(1),
  events: {
    prefix: 'hos_daily_log',
    member: 'hosDailyLog',
    types: {
      removed: { description: 'The provider no longer has a daily hours-of-service log.', optIn: true },
    },
    example: {
      driver: exampleId('drv'),
      date: '2026-01-31',
      statusDurations: { onDuty: 7_200_000, driving: 28_800_000, offDuty: 50_400_000 },
    },
  },
  ranges: {
    onDutyMilliseconds: milliseconds,
    offDutyMilliseconds: milliseconds,
    waitingMilliseconds: milliseconds,
    sleeperBedMilliseconds: milliseconds,
    personalConveyanceMilliseconds: milliseconds,
    yardMoveMilliseconds: milliseconds,
    totalKilometers: kilometers,
    drivingKilometers: kilometers,
    personalConveyanceKilometers: kilometers,
    yardMoveKilometers: kilometers,
  },
  required: {},
  columns: (normalized, resolveId) => ({
    driverId: resolveId('driver', normalized.driverSourceId),
    date: normalized.date,
    onDuty: normalized.onDutyMilliseconds,
    offDuty: normalized.offDutyMilliseconds,
    driving: normalized.drivingMilliseconds,
    waiting: normalized.waitingMilliseconds,
    sleeperBed: normalized.sleeperBedMilliseconds,
    personalConveyance: normalized.personalConveyanceMilliseconds,
    yardMove: normalized.yardMoveMilliseconds,
    totalDistance: normalized.totalKilometers,
    drivingDistance: normalized.drivingKilometers,
    personalConveyanceDistance: normalized.personalConveyanceKilometers,
    yardMoveDistance: normalized.yardMoveKilometers,
  }),
})

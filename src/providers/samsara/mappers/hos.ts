import type { z } from 'zod'
import { toIso } from '../../../domain/time.ts'
import type { NormalizedHosAvailableTime } from '../../../domain/models/hos-available-time.ts'
import type { NormalizedHosDailyLog } from '../../../domain/models/hos-daily-log.ts'
import type { HosStatus, NormalizedHosLog } from '../../../domain/models/hos-log.ts'
import type * as records from '../schemas/hos.ts'
import { createEnumMapping } from '../../mapping/enum-mapping.ts'
import { keyOf, toKilometers, toPlace } from './conversions.ts'

/** Logs have no status for waiting time, which is part of `onDuty`. */
const statusesOf = (field: `${string}.${string}`) =>
  createEnumMapping<HosStatus>('samsara', field, {
    offDuty: 'off_duty',
    sleeperBed: 'sleeper_bed',
    driving: 'driving',
    onDuty: 'on_duty',
    yardMove: 'yard_move',
    personalConveyance: 'personal_conveyance',
  })

const statuses = statusesOf('HOSLog.status')
const currentStatuses = statusesOf('HOSAvailableTime.currentStatus')

export function toHosLog({ driver, log, isOpen, ordinal }: z.infer<typeof records.hosLog>): NormalizedHosLog {
  return {
    sourceId: `${keyOf(driver.id, log.logStartTime)}${ordinal === undefined ? '' : `:${ordinal}`}`,
    status: statuses.orThrow(log.hosStatusType),
    driverSourceId: driver.id,
    vehicleSourceId: log.vehicle,
    codriverSourceIds: (log.codrivers ?? []).map(({ id }) => id),
    startedAt: log.logStartTime,
    endedAt: isOpen ? null : (log.logEndTime ?? null),
    location: toPlace(log.logRecordedLocation),
    remarks: log.remark === null ? [] : [{ notes: log.remark, sourceId: null, submittedAt: null }],
  }
}

export function toHosDailyLog(record: z.infer<typeof records.dailyLog>): NormalizedHosDailyLog {
  const { driver, dutyStatusDurations: durations, distanceTraveled: distance } = record
  const date = dateIn(driver.timezone, record.startTime)
  return {
    sourceId: `${driver.id}:${date}`,
    driverSourceId: driver.id,
    date,
    onDutyMilliseconds: durations?.onDutyDurationMs ?? null,
    offDutyMilliseconds: durations?.offDutyDurationMs ?? null,
    drivingMilliseconds: durations?.driveDurationMs ?? null,
    waitingMilliseconds: durations?.waitingTimeDurationMs ?? null,
    sleeperBedMilliseconds: durations?.sleeperBerthDurationMs ?? null,
    personalConveyanceMilliseconds: durations?.personalConveyanceDurationMs ?? null,
    yardMoveMilliseconds: durations?.yardMoveDurationMs ?? null,
    totalKilometers: null,
    drivingKilometers: toKilometers(distance?.driveDistanceMeters),
    personalConveyanceKilometers: toKilometers(distance?.personalConveyanceDistanceMeters),
    yardMoveKilometers: toKilometers(distance?.yardMoveDistanceMeters),
  }
}

/** Date that begins at a time in the time zone of the driver's home terminal; UTC if the zone is not known. */
function dateIn(timeZone: string | null, at: number): string {
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone: timeZone ?? 'UTC', dateStyle: 'short' }).format(at)
  } catch {
    return toIso(at).slice(0, 10)
  }
}

export const toHosAvailableTime = ({
  driver,
  currentDutyStatus,
  clocks,
}: z.infer<typeof records.clocks>): NormalizedHosAvailableTime => ({
  driverSourceId: driver.id,
  currentStatus: currentStatuses.orNull(currentDutyStatus?.hosStatusType),
  cycleMilliseconds: clocks?.cycle?.cycleRemainingDurationMs ?? null,
  shiftMilliseconds: clocks?.shift?.shiftRemainingDurationMs ?? null,
  driveMilliseconds: clocks?.drive?.driveRemainingDurationMs ?? null,
  breakMilliseconds: clocks?.break?.timeUntilBreakDurationMs ?? null,
})

import type { z } from 'zod'
import type { NormalizedHosAvailableTime } from '../../../domain/models/hos-available-time.ts'
import type { NormalizedHosDailyLog } from '../../../domain/models/hos-daily-log.ts'
import type { HosStatus, NormalizedHosLog } from '../../../domain/models/hos-log.ts'
import type * as records from '../schemas/hos.ts'
import { createEnumMapping } from '../../mapping/enum-mapping.ts'
import { secondsToDuration, toKilometers } from './conversions.ts'

const statusesOf = (field: `${string}.${string}`) =>
  createEnumMapping<HosStatus>('motive', field, {
    off_duty: 'off_duty',
    sleeper: 'sleeper_bed',
    driving: 'driving',
    on_duty: 'on_duty',
    waiting: 'waiting_time',
    yard_moves: 'yard_move',
    personal_conveyance: 'personal_conveyance',
  })

const statuses = statusesOf('HOSLog.status')
const currentStatuses = statusesOf('HOSAvailableTime.currentStatus')

/**
 * Maps an event of a daily log. The log lists the vehicles of the day, not of each event. The vehicle of an event is
 * therefore certain only if the log lists a single one.
 */
export function toHosLog({
  driver,
  vehicles,
  event,
  remarks,
}: z.infer<typeof records.logEvent>): NormalizedHosLog {
  const [first, ...others] = vehicles ?? []
  return {
    sourceId: event.id,
    status: statuses.orThrow(event.type),
    driverSourceId: driver.id,
    vehicleSourceId: first && others.length === 0 ? first.vehicle.id : null,
    codriverSourceIds: [],
    startedAt: event.start_time,
    endedAt: event.end_time ?? null,
    location: null,
    remarks: [
      ...(event.notes === null ? [] : [{ notes: event.notes, sourceId: null, submittedAt: null }]),
      ...(remarks ?? []).flatMap(({ remark: { notes, id, time } }) =>
        notes === null ? [] : [{ notes, sourceId: id ?? null, submittedAt: time ?? null }],
      ),
    ],
  }
}

export const toHosDailyLog = (log: z.infer<typeof records.dailyLog>): NormalizedHosDailyLog => ({
  sourceId: log.id,
  driverSourceId: log.driver.id,
  date: log.date,
  onDutyMilliseconds: secondsToDuration(log.on_duty_duration),
  offDutyMilliseconds: secondsToDuration(log.off_duty_duration),
  drivingMilliseconds: secondsToDuration(log.driving_duration),
  waitingMilliseconds: secondsToDuration(log.waiting_duration),
  sleeperBedMilliseconds: secondsToDuration(log.sleeper_duration),
  personalConveyanceMilliseconds: null,
  yardMoveMilliseconds: null,
  totalKilometers: toKilometers(log.total_miles, log.metric_units),
  drivingKilometers: null,
  personalConveyanceKilometers: null,
  yardMoveKilometers: null,
})

/** Maps the remaining times of a driver. An unknown duty status becomes null. */
export const toHosAvailableTime = ({
  id,
  duty_status: status,
  available_time: remaining,
}: z.infer<typeof records.availableTime>): NormalizedHosAvailableTime => ({
  driverSourceId: id,
  currentStatus: currentStatuses.orNull(status),
  cycleMilliseconds: secondsToDuration(remaining?.cycle),
  shiftMilliseconds: secondsToDuration(remaining?.shift),
  driveMilliseconds: secondsToDuration(remaining?.drive),
  breakMilliseconds: secondsToDuration(remaining?.break),
})

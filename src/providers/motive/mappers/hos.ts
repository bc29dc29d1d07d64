import type { z } from 'zod'
import type { NormalizedHosAvailableTime } from '../../../domain/models/hos-available-time.ts'
import type { NormalizedHosDailyLog } from '../../../domain/models/hos-daily-log.ts'
import type { HosStatus, NormalizedHosLog } from '../../../domain/models/hos-log.ts'
import type * as records from '../schemas/hos.ts'
import { createEnumMapping } from '../../mapping/enum-mapping.ts'
import { secondsToTime, toKilometers } from './conversions.ts'

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
 * Maps an event of a log. A log lists the vehicles of its day, not of each event: the vehicle is certain only
 * if there is one.
 */
export function toHosLog({
  driver,
  vehicles,
  event,
  remarks,
}: z.infer<typeof records.logEvent>): NormalizedHosLog {
  const [first, ...others] = vehicles
  return {
    sourceId: event.id,
    status: statuses.needed(event.type),
    driverSourceId: driver.id,
    vehicleSourceId: first && others.length === 0 ? first.vehicle.id : null,
    codriverSourceIds: [],
    startedAt: event.start_time,
    endedAt: event.end_time ?? null,
    location: null,
    remarks: [
      ...(event.notes === null ? [] : [{ notes: event.notes, sourceId: null, submittedAt: null }]),
      ...remarks.flatMap(({ remark: { notes, id, time } }) =>
        notes === null ? [] : [{ notes, sourceId: id ?? null, submittedAt: time ?? null }],
      ),
    ],
  }
}

export const toHosDailyLog = (log: z.infer<typeof records.dailyLog>): NormalizedHosDailyLog => ({
  sourceId: log.id,
  driverSourceId: log.driver.id,
  date: log.date,
  onDutyMilliseconds: secondsToTime(log.on_duty_duration),
  offDutyMilliseconds: secondsToTime(log.off_duty_duration),
  drivingMilliseconds: secondsToTime(log.driving_duration),
  waitingMilliseconds: secondsToTime(log.waiting_duration),
  sleeperBedMilliseconds: secondsToTime(log.sleeper_duration),
  personalConveyanceMilliseconds: null,
  yardMoveMilliseconds: null,
  totalKilometers: toKilometers(log.total_miles, log.metric_units),
  drivingKilometers: null,
  personalConveyanceKilometers: null,
  yardMoveKilometers: null,
})

/** An unknown status does not affect the clocks. */
export const toHosAvailableTime = ({
  id,
  duty_status: status,
  available_time: remaining,
}: z.infer<typeof records.availableTime>): NormalizedHosAvailableTime => ({
  driverSourceId: id,
  currentStatus: currentStatuses.maybe(status),
  cycleMilliseconds: secondsToTime(remaining.cycle),
  shiftMilliseconds: secondsToTime(remaining.shift),
  driveMilliseconds: secondsToTime(remaining.drive),
  breakMilliseconds: secondsToTime(remaining.break),
})

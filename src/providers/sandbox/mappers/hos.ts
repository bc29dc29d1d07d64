import type { z } from 'zod'
import { secondsToMilliseconds } from '../../../domain/units.ts'
import type { NormalizedHosAvailableTime } from '../../../domain/models/hos-available-time.ts'
import type { NormalizedHosDailyLog } from '../../../domain/models/hos-daily-log.ts'
import type { HosStatus, NormalizedHosLog } from '../../../domain/models/hos-log.ts'
import type * as records from '../schemas/hos.ts'
import { createEnumMapping } from '../../mapping/enum-mapping.ts'
import { toKilometers, toPoint } from './conversions.ts'

/** Creates the mapping of duty statuses for a field. */
const statusMappingFor = (field: `${string}.${string}`) =>
  createEnumMapping<HosStatus>('sandbox', field, {
    off_duty: 'off_duty',
    sleeper_berth: 'sleeper_bed',
    driving: 'driving',
    on_duty: 'on_duty',
    yard_move: 'yard_move',
    personal_conveyance: 'personal_conveyance',
    well_site_waiting: 'waiting_time',
  })

const statuses = statusMappingFor('HOSLog.status')
const currentStatuses = statusMappingFor('HOSAvailableTime.currentStatus')

export const toHosLog = (record: z.infer<typeof records.hosLog>): NormalizedHosLog => ({
  sourceId: record.id,
  status: statuses.orThrow(record.status),
  driverSourceId: record.driverId,
  vehicleSourceId: record.vehicleId,
  codriverSourceIds: record.codriverIds,
  startedAt: record.startedAt,
  endedAt: record.endedAt,
  location: toPoint(record.location),
  remarks: record.remarks.map(({ id, text, at }) => ({ notes: text, sourceId: id, submittedAt: at })),
})

export const toHosDailyLog = ({
  id,
  driverId,
  date,
  seconds,
  miles,
}: z.infer<typeof records.dailyLog>): NormalizedHosDailyLog => ({
  sourceId: id,
  driverSourceId: driverId,
  date,
  onDutyMilliseconds: secondsToMilliseconds(seconds.onDuty),
  offDutyMilliseconds: secondsToMilliseconds(seconds.offDuty),
  drivingMilliseconds: secondsToMilliseconds(seconds.driving),
  waitingMilliseconds: secondsToMilliseconds(seconds.wellSiteWaiting),
  sleeperBedMilliseconds: secondsToMilliseconds(seconds.sleeperBerth),
  personalConveyanceMilliseconds: secondsToMilliseconds(seconds.personalConveyance),
  yardMoveMilliseconds: secondsToMilliseconds(seconds.yardMove),
  totalKilometers: toKilometers(miles.total),
  drivingKilometers: toKilometers(miles.driving),
  personalConveyanceKilometers: toKilometers(miles.personalConveyance),
  yardMoveKilometers: toKilometers(miles.yardMove),
})

export const toHosAvailableTime = ({
  driverId,
  status,
  remainingSeconds,
}: z.infer<typeof records.clocks>): NormalizedHosAvailableTime => ({
  driverSourceId: driverId,
  currentStatus: currentStatuses.orNull(status),
  cycleMilliseconds: secondsToMilliseconds(remainingSeconds.cycle),
  shiftMilliseconds: secondsToMilliseconds(remainingSeconds.shift),
  driveMilliseconds: secondsToMilliseconds(remainingSeconds.drive),
  breakMilliseconds: secondsToMilliseconds(remainingSeconds.break),
})

import { z } from 'zod'
import { type Instant, toIso } from '../../../../domain/time.ts'
import type { ProviderApi } from '../../../provider-api.ts'
import { parseParts } from '../../../mapping/readable-parts.ts'
import { validate } from '../../../mapping/validate.ts'
import type { NormalizedHosDailyLog } from '../../../../domain/models/hos-daily-log.ts'
import type { HosStatus } from '../../../../domain/models/hos-log.ts'
import type { Reader, ReaderState, TimeWindow } from '../../../provider.ts'
import { calendarOf, dateAfter } from '../../../../domain/calendar.ts'
import { zoneOf } from '../../time-zone.ts'
import { id, instant, text } from '../../schema-types.ts'
import { logsAround, type DriverLog } from './driver-logs.ts'
import { logSchema, dutyStatusOf } from './duty-schema.ts'
import { driversAfter } from '../drivers.ts'

/** All duty statuses of a driver that overlap a day, up to the time of the read. */
const daySchema = z.object({
  driver: id,
  date: z.string(),
  timeZone: z.string(),
  until: instant,
  dutyStatusLogs: z.array(logSchema),
})

/** MyGeotab has no daily logs. They are derived from duty statuses. Days are those of the driver's time zone. */
export const dailyLogReader: Reader<NormalizedHosDailyLog> = {
  mode: 'window',
  schema: 'DutyStatusLog',
  async read(api, state, window) {
    const { drivers, next } = await driversAfter(api, state)
    const readable = drivers.flatMap((record) => parseParts(driverSchema, record) ?? [])
    const slice = sliceOf(state, window)
    const records = await daysOf(api, readable, slice, window.to)
    return {
      records,
      next: slice.from > window.from ? previousSlice(slice, state, records.length > 0) : next,
    }
  },
  normalize(record) {
    const { driver, date, ...rest } = validate(daySchema, record)
    const durationOf = sumsOf({ date, ...rest })
    return {
      sourceId: `${driver}:${date}`,
      driverSourceId: driver,
      date,
      onDutyMilliseconds: durationOf('on_duty'),
      offDutyMilliseconds: durationOf('off_duty'),
      drivingMilliseconds: durationOf('driving'),
      waitingMilliseconds: durationOf('waiting_time'),
      sleeperBedMilliseconds: durationOf('sleeper_bed'),
      personalConveyanceMilliseconds: durationOf('personal_conveyance'),
      yardMoveMilliseconds: durationOf('yard_move'),
      totalKilometers: null,
      drivingKilometers: null,
      personalConveyanceKilometers: null,
      yardMoveKilometers: null,
    }
  },
}

type Day = Omit<z.infer<typeof daySchema>, 'driver'>

/** Duration of each status on the day. */
function sumsOf({ date, timeZone, until, dutyStatusLogs }: Day): (status: HosStatus) => number {
  const { startOf } = calendarOf(timeZone)
  const [begin, end] = [startOf(date), Math.min(startOf(dateAfter(date)), until)]
  const sums = new Map<HosStatus, number>()
  dutyStatusLogs.forEach((log, index) => {
    const from = Math.max(log.dateTime, begin)
    const to = Math.min(dutyStatusLogs[index + 1]?.dateTime ?? end, end)
    sums.set(dutyStatusOf(log), (sums.get(dutyStatusOf(log)) ?? 0) + Math.max(0, to - from))
  })
  return (status) => sums.get(status) ?? 0
}

const driverSchema = z.looseObject({ id, timeZoneId: text })

const DAY_MS = 86_400_000

/** Length of a slice of the window. All slices are read for a page of drivers, the newest first. */
const SLICE_MS = 32 * DAY_MS

const sliceState = z.looseObject({ to: z.number(), length: z.number() })

function sliceOf(state: ReaderState, { from, to }: TimeWindow): TimeWindow {
  const slice = sliceState.safeParse(state).data ?? { to, length: SLICE_MS }
  return { from: Math.max(from, slice.to - slice.length), to: slice.to }
}

/**
 * State of the slice that ends where this one begins. After an empty slice it is twice as long, because earlier
 * slices are probably empty too.
 */
const previousSlice = ({ from, to }: TimeWindow, state: ReaderState, hadRecords: boolean): ReaderState => ({
  ...state,
  to: from,
  length: hadRecords ? SLICE_MS : 2 * (to - from),
})

async function daysOf(
  api: ProviderApi,
  drivers: readonly z.infer<typeof driverSchema>[],
  slice: TimeWindow,
  now: Instant,
): Promise<unknown[]> {
  const { from } = slice
  // The last day may extend beyond the slice.
  const to = Math.min(now, slice.to + 2 * DAY_MS)
  const periods = drivers.map(({ id }) => ({ driver: id, from, to }))
  const logs = await logsAround(api, periods, { daysBefore: 1 })
  return drivers.flatMap(({ id, timeZoneId }, index) => {
    const timeZone = zoneOf(timeZoneId)
    return datesIn(timeZone, slice).flatMap((date) => {
      const started = (logs[index] ?? []).filter(({ log }) => log.dateTime < to)
      const records = logsOfDay(timeZone, date, started)
      if (records.length === 0) return []
      return [{ driver: id, date, timeZone, until: toIso(now), dutyStatusLogs: records }]
    })
  })
}

/** Dates that begin in a time range. */
function datesIn(timeZone: string, { from, to }: TimeWindow): string[] {
  const { dateAt, startOf } = calendarOf(timeZone)
  const dates: string[] = []
  for (let date = dateAt(from); startOf(date) < to; date = dateAfter(date))
    if (startOf(date) >= from) dates.push(date)
  return dates
}

/** Returns the status at the start of the day, and all statuses that begin during it. */
function logsOfDay(timeZone: string, date: string, logs: readonly DriverLog[]): unknown[] {
  const { startOf } = calendarOf(timeZone)
  const [begin, end] = [startOf(date), startOf(dateAfter(date))]
  const first = logs.findLastIndex(({ log }) => log.dateTime <= begin)
  return logs
    .slice(Math.max(0, first))
    .filter(({ log }) => log.dateTime < end)
    .map(({ record }) => record)
}

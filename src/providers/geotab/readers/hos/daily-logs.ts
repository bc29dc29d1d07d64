import { z } from 'zod'
import { type Instant, toIso } from '../../../../domain/time.ts'
import type { ProviderApi } from '../../../provider-api.ts'
import { validate } from '../../../mapping/validate.ts'
import type { NormalizedHosDailyLog, HosStatus } from '../../../normalized-records.ts'
import type { Reader, ReaderState, TimeWindow } from '../../../provider.ts'
import { dateAfter, daysInZone, zoneOf } from '../../time-zone.ts'
import { id, instant, text } from '../../schema-types.ts'
import { logsAround, type DriverLog } from './driver-logs.ts'
import { log, statusOf } from './duty-schema.ts'
import { driversAfter } from '../drivers.ts'

/** All statuses of a driver that last into a day, up to when it was read. */
const day = z.object({
  driver: id,
  date: z.string(),
  timeZone: z.string(),
  until: instant,
  dutyStatusLogs: z.array(log),
})

/** MyGeotab has no such record: days are what the statuses of a driver make them, in the driver's time zone. */
export const dailyLogReader: Reader<NormalizedHosDailyLog> = {
  mode: 'window',
  schema: 'DutyStatusLog',
  async read(api, state, window) {
    const { drivers, next } = await driversAfter(api, state)
    const known = drivers.flatMap((record) => driver.safeParse(record).data ?? [])
    const slice = sliceOf(state, window)
    const records = await daysOf(api, known, slice, window.to)
    return { records, next: slice.from > window.from ? before(slice, state, records.length > 0) : next }
  },
  normalize(record) {
    const { driver, date, ...told } = validate(day, record)
    const lasted = sumsOf({ date, ...told })
    return {
      sourceId: `${driver}:${date}`,
      driverSourceId: driver,
      date,
      onDutyMilliseconds: lasted('on_duty'),
      offDutyMilliseconds: lasted('off_duty'),
      drivingMilliseconds: lasted('driving'),
      waitingMilliseconds: lasted('waiting_time'),
      sleeperBedMilliseconds: lasted('sleeper_bed'),
      personalConveyanceMilliseconds: lasted('personal_conveyance'),
      yardMoveMilliseconds: lasted('yard_move'),
      totalKilometers: null,
      drivingKilometers: null,
      personalConveyanceKilometers: null,
      yardMoveKilometers: null,
    }
  },
}

type Day = Omit<z.infer<typeof day>, 'driver'>

/** How long each status lasted on the day. */
function sumsOf({ date, timeZone, until, dutyStatusLogs }: Day): (status: HosStatus) => number {
  const { startOf } = daysInZone(timeZone)
  const [begin, end] = [startOf(date), Math.min(startOf(dateAfter(date)), until)]
  const sums = new Map<HosStatus, number>()
  dutyStatusLogs.forEach((log, index) => {
    const from = Math.max(log.dateTime, begin)
    const to = Math.min(dutyStatusLogs[index + 1]?.dateTime ?? end, end)
    sums.set(statusOf(log), (sums.get(statusOf(log)) ?? 0) + Math.max(0, to - from))
  })
  return (status) => sums.get(status) ?? 0
}

const driver = z.looseObject({ id, timeZoneId: text })

const DAY_MS = 86_400_000

/** So much is read of so many drivers at once, the newest first. */
const SLICE_MS = 32 * DAY_MS

const place = z.looseObject({ to: z.number(), length: z.number() })

function sliceOf(state: ReaderState, { from, to }: TimeWindow): TimeWindow {
  const slice = place.safeParse(state).data ?? { to, length: SLICE_MS }
  return { from: Math.max(from, slice.to - slice.length), to: slice.to }
}

/** Where nothing was, more may be read at once: there may have been nothing before it either. */
const before = ({ from, to }: TimeWindow, state: ReaderState, wasSomething: boolean): ReaderState => ({
  ...state,
  to: from,
  length: wasSomething ? SLICE_MS : 2 * (to - from),
})

async function daysOf(
  api: ProviderApi,
  drivers: readonly z.infer<typeof driver>[],
  slice: TimeWindow,
  now: Instant,
): Promise<unknown[]> {
  const { from } = slice
  // The last day may go on after the slice.
  const to = Math.min(now, slice.to + 2 * DAY_MS)
  const stretches = drivers.map(({ id }) => ({ driver: id, from, to }))
  const logs = await logsAround(api, stretches, 1)
  return drivers.flatMap(({ id, timeZoneId }, index) => {
    const timeZone = zoneOf(timeZoneId)
    return datesIn(timeZone, slice).flatMap((date) => {
      const begun = (logs[index] ?? []).filter(({ log }) => log.dateTime < to)
      const records = lastingOn(timeZone, date, begun)
      if (records.length === 0) return []
      return [{ driver: id, date, timeZone, until: toIso(now), dutyStatusLogs: records }]
    })
  })
}

/** Those that begin in the window. */
function datesIn(timeZone: string, { from, to }: TimeWindow): string[] {
  const { dateAt, startOf } = daysInZone(timeZone)
  const dates: string[] = []
  for (let date = dateAt(from); startOf(date) < to; date = dateAfter(date))
    if (startOf(date) >= from) dates.push(date)
  return dates
}

/** The status that is there when the day begins, and all that begin on it. */
function lastingOn(timeZone: string, date: string, logs: readonly DriverLog[]): unknown[] {
  const { startOf } = daysInZone(timeZone)
  const [begin, end] = [startOf(date), startOf(dateAfter(date))]
  const first = logs.findLastIndex(({ log }) => log.dateTime <= begin)
  return logs
    .slice(Math.max(0, first))
    .filter(({ log }) => log.dateTime < end)
    .map(({ record }) => record)
}

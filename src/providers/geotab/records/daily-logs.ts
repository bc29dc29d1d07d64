import { z } from 'zod'
import { toIso } from '../../../time.ts'
import type { ProviderApi } from '../../api.ts'
import { checked } from '../../checked.ts'
import type { HosDailyLogDraft, HosStatus } from '../../drafts.ts'
import type { Reader, Window } from '../../provider.ts'
import { dateAfter, daysIn, zoneOf } from '../days.ts'
import { id, instant, text } from '../fields.ts'
import { log, logsAround, type Read, statusOf } from './duty-statuses.ts'
import { driversAfter } from './drivers.ts'

/** All statuses of a driver that last into a day, up to when it was read. */
const day = z.object({
  driver: id,
  date: z.string(),
  timeZone: z.string(),
  until: instant,
  dutyStatusLogs: z.array(log),
})

/** MyGeotab has no such record: days are what the statuses of a driver make them, in the driver's time zone. */
export const dailyLogReader: Reader<HosDailyLogDraft> = {
  mode: 'window',
  schema: 'DutyStatusLog',
  async read(api, state, window) {
    const { drivers, next } = await driversAfter(api, state)
    const known = drivers.flatMap((record) => driver.safeParse(record).data ?? [])
    return { records: await daysOf(api, known, window), next }
  },
  toDraft(record) {
    const { driver, date, ...told } = checked(day, record)
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
  const { startOf } = daysIn(timeZone)
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

async function daysOf(
  api: ProviderApi,
  drivers: readonly z.infer<typeof driver>[],
  { from, to }: Window,
): Promise<unknown[]> {
  const changed = drivers.map(({ id }) => ({ driver: id, from, to }))
  const logs = await logsAround(api, changed, 1)
  return drivers.flatMap(({ id, timeZoneId }, index) => {
    const timeZone = zoneOf(timeZoneId)
    return datesIn(timeZone, { from, to }).flatMap((date) => {
      const begun = (logs[index] ?? []).filter(({ log }) => log.dateTime < to)
      const records = lastingOn(timeZone, date, begun)
      if (records.length === 0) return []
      return [{ driver: id, date, timeZone, until: toIso(to), dutyStatusLogs: records }]
    })
  })
}

/** Those that begin in the window. */
function datesIn(timeZone: string, { from, to }: Window): string[] {
  const { dateAt, startOf } = daysIn(timeZone)
  const dates: string[] = []
  for (let date = dateAt(from); startOf(date) < to; date = dateAfter(date))
    if (startOf(date) >= from) dates.push(date)
  return dates
}

/** The status that is there when the day begins, and all that begin on it. */
function lastingOn(timeZone: string, date: string, logs: readonly Read[]): unknown[] {
  const { startOf } = daysIn(timeZone)
  const [begin, end] = [startOf(date), startOf(dateAfter(date))]
  const first = logs.findLastIndex(({ log }) => log.dateTime <= begin)
  return logs
    .slice(Math.max(0, first))
    .filter(({ log }) => log.dateTime < end)
    .map(({ record }) => record)
}

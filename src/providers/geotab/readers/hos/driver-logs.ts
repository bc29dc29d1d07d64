import { type Instant, toIso } from '../../../../domain/time.ts'
import type { ProviderApi } from '../../../provider-api.ts'
import { getForEach } from '../../api-calls.ts'
import { isCountedLog, log, type Log } from './duty-schema.ts'

const DAY_MS = 86_400_000

/** Period of a driver, with inclusive ends. */
export interface DriverPeriod {
  readonly driver: string
  readonly from: Instant
  readonly to: Instant
}

export interface DriverLog {
  readonly record: unknown
  readonly log: Log
}

/**
 * Reads logs from some days before each period. For a driver without a status then, reads from longer before.
 */
export async function logsAround(
  api: ProviderApi,
  periods: readonly DriverPeriod[],
  daysBefore: number,
): Promise<DriverLog[][]> {
  const before = (from: Instant) => from - daysBefore * DAY_MS
  const recent = await logsIn(
    api,
    periods.map((one) => ({ ...one, from: before(one.from) })),
  )
  const hasNoStatus = ({ from }: DriverPeriod, index: number) =>
    !recent[index]?.some(({ log }) => log.dateTime < from)
  const withoutStatus = periods.filter(hasNoStatus)
  const earlierPeriods = withoutStatus.map(({ driver, from }) => ({
    driver,
    from: from - 60 * DAY_MS,
    to: before(from) - 1,
  }))
  const earlier = new Map(
    (await logsIn(api, earlierPeriods)).map((logs, index) => [withoutStatus[index], logs]),
  )
  return periods.map((one, index) => [...(earlier.get(one) ?? []), ...(recent[index] ?? [])])
}

/** Days within which most drivers have a next status. */
const DAYS_AFTER = 4
/** Factor by which the search is extended repeatedly for the other drivers. */
const GROWTH = 4

/**
 * As `logsAround`, up to the status that ends the last one of each period. A driver without one is still in
 * that status.
 */
export async function logsToNext(
  api: ProviderApi,
  periods: readonly DriverPeriod[],
  now: Instant,
): Promise<DriverLog[][]> {
  const after = (to: Instant, days: number) => to + days * DAY_MS
  const extended = periods.map((one) => ({ ...one, to: after(one.to, DAYS_AFTER) }))
  const logs = new Map((await logsAround(api, extended, 3)).map((read, index) => [periods[index], read]))
  for (let days = DAYS_AFTER; ; days *= GROWTH) {
    const isEnded = (one: DriverPeriod) => logs.get(one)?.some(({ log }) => log.dateTime > one.to)
    const open = periods.filter((one) => after(one.to, days) < now && !isEnded(one))
    if (open.length === 0) return periods.map((one) => logs.get(one) ?? [])
    const later = open.map(({ driver, to }) => ({
      driver,
      from: after(to, days) + 1,
      to: after(to, days * GROWTH),
    }))
    for (const [index, read] of (await logsIn(api, later)).entries())
      logs.set(open[index], [...(logs.get(open[index]) ?? []), ...read])
  }
}

/** Valid logs in order of time. */
async function logsIn(api: ProviderApi, periods: readonly DriverPeriod[]): Promise<DriverLog[][]> {
  const searches = periods.map(({ driver, from, to }) => ({
    userSearch: { id: driver },
    fromDate: toIso(from),
    toDate: toIso(to),
  }))
  const found = await getForEach(api, 'DutyStatusLog', searches)
  return found.map(parseInOrder)
}

export const parseInOrder = (records: readonly unknown[]): DriverLog[] =>
  records
    .flatMap((record) => {
      const { data } = log.safeParse(record)
      return data && isCountedLog(data) ? [{ record, log: data }] : []
    })
    .toSorted((one, other) => one.log.dateTime - other.log.dateTime)

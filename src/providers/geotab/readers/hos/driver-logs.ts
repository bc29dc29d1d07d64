import { type Instant, toIso } from '../../../../domain/time.ts'
import type { ProviderApi } from '../../../provider-api.ts'
import { parseParts } from '../../../mapping/readable-parts.ts'
import { getForEach } from '../../api-calls.ts'
import { isValidLog, logSchema, type Log } from './duty-schema.ts'

const DAY_MS = 86_400_000

/** Driver and a period; both ends are inclusive. */
export interface DriverPeriod {
  readonly driver: string
  readonly from: Instant
  readonly to: Instant
}

export interface DriverLog {
  readonly record: unknown
  readonly log: Log
}

/** Days before a period in which the status at its start is searched, if no later log shows it. */
const MAX_DAYS_BEFORE = 60

/**
 * Reads the logs of each period, and those of some days before it, which show the status at its start. Only for
 * drivers without a log in these days, reads further back.
 */
export async function logsAround(
  api: ProviderApi,
  periods: readonly DriverPeriod[],
  { daysBefore }: { readonly daysBefore: number },
): Promise<DriverLog[][]> {
  const before = (from: Instant) => from - daysBefore * DAY_MS
  const recent = await readLogs(
    api,
    periods.map((period) => ({ ...period, from: before(period.from) })),
  )
  const hasNoStatus = ({ from }: DriverPeriod, index: number) =>
    !recent[index]?.some(({ log }) => log.dateTime < from)
  const withoutStatus = periods.filter(hasNoStatus)
  const earlierPeriods = withoutStatus.map(({ driver, from }) => ({
    driver,
    from: from - MAX_DAYS_BEFORE * DAY_MS,
    to: before(from) - 1,
  }))
  const earlier = new Map(
    (await readLogs(api, earlierPeriods)).map((logs, index) => [withoutStatus[index], logs]),
  )
  return periods.map((period, index) => [...(earlier.get(period) ?? []), ...(recent[index] ?? [])])
}

/** Days after a period within which most drivers have a next status. */
const DAYS_AFTER = 4
/** Factor by which the number of days grows in each further search, for drivers without a next status. */
const GROWTH = 4

/**
 * Like `logsAround`, but also reads the first log after each period, which ends the last status of the period. If
 * there is none up to `now`, the driver still has that status.
 */
export async function logsToNext(
  api: ProviderApi,
  periods: readonly DriverPeriod[],
  now: Instant,
): Promise<DriverLog[][]> {
  const after = (to: Instant, days: number) => to + days * DAY_MS
  const extended = periods.map((period) => ({ ...period, to: after(period.to, DAYS_AFTER) }))
  const found = await logsAround(api, extended, { daysBefore: 3 })
  const logs = new Map(found.map((logsOfPeriod, index) => [periods[index], logsOfPeriod]))
  for (let days = DAYS_AFTER; ; days *= GROWTH) {
    const isEnded = (period: DriverPeriod) => logs.get(period)?.some(({ log }) => log.dateTime > period.to)
    const open = periods.filter((period) => after(period.to, days) < now && !isEnded(period))
    if (open.length === 0) return periods.map((period) => logs.get(period) ?? [])
    const later = open.map(({ driver, to }) => ({
      driver,
      from: after(to, days) + 1,
      to: after(to, days * GROWTH),
    }))
    for (const [index, laterLogs] of (await readLogs(api, later)).entries())
      logs.set(open[index], [...(logs.get(open[index]) ?? []), ...laterLogs])
  }
}

/** Reads the valid logs of each period, in order of time. */
async function readLogs(api: ProviderApi, periods: readonly DriverPeriod[]): Promise<DriverLog[][]> {
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
      const data = parseParts(logSchema, record)
      return data && isValidLog(data) ? [{ record, log: data }] : []
    })
    .toSorted((one, other) => one.log.dateTime - other.log.dateTime)

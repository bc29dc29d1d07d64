import { type Instant, toIso } from '../../../../domain/time.ts'
import type { ProviderApi } from '../../../provider-api.ts'
import { parseParts } from '../../../mapping/readable-parts.ts'
import { memoizePerAccount } from '../../../http/memoize.ts'
import { get } from '../../api-calls.ts'
import { isValidLog, logSchema } from './duty-schema.ts'
import { parseInOrder, logsAround, logsToNext, type DriverLog, type DriverPeriod } from './driver-logs.ts'

const DAY_MS = 86_400_000

/**
 * Returns the duty periods that new or changed logs affect. A new log ends the status before it, so the result of each
 * driver includes that status.
 */
export async function dutyPeriodsSince(
  api: ProviderApi,
  records: readonly unknown[],
  now: Instant,
): Promise<DutyPeriod[]> {
  const ranges = changedRangesIn(records)
  const logs = await logsToNext(api, ranges, now)
  return ranges.flatMap((range, index) => dutyPeriodsIn(range, logs[index] ?? []))
}

/** Days in which the current status of a driver is searched first. */
const CURRENT_STATUS_DAYS = 8

/** Returns the log of the current status of each driver. Most are among the newest logs of the fleet. */
export async function currentStatuses(api: ProviderApi, drivers: readonly string[], now: Instant) {
  const known = new Map(await newestOf(api, now))
  const remaining = drivers.filter((driver) => !known.has(driver))
  const logs = await logsAround(
    api,
    remaining.map((driver) => ({ driver, from: now, to: now })),
    { daysBefore: CURRENT_STATUS_DAYS },
  )
  for (const [index, driver] of remaining.entries()) known.set(driver, logs[index]?.at(-1)?.record)
  return known
}

/** Maximum number of results that MyGeotab permits per call. */
const MAX_RESULTS = 50_000

/** Latest status of each driver in the last 24 hours. All pages of drivers need it, so it is read once. */
const newestOf = memoizePerAccount(
  async (api: ProviderApi, now: Instant): Promise<ReadonlyMap<string, unknown>> => {
    const search = { fromDate: toIso(now - DAY_MS) }
    const newest = parseInOrder(await get(api, 'DutyStatusLog', { search, resultsLimit: MAX_RESULTS }))
    return new Map(newest.map(({ log, record }) => [log.driver, record]))
  },
)

/** Returns one range per driver: from the earliest to the latest of these logs. */
function changedRangesIn(records: readonly unknown[]): DriverPeriod[] {
  const ranges = new Map<string, DriverPeriod>()
  for (const record of records) {
    const data = parseParts(logSchema, record)
    if (!data) continue
    const { driver, dateTime } = data
    const { from, to } = ranges.get(driver) ?? { from: dateTime, to: dateTime }
    ranges.set(driver, { driver, from: Math.min(from, dateTime), to: Math.max(to, dateTime) })
  }
  return [...ranges.values()]
}

/** Ids of logs that are not valid duty statuses. An edit can make a stored log invalid: its record is removed. */
export const invalidLogIds = (records: readonly unknown[]): string[] =>
  records.flatMap((record) => {
    const data = parseParts(logSchema, record)
    return data && !isValidLog(data) ? [data.id] : []
  })

/** Log of a duty status, with the time at which the status ended. */
export interface DutyPeriod extends DriverLog {
  /** Null if the driver still has the status. */
  readonly endedAt: number | null
}

function dutyPeriodsIn({ from, to }: DriverPeriod, logs: readonly DriverLog[]): DutyPeriod[] {
  const before = logs.findLastIndex(({ log }) => log.dateTime < from)
  return logs
    .map((entry, index) => ({ ...entry, endedAt: logs[index + 1]?.log.dateTime ?? null }))
    .slice(Math.max(0, before))
    .filter(({ log }) => log.dateTime <= to)
}

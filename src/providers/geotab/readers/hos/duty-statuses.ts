import { type Instant, toIso } from '../../../../domain/time.ts'
import type { ProviderApi } from '../../../provider-api.ts'
import { memoizePerAccount } from '../../../http/memoize.ts'
import { get } from '../../api-calls.ts'
import { isCountedLog, log } from './duty-schema.ts'
import { parseInOrder, logsAround, logsToNext, type DriverLog, type DriverPeriod } from './driver-logs.ts'

const DAY_MS = 86_400_000

/**
 * Returns the duty periods that changed. A new log ends the status before it, so the result starts one status
 * earlier.
 */
export async function dutyPeriodsSince(
  api: ProviderApi,
  records: readonly unknown[],
  now: Instant,
): Promise<DutyPeriod[]> {
  const changed = changedIn(records)
  const logs = await logsToNext(api, changed, now)
  return changed.flatMap((one, index) => dutyPeriodsIn(one, logs[index] ?? []))
}

/** Returns the current status record of each driver. Most are among the newest logs of the fleet. */
export async function currentStatuses(api: ProviderApi, drivers: readonly string[], now: Instant) {
  const known = new Map(await newestOf(api, now))
  const remaining = drivers.filter((driver) => !known.has(driver))
  const logs = await logsAround(
    api,
    remaining.map((driver) => ({ driver, from: now, to: now })),
    8,
  )
  for (const [index, driver] of remaining.entries()) known.set(driver, logs[index]?.at(-1)?.record)
  return known
}

/** Maximum number of results of a call. */
const MAX_RESULTS = 50_000

/** Latest status of each driver since yesterday. All pages of drivers need it, so it is read once. */
const newestOf = memoizePerAccount(
  async (api: ProviderApi, now: Instant): Promise<ReadonlyMap<string, unknown>> => {
    const search = { fromDate: toIso(now - DAY_MS) }
    const newest = parseInOrder(await get(api, 'DutyStatusLog', { search, resultsLimit: MAX_RESULTS }))
    return new Map(newest.map(({ log, record }) => [log.driver, record]))
  },
)

function changedIn(records: readonly unknown[]): DriverPeriod[] {
  const changed = new Map<string, DriverPeriod>()
  for (const record of records) {
    const { data } = log.safeParse(record)
    if (!data) continue
    const { driver, dateTime } = data
    const { from, to } = changed.get(driver) ?? { from: dateTime, to: dateTime }
    changed.set(driver, { driver, from: Math.min(from, dateTime), to: Math.max(to, dateTime) })
  }
  return [...changed.values()]
}

/** Ids of logs that are not valid duty statuses. */
export const discardedLogs = (records: readonly unknown[]): string[] =>
  records.flatMap((record) => {
    const { data } = log.safeParse(record)
    return data && !isCountedLog(data) ? [data.id] : []
  })

export interface DutyPeriod extends DriverLog {
  readonly endedAt: number | null
}

function dutyPeriodsIn({ from, to }: DriverPeriod, logs: readonly DriverLog[]): DutyPeriod[] {
  const before = logs.findLastIndex(({ log }) => log.dateTime < from)
  return logs
    .map((one, index) => ({ ...one, endedAt: logs[index + 1]?.log.dateTime ?? null }))
    .slice(Math.max(0, before))
    .filter(({ log }) => log.dateTime <= to)
}

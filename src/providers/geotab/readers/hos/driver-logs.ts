import { type Instant, toIso } from '../../../../domain/time.ts'
import type { ProviderApi } from '../../../provider-api.ts'
import { getForEach } from '../../api-calls.ts'
import { isCounted, log, type Log } from './duty-schema.ts'

const DAY_MS = 86_400_000

/** A time of a driver; both ends are in it. */
export interface DriverPeriod {
  readonly driver: string
  readonly from: Instant
  readonly to: Instant
}

export interface DriverLog {
  readonly record: unknown
  readonly log: Log
}

/** From a little before; of who has no status then, from longer before. */
export async function logsAround(
  api: ProviderApi,
  stretches: readonly DriverPeriod[],
  daysBefore: number,
): Promise<DriverLog[][]> {
  const before = (from: Instant) => from - daysBefore * DAY_MS
  const near = await logsIn(
    api,
    stretches.map((one) => ({ ...one, from: before(one.from) })),
  )
  const isAlone = ({ from }: DriverPeriod, index: number) =>
    !near[index]?.some(({ log }) => log.dateTime < from)
  const alone = stretches.filter(isAlone)
  const longBefore = alone.map(({ driver, from }) => ({
    driver,
    from: from - 60 * DAY_MS,
    to: before(from) - 1,
  }))
  const far = new Map((await logsIn(api, longBefore)).map((logs, index) => [alone[index], logs]))
  return stretches.map((one, index) => [...(far.get(one) ?? []), ...(near[index] ?? [])])
}

/** Of most the next status begins within so many days. */
const DAYS_AFTER = 4
/** Of who has none then, so many times as much is asked for, again and again. */
const LONGER = 4

/** The same, up to the status that ends the last of each stretch: those who have none until now are in it still. */
export async function logsToNext(
  api: ProviderApi,
  stretches: readonly DriverPeriod[],
  now: Instant,
): Promise<DriverLog[][]> {
  const after = (to: Instant, days: number) => to + days * DAY_MS
  const asked = stretches.map((one) => ({ ...one, to: after(one.to, DAYS_AFTER) }))
  const logs = new Map((await logsAround(api, asked, 3)).map((read, index) => [stretches[index], read]))
  for (let days = DAYS_AFTER; ; days *= LONGER) {
    const isEnded = (one: DriverPeriod) => logs.get(one)?.some(({ log }) => log.dateTime > one.to)
    const open = stretches.filter((one) => after(one.to, days) < now && !isEnded(one))
    if (open.length === 0) return stretches.map((one) => logs.get(one) ?? [])
    const later = open.map(({ driver, to }) => ({
      driver,
      from: after(to, days) + 1,
      to: after(to, days * LONGER),
    }))
    for (const [index, read] of (await logsIn(api, later)).entries())
      logs.set(open[index], [...(logs.get(open[index]) ?? []), ...read])
  }
}

/** Those that count, in the order of time. */
async function logsIn(api: ProviderApi, stretches: readonly DriverPeriod[]): Promise<DriverLog[][]> {
  const searches = stretches.map(({ driver, from, to }) => ({
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
      return data && isCounted(data) ? [{ record, log: data }] : []
    })
    .toSorted((one, other) => one.log.dateTime - other.log.dateTime)

import { type Instant, toIso } from '../../../time.ts'
import type { ProviderApi } from '../../api.ts'
import { askedOnce } from '../../asked-once.ts'
import { get } from '../calls.ts'
import { counts, log } from './duty-log.ts'
import { inOrder, logsAround, logsToNext, type Read, type Stretch } from './driver-logs.ts'

const DAY_MS = 86_400_000

/** Whatever is new ends the status before it, so of each driver all is told from there to the last that is new. */
export async function lastingSince(
  api: ProviderApi,
  records: readonly unknown[],
  now: Instant,
): Promise<Lasting[]> {
  const changed = changedIn(records)
  const logs = await logsToNext(api, changed, now)
  return changed.flatMap((one, index) => lastingIn(one, logs[index] ?? []))
}

/** The status that each driver is in, as it was told; by their ids. Of most it is among the newest of the fleet's. */
export async function currentOf(api: ProviderApi, drivers: readonly string[], now: Instant) {
  const known = new Map(await newestOf(api, now))
  const others = drivers.filter((driver) => !known.has(driver))
  const logs = await logsAround(
    api,
    others.map((driver) => ({ driver, from: now, to: now })),
    8,
  )
  for (const [index, driver] of others.entries()) known.set(driver, logs[index]?.at(-1)?.record)
  return known
}

/** More are not given at once. */
const MOST = 50_000

/** What each driver of the fleet was last in since yesterday; the fleet is read in pages, all of which need it. */
const newestOf = askedOnce(async (api: ProviderApi, now: Instant): Promise<ReadonlyMap<string, unknown>> => {
  const search = { fromDate: toIso(now - DAY_MS) }
  const newest = inOrder(await get(api, 'DutyStatusLog', { search, resultsLimit: MOST }))
  return new Map(newest.map(({ log, record }) => [log.driver, record]))
})

function changedIn(records: readonly unknown[]): Stretch[] {
  const changed = new Map<string, Stretch>()
  for (const record of records) {
    const { data } = log.safeParse(record)
    if (!data) continue
    const { driver, dateTime } = data
    const { from, to } = changed.get(driver) ?? { from: dateTime, to: dateTime }
    changed.set(driver, { driver, from: Math.min(from, dateTime), to: Math.max(to, dateTime) })
  }
  return [...changed.values()]
}

/** Those that no longer count, or never did. */
export const withoutCount = (records: readonly unknown[]): string[] =>
  records.flatMap((record) => {
    const { data } = log.safeParse(record)
    return data && !counts(data) ? [data.id] : []
  })

export interface Lasting extends Read {
  readonly endedAt: number | null
}

function lastingIn({ from, to }: Stretch, logs: readonly Read[]): Lasting[] {
  const before = logs.findLastIndex(({ log }) => log.dateTime < from)
  return logs
    .map((one, index) => ({ ...one, endedAt: logs[index + 1]?.log.dateTime ?? null }))
    .slice(Math.max(0, before))
    .filter(({ log }) => log.dateTime <= to)
}

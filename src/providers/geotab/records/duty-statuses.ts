import { z } from 'zod'
import { toIso } from '../../../time.ts'
import type { ProviderApi } from '../../api.ts'
import type { HosStatus } from '../../drafts.ts'
import { noneOfOurs, vocabulary } from '../../vocabulary.ts'
import { get, getEach } from '../calls.ts'
import { id, instant, maybeReference, point, reference, references } from '../fields.ts'

const DAY_MS = 86_400_000

/** Logs of signing in, of certifying and of what ends or exempts a status: they begin none. */
const others =
  noneOfOurs(`Authority Login Logoff Certify EnginePowerup EngineShutdown EnginePowerupPC EngineShutdownPC
  INT_CoDriver INT_D AdverseWeather Exemption16H ExemptionOffDutyDeferral RailroadExemption WorkExemption
  SituationalDrivingClear`)

const statuses = vocabulary<HosStatus>('geotab', 'HOSLog.status', {
  ...others,
  OFF: 'off_duty',
  SB: 'sleeper_bed',
  D: 'driving',
  ON: 'on_duty',
  YM: 'yard_move',
  PC: 'personal_conveyance',
  WT: 'waiting_time',
})

export const log = z.looseObject({
  id,
  status: z.string(),
  driver: reference,
  device: maybeReference,
  dateTime: instant,
  isIgnored: z.boolean().nullish(),
  eventRecordStatus: z.number().nullish(),
  coDrivers: references,
  location: z.looseObject({ location: point.nullish() }).nullish(),
  annotations: z.array(z.unknown()).nullish(),
})

export type Log = z.infer<typeof log>

export const statusOf = ({ status }: Log): HosStatus => statuses.needed(status)

/** What was edited away is ignored, or no longer of record status 1. */
const counts = ({ status, isIgnored, eventRecordStatus }: Log): boolean =>
  statuses.maybe(status) !== null && isIgnored !== true && (eventRecordStatus ?? 1) === 1

/** A time in which logs of a driver are new or have changed. */
interface Changed {
  readonly driver: string
  readonly from: number
  readonly to: number
}

/** Whatever is new ends the status before it, so of each driver all is told from there to the last that is new. */
export async function lastingSince(api: ProviderApi, records: readonly unknown[]): Promise<Lasting[]> {
  const changed = changedIn(records)
  const logs = await logsAround(api, changed, 3)
  return changed.flatMap((one, index) => lastingIn(one, logs[index] ?? []))
}

/** The status that each driver is in, as it was told; by their ids. Of most it is among the newest of the fleet's. */
export async function currentOf(api: ProviderApi, drivers: readonly string[], now: number) {
  const search = { fromDate: toIso(now - DAY_MS) }
  const newest = inOrder(await get(api, 'DutyStatusLog', { search, resultsLimit: MOST }))
  const known = new Map(newest.map(({ log, record }) => [log.driver, record]))
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

/** From a little before; of who has no status then, from longer before. */
export async function logsAround(api: ProviderApi, changed: readonly Changed[], daysBefore: number) {
  const near = await logsSince(api, changed, daysBefore)
  const isAlone = ({ from }: Changed, index: number) => !near[index]?.some(({ log }) => log.dateTime < from)
  const alone = changed.filter(isAlone)
  const far = new Map((await logsSince(api, alone, 60)).map((logs, index) => [alone[index], logs]))
  return changed.map((one, index) => far.get(one) ?? near[index] ?? [])
}

function changedIn(records: readonly unknown[]): Changed[] {
  const changed = new Map<string, Changed>()
  for (const record of records) {
    const { data } = log.safeParse(record)
    if (!data) continue
    const { driver, dateTime } = data
    const { from, to } = changed.get(driver) ?? { from: dateTime, to: dateTime }
    changed.set(driver, { driver, from: Math.min(from, dateTime), to: Math.max(to, dateTime) })
  }
  return [...changed.values()]
}

export interface Read {
  readonly record: unknown
  readonly log: Log
}

/** Those that count, in the order of time. */
async function logsSince(
  api: ProviderApi,
  changed: readonly Changed[],
  daysBefore: number,
): Promise<Read[][]> {
  const searches = changed.map(({ driver, from }) => ({
    userSearch: { id: driver },
    fromDate: toIso(from - daysBefore * DAY_MS),
  }))
  const found = await getEach(api, 'DutyStatusLog', searches)
  return found.map(inOrder)
}

const inOrder = (records: readonly unknown[]): Read[] =>
  records
    .flatMap((record) => {
      const { data } = log.safeParse(record)
      return data && counts(data) ? [{ record, log: data }] : []
    })
    .toSorted((one, other) => one.log.dateTime - other.log.dateTime)

/** Those that no longer count, or never did. */
export const withoutCount = (records: readonly unknown[]): string[] =>
  records.flatMap((record) => {
    const { data } = log.safeParse(record)
    return data && !counts(data) ? [data.id] : []
  })

export interface Lasting extends Read {
  readonly endedAt: number | null
}

function lastingIn({ from, to }: Changed, logs: readonly Read[]): Lasting[] {
  const before = logs.findLastIndex(({ log }) => log.dateTime < from)
  return logs
    .map((one, index) => ({ ...one, endedAt: logs[index + 1]?.log.dateTime ?? null }))
    .slice(Math.max(0, before))
    .filter(({ log }) => log.dateTime <= to)
}

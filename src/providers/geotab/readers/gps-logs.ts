import { z } from 'zod'
import { type Instant, toIso } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { hasValidCoordinates, latitude, longitude } from '../../mapping/valid-coordinates.ts'
import { readForEach } from '../api-calls.ts'
import { instant } from '../schema-types.ts'

/** Device and a period; both ends are inclusive. */
export interface DevicePeriod {
  readonly device: string
  readonly from: Instant
  readonly to: Instant
}

export const logRecord = z.looseObject({ dateTime: instant, latitude, longitude })

export interface GpsLog extends z.infer<typeof logRecord> {
  /** Record as MyGeotab sent it. */
  readonly record: unknown
}

/** Periods of a device that start within this time form a span. One search finds the positions of a whole span. */
const SPAN_MS = 10 * 86_400_000

/** Returns the positions of each period, in order of time. */
export async function readGpsLogs(api: ProviderApi, periods: readonly DevicePeriod[]): Promise<GpsLog[][]> {
  const spans = spansOf(periods)
  const searches = spans.map((span) => ({
    deviceSearch: { id: span[0].device },
    fromDate: toIso(span[0].from),
    toDate: toIso(Math.max(...span.map(({ to }) => to))),
  }))
  const found = await readForEach(api, 'LogRecord', searches, (records, index) => {
    const logs = parseLogs(records)
    const logsIn = ({ from, to }: DevicePeriod) => logs.filter(({ dateTime: at }) => at >= from && at <= to)
    return spans[index]?.map((period) => [period, logsIn(period)] as const) ?? []
  })
  const byPeriod = new Map<DevicePeriod, GpsLog[]>()
  for (const [period, logs] of found.flat()) byPeriod.set(period, [...(byPeriod.get(period) ?? []), ...logs])
  return periods.map((period) => byPeriod.get(period) ?? [])
}

type Span = [DevicePeriod, ...DevicePeriod[]]

function spansOf(periods: readonly DevicePeriod[]): Span[] {
  const spans = new Map<string, Span[]>()
  for (const period of periods.toSorted((one, other) => one.from - other.from)) {
    const known = spans.get(period.device) ?? []
    const last = known.at(-1)
    if (last && period.from - last[0].from < SPAN_MS) last.push(period)
    else spans.set(period.device, [...known, [period]])
  }
  return [...spans.values()].flat()
}

const parseLogs = (records: readonly unknown[]): GpsLog[] =>
  records
    .filter(hasValidCoordinates)
    .flatMap((record) => {
      const { data } = logRecord.safeParse(record)
      return data ? [{ ...data, record }] : []
    })
    .toSorted((one, other) => one.dateTime - other.dateTime)

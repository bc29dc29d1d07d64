import { z } from 'zod'
import { type Instant, toIso } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { hasValidCoordinates } from '../../mapping/valid-coordinates.ts'
import { readForEach } from '../api-calls.ts'
import { instant, latitude, longitude } from '../schema-types.ts'

/** A time in which the places of a device are asked for; both ends are in it. */
export interface DevicePeriod {
  readonly device: string
  readonly from: Instant
  readonly to: Instant
}

export const logRecord = z.looseObject({ dateTime: instant, latitude, longitude })

export interface GpsLog extends z.infer<typeof logRecord> {
  /** As it was told. */
  readonly record: unknown
}

/** So much of one device's track is read at once: one search finds the places of all that happened in some days. */
const SPAN_MS = 10 * 86_400_000

/** Where devices were in each stretch, in their order and in that of time. */
export async function gpsLogsIn(api: ProviderApi, stretches: readonly DevicePeriod[]): Promise<GpsLog[][]> {
  const spans = spansOf(stretches)
  const searches = spans.map((span) => ({
    deviceSearch: { id: span[0].device },
    fromDate: toIso(span[0].from),
    toDate: toIso(Math.max(...span.map(({ to }) => to))),
  }))
  const found = await readForEach(api, 'LogRecord', searches, (records, index) => {
    const logs = placesIn(records)
    const isIn = ({ from, to }: DevicePeriod) => logs.filter(({ dateTime: at }) => at >= from && at <= to)
    return spans[index]?.map((stretch) => [stretch, isIn(stretch)] as const) ?? []
  })
  const known = new Map<DevicePeriod, GpsLog[]>()
  for (const [stretch, logs] of found.flat()) known.set(stretch, [...(known.get(stretch) ?? []), ...logs])
  return stretches.map((stretch) => known.get(stretch) ?? [])
}

type Span = [DevicePeriod, ...DevicePeriod[]]

function spansOf(stretches: readonly DevicePeriod[]): Span[] {
  const spans = new Map<string, Span[]>()
  for (const stretch of stretches.toSorted((one, other) => one.from - other.from)) {
    const known = spans.get(stretch.device) ?? []
    const last = known.at(-1)
    if (last && stretch.from - last[0].from < SPAN_MS) last.push(stretch)
    else spans.set(stretch.device, [...known, [stretch]])
  }
  return [...spans.values()].flat()
}

const placesIn = (records: readonly unknown[]): GpsLog[] =>
  records
    .filter(hasValidCoordinates)
    .flatMap((record) => {
      const { data } = logRecord.safeParse(record)
      return data ? [{ ...data, record }] : []
    })
    .toSorted((one, other) => one.dateTime - other.dateTime)

import { z } from 'zod'
import { type Instant, toIso } from '../../domain/time.ts'
import type { ProviderApi } from '../provider-api.ts'
import { validate } from '../mapping/validate.ts'
import { hasValidCoordinates } from '../mapping/valid-coordinates.ts'
import type { Reader, ReaderState, ReadPage, TimeWindow } from '../provider.ts'
import { shorterPeriod } from './error-mapping.ts'
import * as records from './schemas.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A whole list at once. */
export const fullListReader = <Shape extends z.ZodType, Draft>(
  path: string,
  schema: string,
  shape: Shape,
  toDraft: (record: z.infer<Shape>) => Draft,
  isRead: (record: unknown) => boolean = () => true,
): Reader<Draft> => ({
  mode: 'full',
  schema,
  read: async (api) => ({ records: (await listAt(api, path)).filter(isRead), next: null }),
  normalize: (record) => toDraft(validate(shape, record)),
})

const list = z.array(z.unknown())

export const listAt = async (
  api: ProviderApi,
  path: string,
  query: Parameters<ProviderApi['get']>[1] = {},
): Promise<unknown[]> => validate(list, await api.get(path, query))

/** Which devices are still to be asked for, from when on, and how many days at once. */
interface SliceCursor {
  readonly ids: readonly number[]
  readonly from: number
  readonly days: number
  /** The longest period to ask for, of a server that has refused a longer one. */
  readonly mostMs?: number
}

/** Devices and a time, and how much more is looked at before and after it. */
export interface Slice extends TimeWindow {
  readonly ids: readonly number[]
  readonly beforeMs: number
  readonly afterMs: number
}

interface Slicing {
  /** Devices that one request is for. */
  readonly atOnce: number
  readonly mostDays: number
  /** What is looked at on both sides of a slice; less where the server refuses so long a period. */
  readonly aroundMs?: number
}

/**
 * Reads devices one after another, each in slices of time that grow while they hold little and shrink while they hold
 * much, or are longer than the server takes. A device that has said nothing since the window began is not asked for.
 */
export async function readSlice(
  api: ProviderApi,
  state: ReaderState,
  window: TimeWindow,
  slicing: Slicing,
  read: (slice: Slice) => Promise<{ readonly records: readonly unknown[]; readonly readTo?: number }>,
): Promise<ReadPage> {
  const { atOnce, mostDays } = slicing
  const place = state ? (state as unknown as SliceCursor) : await firstPlace(api, window)
  if (place.ids.length === 0 || place.from >= window.to) return { records: [], next: null }
  const slice = sliceAt(place, window, slicing)
  try {
    const { records, readTo = slice.to } = await read(slice)
    const days = Math.max(1, Math.min(mostDays, records.length > CROWDED ? place.days / 2 : place.days * 2))
    const rest =
      readTo < window.to ? { ...place, from: readTo, days } : nextPlace(place, window, days, atOnce)
    return { records, next: rest && { ...rest } }
  } catch (error) {
    const askedMs = slice.to - slice.from + slice.beforeMs + slice.afterMs
    return { records: [], next: { ...place, mostMs: shorterPeriod(askedMs, error) } }
  }
}

/** What is looked at after it shows how its last drives end; what is before, only which of its first began earlier. */
function sliceAt(
  { ids, from, days, mostMs = Infinity }: SliceCursor,
  window: TimeWindow,
  { atOnce, aroundMs = 0 }: Slicing,
): Slice {
  const [beforeMs, afterMs] = [Math.min(aroundMs, mostMs / 4), Math.min(aroundMs, mostMs / 2)]
  const lengthMs = Math.min(days * DAY_MS, mostMs - beforeMs - afterMs)
  return { ids: ids.slice(0, atOnce), from, to: Math.min(window.to, from + lengthMs), beforeMs, afterMs }
}

/** More records than this are a page that takes its time to store. */
const CROWDED = 4_000

const nextPlace = (
  place: SliceCursor,
  { from }: TimeWindow,
  days: number,
  atOnce: number,
): SliceCursor | null =>
  place.ids.length > atOnce ? { ...place, ids: place.ids.slice(atOnce), from, days } : null

const firstPlace = async (api: ProviderApi, { from }: TimeWindow): Promise<SliceCursor> => ({
  ids: await devicesHeardSince(api, from),
  from,
  days: 7,
})

/** The devices that have said something since. */
export async function devicesHeardSince(api: ProviderApi, from: Instant): Promise<number[]> {
  const devices = (await listAt(api, '/devices')).map((one) => records.device.safeParse(one))
  return devices.flatMap(({ data }) => (data && (data.lastUpdate ?? 0) >= from ? [data.id] : []))
}

/** How much of a drive is read before and after a slice, so that one across its edge is seen as a whole. */
export const MAX_DRIVE_MS = 12 * HOUR_MS

/** Trips that begin in a slice: the server makes them of the positions that it is asked for, and cuts them there. */
export async function tripsIn(
  api: ProviderApi,
  { ids, from, to, beforeMs, afterMs }: Slice,
): Promise<unknown[]> {
  const found = await listAt(api, '/reports/trips', {
    deviceId: ids,
    from: toIso(from - beforeMs),
    to: toIso(to + afterMs),
  })
  const startOf = z.looseObject({ startTime: z.string() })
  return found.filter((one) => {
    const { data } = startOf.safeParse(one)
    const start = data ? Date.parse(data.startTime.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')) : from
    return Number.isNaN(start) || (start >= from && start < to)
  })
}

/** A server cuts its answers off without a word, each at a number of its own: one as long as this may be cut. */
const MAY_BE_CUT = 1_000

/** The positions of one device; where the server may have cut them off, the next slice begins with the last one. */
export async function positionsIn(
  api: ProviderApi,
  { ids: [deviceId = 0], from, to }: Pick<Slice, 'ids' | 'from' | 'to'>,
) {
  const found = await listAt(api, '/positions', { deviceId, from: toIso(from), to: toIso(to - 1) })
  const last = records.position.safeParse(found.at(-1)).data?.fixTime
  const readTo = found.length >= MAY_BE_CUT && last !== undefined && last > from ? last : to
  return { records: found.filter(isFix), readTo }
}

const outdatedSchema = z.looseObject({ outdated: z.boolean().nullish() })

/** Neither the last good position said again nor the place of who knows none. */
const isFix = (record: unknown): boolean =>
  hasValidCoordinates(record) && outdatedSchema.safeParse(record).data?.outdated !== true

import { z } from 'zod'
import { type Instant, toIso } from '../../domain/time.ts'
import type { ProviderApi } from '../provider-api.ts'
import { optionalBoolean } from '../mapping/boolean.ts'
import { parseParts } from '../mapping/readable-parts.ts'
import { validate } from '../mapping/validate.ts'
import { hasValidCoordinates } from '../mapping/valid-coordinates.ts'
import type { Reader, ReaderState, ReadPage, TimeWindow } from '../provider.ts'
import { shorterPeriod } from './error-mapping.ts'
import * as records from './schemas.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Creates a reader of a full list, which the server sends in one response. */
export const fullListReader = <Shape extends z.ZodType, Normalized>(
  path: string,
  schema: string,
  shape: Shape,
  toNormalized: (record: z.infer<Shape>) => Normalized,
  isIncluded: (record: unknown) => boolean = () => true,
): Reader<Normalized> => ({
  mode: 'full',
  schema,
  read: async (api) => ({ records: (await listAt(api, path)).filter(isIncluded), next: null }),
  normalize: (record) => toNormalized(validate(shape, record)),
})

const list = z.array(z.unknown())

export const listAt = async (
  api: ProviderApi,
  path: string,
  query: Parameters<ProviderApi['get']>[1] = {},
): Promise<unknown[]> => validate(list, await api.get(path, query))

interface SliceCursor {
  /** Remaining devices. */
  readonly ids: readonly number[]
  /** Start of the next slice. */
  readonly from: number
  /** Length of the next slice. */
  readonly days: number
  /** Maximum period of a request; absent until the server refuses a longer one. */
  readonly mostMs?: number
}

/** Devices and a time range. Margins before and after the range are read too. */
export interface Slice extends TimeWindow {
  readonly ids: readonly number[]
  readonly beforeMs: number
  readonly afterMs: number
}

interface Slicing {
  /** Devices per request. */
  readonly maxDevices: number
  readonly maxDays: number
  /** Margin on both sides of a slice; shorter if the server limits the period. */
  readonly marginMs?: number
}

/**
 * Reads some devices at a time, in time slices. The next slice is longer after few records, and shorter after
 * many records or if the server refused its length. Devices without an update since the start of the window are
 * skipped.
 */
export async function readSlice(
  api: ProviderApi,
  state: ReaderState,
  window: TimeWindow,
  slicing: Slicing,
  read: (slice: Slice) => Promise<{ readonly records: readonly unknown[]; readonly readTo?: number }>,
): Promise<ReadPage> {
  const { maxDevices, maxDays } = slicing
  const cursor = state ? (state as unknown as SliceCursor) : await firstCursor(api, window)
  if (cursor.ids.length === 0 || cursor.from >= window.to) return { records: [], next: null }
  const slice = sliceAt(cursor, window, slicing)
  try {
    const { records, readTo = slice.to } = await read(slice)
    const days = Math.max(
      1,
      Math.min(maxDays, records.length > MANY_RECORDS ? cursor.days / 2 : cursor.days * 2),
    )
    const next =
      readTo < window.to ? { ...cursor, from: readTo, days } : nextCursor(cursor, window, days, maxDevices)
    return { records, next: next && { ...next } }
  } catch (error) {
    const requestedMs = slice.to - slice.from + slice.beforeMs + slice.afterMs
    return { records: [], next: { ...cursor, mostMs: shorterPeriod(requestedMs, error) } }
  }
}

/**
 * Returns the next slice. The margin after it shows how its last trips end. The margin before it only shows which trips
 * started earlier, so it becomes the shorter one if the server limits the period.
 */
function sliceAt(
  { ids, from, days, mostMs = Infinity }: SliceCursor,
  window: TimeWindow,
  { maxDevices, marginMs = 0 }: Slicing,
): Slice {
  const [beforeMs, afterMs] = [Math.min(marginMs, mostMs / 4), Math.min(marginMs, mostMs / 2)]
  const lengthMs = Math.min(days * DAY_MS, mostMs - beforeMs - afterMs)
  return { ids: ids.slice(0, maxDevices), from, to: Math.min(window.to, from + lengthMs), beforeMs, afterMs }
}

/** Number of records after which the next slice is shorter, because more would take long to store. */
const MANY_RECORDS = 4_000

const nextCursor = (
  cursor: SliceCursor,
  { from }: TimeWindow,
  days: number,
  maxDevices: number,
): SliceCursor | null =>
  cursor.ids.length > maxDevices ? { ...cursor, ids: cursor.ids.slice(maxDevices), from, days } : null

const FIRST_SLICE_DAYS = 7

const firstCursor = async (api: ProviderApi, { from }: TimeWindow): Promise<SliceCursor> => ({
  ids: await devicesUpdatedSince(api, from),
  from,
  days: FIRST_SLICE_DAYS,
})

/** Ids of devices with an update since a time. */
export async function devicesUpdatedSince(api: ProviderApi, from: Instant): Promise<number[]> {
  const devices = (await listAt(api, '/devices')).map((device) => records.updatedDevice.safeParse(device))
  return devices.flatMap(({ data }) => (data && (data.lastUpdate ?? 0) >= from ? [data.id] : []))
}

/**
 * Margin around a slice of trips. A trip of at most this length is complete even if it crosses an edge of the
 * slice.
 */
export const MAX_TRIP_MS = 12 * HOUR_MS

/**
 * Reads the trips that start in a slice. The server computes trips from the positions of the requested period, and cuts
 * those that cross its ends. The request therefore includes the margins.
 */
export async function readTrips(
  api: ProviderApi,
  { ids, from, to, beforeMs, afterMs }: Slice,
): Promise<unknown[]> {
  const found = await listAt(api, '/reports/trips', {
    deviceId: ids,
    from: toIso(from - beforeMs),
    to: toIso(to + afterMs),
  })
  const recordWithStart = z.looseObject({ startTime: z.string() })
  return found.filter((trip) => {
    const { data } = recordWithStart.safeParse(trip)
    const start = data ? Date.parse(data.startTime.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')) : from
    return Number.isNaN(start) || (start >= from && start < to)
  })
}

/** A response with this number of positions may be truncated: servers truncate silently, each at its own limit. */
const TRUNCATION_THRESHOLD = 1_000

/**
 * Reads the positions of one device. If the response may be truncated, the next slice starts at the last
 * position.
 */
export async function readPositions(
  api: ProviderApi,
  { ids: [deviceId = 0], from, to }: Pick<Slice, 'ids' | 'from' | 'to'>,
) {
  const found = await listAt(api, '/positions', { deviceId, from: toIso(from), to: toIso(to - 1) })
  const lastFix = found.findLast((record) => parseParts(records.position, record) !== null)
  const last = parseParts(records.position, lastFix)?.fixTime
  const readTo = found.length >= TRUNCATION_THRESHOLD && last !== undefined && last > from ? last : to
  return { records: found.filter(isFix), readTo }
}

const outdatedSchema = z.looseObject({ outdated: optionalBoolean })

/** Whether a position is a new fix: not outdated, and with valid coordinates. */
const isFix = (record: unknown): boolean =>
  hasValidCoordinates(record) && outdatedSchema.safeParse(record).data?.outdated !== true

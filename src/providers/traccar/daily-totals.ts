import type { z } from 'zod'
import { type Instant, toIso } from '../../domain/time.ts'
import { metersToKilometers, rounded } from '../../domain/units.ts'
import type { ProviderApi } from '../provider-api.ts'
import { validate } from '../mapping/validate.ts'
import type { NormalizedUtilizationDay } from '../../domain/models/vehicle-utilization.ts'
import type { Reader, TimeWindow } from '../provider.ts'
import { calendarOf } from '../mapping/calendar.ts'
import { sourceIdOf } from './mappers.ts'
import { PeriodTooLong } from './error-mapping.ts'
import { devicesUpdatedSince, listAt } from './readers.ts'
import * as records from './schemas.ts'
import { timeZoneOf } from './time-zone.ts'

const DAY_MS = 86_400_000
const DEVICES_PER_REQUEST = 50
const DAYS_PER_REQUEST = 31

/** Position: remaining devices, and the next day in the account's time zone. */
interface DailyTotalsCursor {
  readonly ids: readonly number[]
  readonly from: Instant
  readonly timeZone: string
  /** Days per request, reduced if the server refused more. */
  readonly days?: number
}

/** Reads totals of whole days, including the first and last day, which the window may cover partly. */
export const dailyTotalsReader: Reader<NormalizedUtilizationDay> = {
  mode: 'window',
  schema: 'summary',
  async read(api, state, window) {
    const cursor = state ? (state as unknown as DailyTotalsCursor) : await firstCursor(api, window)
    const { timeZone, from, days = DAYS_PER_REQUEST } = cursor
    const ids = cursor.ids.slice(0, DEVICES_PER_REQUEST)
    if (ids.length === 0) return { records: [], next: null }
    const { startOf, endOf } = calendarOf(timeZone)
    const end = endOf(window.to - 1)
    const to = Math.min(end, endOf(from + (days - 1) * DAY_MS))
    const summaries = await summariesIn(api, ids, { from, to }).catch(nullIfTooLong)
    const requestedDays = Math.ceil((to - from) / DAY_MS)
    if (summaries === null && to > endOf(from))
      return { records: [], next: { ...cursor, days: Math.max(1, Math.floor(requestedDays / 2)) } }
    const others = { ...cursor, ids: cursor.ids.slice(DEVICES_PER_REQUEST), from: startOf(window.from) }
    const next = to < end ? { ...cursor, from: to } : others
    return {
      records: (summaries ?? []).map((summary) => ({ timeZone, summary })),
      next: next.ids.length > 0 ? next : null,
      ...(summaries === null ? { missingFields: LONGER_DAYS } : {}),
    }
  },
  normalize: (record) => toDay(validate(records.day, record)),
}

/**
 * A day total needs one report. A day that exceeds the server's limit, such as one of 25 hours, has no total.
 */
const LONGER_DAYS = 'days longer than the report limit'

function nullIfTooLong(error: unknown): null {
  if (error instanceof PeriodTooLong) return null
  throw error
}

async function firstCursor(api: ProviderApi, window: TimeWindow): Promise<DailyTotalsCursor> {
  // The zone of the server's machine is assumed to be UTC.
  const timeZone = (await timeZoneOf(api, await api.get('/session'))) ?? 'UTC'
  const from = calendarOf(timeZone).startOf(window.from)
  return { ids: await devicesUpdatedSince(api, from), from, timeZone }
}

async function summariesIn(api: ProviderApi, deviceId: readonly number[], { from, to }: TimeWindow) {
  const query = { deviceId, daily: 'true', from: toIso(from), to: toIso(to - 1) }
  return (await listAt(api, '/reports/summary', query)).filter(hasValues)
}

const counters = ['distance', 'startOdometer', 'endOdometer', 'startHours', 'endHours']

/** Whether a row has a value other than 0. A device without data may have a row of zeros. */
const hasValues = (row: unknown): boolean =>
  typeof row !== 'object' ||
  row === null ||
  counters.some((name) => Number(Reflect.get(row, name) ?? 0) !== 0)

function toDay({ timeZone, summary }: z.infer<typeof records.day>): NormalizedUtilizationDay {
  const date = calendarOf(timeZone).dateOf(summary.startTime)
  return {
    sourceId: `${summary.deviceId}:${date}`,
    vehicleSourceId: sourceIdOf(summary.deviceId),
    date,
    distanceKilometers: rounded(metersToKilometers(summary.distance), 3),
    fuelConsumedLiters: summary.spentFuel === 0 ? null : summary.spentFuel,
    drivingMilliseconds: null,
    idlingMilliseconds: null,
  }
}

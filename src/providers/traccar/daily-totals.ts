import type { z } from 'zod'
import { type Instant, toIso } from '../../domain/time.ts'
import type { ProviderApi } from '../provider-api.ts'
import { validate } from '../mapping/validate.ts'
import type { NormalizedUtilizationDay } from '../../domain/models/vehicle-utilization.ts'
import type { Reader, TimeWindow } from '../provider.ts'
import { calendarOf, dateAfter } from '../../domain/calendar.ts'
import { sourceIdOf, toKilometers } from './mappers.ts'
import { PeriodTooLong } from './error-mapping.ts'
import { devicesUpdatedSince, listAt } from './readers.ts'
import * as records from './schemas.ts'
import { timeZoneOf, zoneWithDays } from './time-zone.ts'

const DAY_MS = 86_400_000
const DEVICES_PER_REQUEST = 50
const DAYS_PER_REQUEST = 31

interface DailyTotalsCursor {
  /** Remaining devices. */
  readonly ids: readonly number[]
  /** Start of the next day to read. */
  readonly from: Instant
  /** Time zone in which the days of the account begin, as far as known. */
  readonly timeZone: string
  /** Days per request, after the server refused more. */
  readonly days?: number
  /** Time zones that the daily rows of the server have disproved. */
  readonly otherZones?: readonly string[]
}

/**
 * Reads the totals of all days of the window. It reads the whole first and last day, even if the window has a
 * part of it.
 */
export const dailyTotalsReader: Reader<NormalizedUtilizationDay> = {
  mode: 'window',
  schema: 'summary',
  async read(api, state, window) {
    const cursor = state ? (state as unknown as DailyTotalsCursor) : await firstCursor(api, window)
    const { timeZone, from, days = DAYS_PER_REQUEST } = cursor
    const ids = cursor.ids.slice(0, DEVICES_PER_REQUEST)
    if (ids.length === 0) return { records: [], next: null }
    const { dateAt, startOf } = calendarOf(timeZone)
    const end = startOf(dateAfter(dateAt(window.to - 1)))
    const to = Math.min(end, startOf(dateAfter(dateAt(from), days)))
    const summaries = await readSummaries(api, ids, { from, to }).catch(nullIfTooLong)
    if (summaries === null && to > startOf(dateAfter(dateAt(from)))) {
      const requestedDays = Math.ceil((to - from) / DAY_MS)
      return { records: [], next: { ...cursor, days: Math.max(1, Math.floor(requestedDays / 2)) } }
    }
    const zone = zoneWithDays(summaries ?? [], timeZone, cursor.otherZones)
    if (zone !== timeZone) return { records: [], next: { ...inZone(cursor, zone) } }
    const nextDevices = {
      ...cursor,
      ids: cursor.ids.slice(DEVICES_PER_REQUEST),
      from: startOf(dateAt(window.from)),
    }
    const next = to < end ? { ...cursor, from: to } : nextDevices
    return {
      records: (summaries ?? []).map((summary) => ({ timeZone, summary })),
      next: next.ids.length > 0 ? next : null,
      ...(summaries === null ? { withheldBySetting: LONGER_DAYS } : {}),
    }
  },
  normalize: (record) => toDay(validate(records.day, record)),
}

/** Text of the issue for a day that one report cannot cover: the total of a day comes from a single report. */
const LONGER_DAYS =
  'A day that is longer than the report limit of the Traccar server, such as one of 25 hours, has no VehicleUtilization record. Set report.periodLimit in the configuration of this server to 90000 seconds or more.'

function nullIfTooLong(error: unknown): null {
  if (error instanceof PeriodTooLong) return null
  throw error
}

async function firstCursor(api: ProviderApi, window: TimeWindow): Promise<DailyTotalsCursor> {
  const configuredZone = await timeZoneOf(api, await api.get('/session'))
  const ids = await devicesUpdatedSince(api, window.from - DAY_MS)
  const timeZone = configuredZone ?? (await machineZone(api, ids, window))
  const { dateAt, startOf } = calendarOf(timeZone)
  return { ids, from: startOf(dateAt(window.from)), timeZone }
}

/** Maximum number of days whose rows show the time zone of the server's machine. */
const PROBED_DAYS = 7

/**
 * Finds the time zone of the server's machine by the days into which the server divides the start of the window and the
 * day before it. Assumes UTC if they do not show another zone.
 */
async function machineZone(api: ProviderApi, ids: readonly number[], window: TimeWindow): Promise<string> {
  const from = window.from - 2 * DAY_MS
  const to = Math.min(window.to, from + PROBED_DAYS * DAY_MS)
  const rows = await readSummaries(api, ids.slice(0, DEVICES_PER_REQUEST), { from, to }).catch(nullIfTooLong)
  return zoneWithDays(rows ?? [], 'UTC')
}

/** Returns the cursor to read again in another time zone, from the day that contains the former start. */
function inZone(cursor: DailyTotalsCursor, timeZone: string): DailyTotalsCursor {
  const { dateAt, startOf } = calendarOf(timeZone)
  const otherZones = [...(cursor.otherZones ?? []), cursor.timeZone]
  return { ...cursor, timeZone, from: startOf(dateAt(cursor.from)), otherZones }
}

async function readSummaries(api: ProviderApi, deviceId: readonly number[], { from, to }: TimeWindow) {
  const query = { deviceId, daily: 'true', from: toIso(from), to: toIso(to - 1) }
  return (await listAt(api, '/reports/summary', query)).filter(hasValues)
}

const counters = ['distance', 'startOdometer', 'endOdometer', 'startHours', 'endHours']

/** Whether a row has data, because a device without data may have a row of zeros. An unreadable row passes. */
const hasValues = (row: unknown): boolean =>
  typeof row !== 'object' ||
  row === null ||
  counters.some((name) => Number(Reflect.get(row, name) ?? 0) !== 0)

function toDay({ timeZone, summary }: z.infer<typeof records.day>): NormalizedUtilizationDay {
  const date = calendarOf(timeZone).dateAt(summary.startTime)
  return {
    sourceId: `${summary.deviceId}:${date}`,
    vehicleSourceId: sourceIdOf(summary.deviceId),
    date,
    distanceKilometers: toKilometers(summary.distance),
    fuelConsumedLiters: summary.spentFuel === 0 ? null : summary.spentFuel,
    drivingMilliseconds: null,
    idlingMilliseconds: null,
  }
}

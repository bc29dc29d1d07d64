import { z } from 'zod'
import { type Instant, toIso } from '../../domain/time.ts'
import { metersToKilometers, rounded } from '../../domain/units.ts'
import type { ProviderApi } from '../provider-api.ts'
import { validate } from '../mapping/validate.ts'
import type { NormalizedUtilizationDay } from '../normalized-records.ts'
import type { Reader, TimeWindow } from '../provider.ts'
import { calendarOf } from '../mapping/calendar.ts'
import { sourceIdOf } from './mappers.ts'
import { PeriodTooLong } from './error-mapping.ts'
import { devicesHeardSince, listAt } from './readers.ts'
import * as records from './schemas.ts'
import { zoneOf } from './time-zone.ts'

const DAY_MS = 86_400_000
const DEVICES_AT_ONCE = 50
const DAYS_AT_ONCE = 31

/** Which devices are still to be asked for, from which day on, in the zone of the account. */
interface DailyTotalsCursor {
  readonly ids: readonly number[]
  readonly from: Instant
  readonly timeZone: string
  /** Fewer days at once, of a server that has refused more. */
  readonly days?: number
}

/** Sums of whole days: the first one and the last one as well, of which a window may show a part. */
export const dailyTotalsReader: Reader<NormalizedUtilizationDay> = {
  mode: 'window',
  schema: 'summary',
  async read(api, state, window) {
    const place = state ? (state as unknown as DailyTotalsCursor) : await firstPlace(api, window)
    const { timeZone, from, days = DAYS_AT_ONCE } = place
    const ids = place.ids.slice(0, DEVICES_AT_ONCE)
    if (ids.length === 0) return { records: [], next: null }
    const { startOf, endOf } = calendarOf(timeZone)
    const end = endOf(window.to - 1)
    const to = Math.min(end, endOf(from + (days - 1) * DAY_MS))
    const summaries = await summariesIn(api, ids, { from, to }).catch(refusedAsTooLong)
    const asked = Math.ceil((to - from) / DAY_MS)
    if (summaries === null && to > endOf(from))
      return { records: [], next: { ...place, days: Math.max(1, Math.floor(asked / 2)) } }
    const others = { ...place, ids: place.ids.slice(DEVICES_AT_ONCE), from: startOf(window.from) }
    const next = to < end ? { ...place, from: to } : others
    return {
      records: (summaries ?? []).map((summary) => ({ timeZone, summary })),
      next: next.ids.length > 0 ? next : null,
      ...(summaries === null ? { lacks: LONGER_DAYS } : {}),
    }
  },
  normalize: (record) => toDay(validate(records.day, record)),
}

/** A sum of a day is of one report: of a day that is longer than those may be, such as one of 25 hours, there is none. */
const LONGER_DAYS = 'days that are longer than its reports may be'

function refusedAsTooLong(error: unknown): null {
  if (error instanceof PeriodTooLong) return null
  throw error
}

async function firstPlace(api: ProviderApi, window: TimeWindow): Promise<DailyTotalsCursor> {
  const timeZone = await timeZoneOf(api)
  const from = calendarOf(timeZone).startOf(window.from)
  return { ids: await devicesHeardSince(api, from), from, timeZone }
}

const zoned = z.looseObject({ attributes: z.looseObject({ timezone: z.string().nullish() }).nullish() })

/** The server makes the days of its users in their zone, in its own where they have none, and else in its machine's. */
async function timeZoneOf(api: ProviderApi): Promise<string> {
  for (const path of ['/session', '/server']) {
    const zone = validate(zoned, await api.get(path)).attributes?.timezone
    if (zone) return zoneOf(zone)
  }
  return 'UTC'
}

async function summariesIn(api: ProviderApi, deviceId: readonly number[], { from, to }: TimeWindow) {
  const query = { deviceId, daily: 'true', from: toIso(from), to: toIso(to - 1) }
  return (await listAt(api, '/reports/summary', query)).filter(isOfSomething)
}

const counters = ['distance', 'startOdometer', 'endOdometer', 'startHours', 'endHours']

/** Of a device that was quiet there may be a row in which all is 0. */
const isOfSomething = (row: unknown): boolean =>
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
    fuelConsumedLiters: summary.spentFuel || null,
    drivingMilliseconds: null,
    idlingMilliseconds: null,
  }
}

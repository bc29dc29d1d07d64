import { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import { type Instant, toIso } from '../../../domain/time.ts'
import { type Calendar, calendarOf } from '../../mapping/calendar.ts'
import { validate } from '../../mapping/validate.ts'
import type { ProviderAdapter, ReaderState, ReadPage, TimeWindow } from '../../provider.ts'
import { toIftaMonth, toUtilizationDay, utilizationIdOf } from '../mappers/daily-totals.ts'
import { ifta, utilization } from '../schemas/daily-totals.ts'
import { measuredVehicle } from '../schemas/schema-types.ts'
import { totalsTimeZone } from './company.ts'
import { daysAfter } from './paging/dates.ts'
import { isLastDateIncluded } from './paging/date-range-probe.ts'
import { pageAt, type ListCursor, START, unwrapped } from './paging/pages.ts'

/** One sum for whatever time is asked for: a list for each day, a list for each month, of the company's zone. */
export const dailyTotals = {
  VehicleUtilization: {
    mode: 'window',
    schema: 'vehicle_utilization',
    read: days,
    normalize: (record) => toUtilizationDay(validate(utilization, record)),
  },
  IFTASummary: {
    mode: 'window',
    // While a month changes, what was driven moves from one jurisdiction to another.
    wholeBy: 'vehicle_month',
    schema: 'ifta_summary',
    read: months,
    normalize: (record) => toIftaMonth(validate(ifta, record)),
  },
} satisfies ProviderAdapter['readers']

/** The day or the month that is asked for, by a moment of it. */
interface Summed {
  readonly at: Instant
  readonly place: ListCursor
}

async function days(api: ProviderApi, state: ReaderState, { from, to }: TimeWindow): Promise<ReadPage> {
  const { dateOf, startOf, endOf } = calendarOf(await totalsTimeZone(api))
  const { at, place } = (state as Summed | null) ?? { at: from, place: START }
  const date = dateOf(at)
  const query = {
    // Where it is written they have other names than where it is talked about.
    start_at: toIso(startOf(at)),
    end_at: toIso(endOf(at)),
    ...(await datesOf(api, date, daysAfter(date, 1), to)),
  }
  const { items, next } = await pageAt(api, '/v2/vehicle_utilization', query, place)
  const rows = items.map(unwrapped)
  const records = rows.filter(isKnown).map((row) => ({ date, row }))
  const removed = rows.filter((row) => !isKnown(row)).flatMap((row) => unknownDay(date, row))
  if (next) return { records, removed, next: { at, place: next } }
  return { records, removed, next: endOf(at) < to ? { at: endOf(at), place: START } : null }
}

/** A row with a message is not known: its zeros are none. */
const isKnown = (row: unknown): boolean => !(row as { message?: unknown } | null)?.message

const ofVehicle = z.looseObject({ vehicle: measuredVehicle })

/** It may have been known as long as the day lasted, of a vehicle of which nothing was heard to its end. */
function unknownDay(date: string, row: unknown): string[] {
  const { data } = ofVehicle.safeParse(row)
  return data ? [utilizationIdOf(data.vehicle.id, date)] : []
}

async function months(api: ProviderApi, state: ReaderState, { from, to }: TimeWindow): Promise<ReadPage> {
  const calendar = calendarOf(await totalsTimeZone(api))
  const { at, place } = (state as Summed | null) ?? { at: from, place: START }
  const month = calendar.dateOf(at).slice(0, 7)
  const after = monthAfter(month)
  const query = await datesOf(api, `${month}-01`, `${after}-01`, to)
  const { items, next } = await pageAt(api, '/v1/ifta/summary', query, place)
  const records = items.map((item) => ({ month, row: unwrapped(item) }))
  if (next) return { records, next: { at, place: next } }
  const start = startOfMonth(calendar, after)
  return { records, next: start < to ? { at: start, place: START } : null }
}

/** A period from one date to before another. */
async function datesOf(api: ProviderApi, first: string, end: string, now: Instant) {
  const isLastCounted = await isLastDateIncluded(api, now)
  return { start_date: first, end_date: isLastCounted ? daysAfter(end, -1) : end }
}

/** YYYY-MM */
function monthAfter(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return toIso(Date.UTC(year, number, 1)).slice(0, 7)
}

/** At noon of UTC of its first day, wherever the company is, the month has begun; or it ends there. */
const startOfMonth = ({ startOf }: Calendar, month: string): Instant =>
  startOf(Date.parse(`${month}-01T12:00:00Z`))

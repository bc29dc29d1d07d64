import { calendarOf, dateAfter } from '../../../domain/calendar.ts'
import { z } from 'zod'
import type { ProviderApi } from '../../provider-api.ts'
import { type Instant, toIso } from '../../../domain/time.ts'
import { validate } from '../../mapping/validate.ts'
import type { ProviderAdapter, ReaderState, ReadPage, TimeWindow } from '../../provider.ts'
import { toIftaMonth, toUtilizationDay, utilizationIdOf } from '../mappers/daily-totals.ts'
import { ifta, utilization } from '../schemas/daily-totals.ts'
import { measuredVehicle, text } from '../schemas/schema-types.ts'
import { totalsTimeZone } from './company.ts'
import { isLastDateIncluded } from './paging/date-range-probe.ts'
import { pageAt, type ListCursor, START, unwrapped } from './paging/pages.ts'

/**
 * Readers of totals per day or month in the company's time zone. Motive returns one total for the
 * requested period, so each day or month is requested separately.
 */
export const dailyTotals = {
  VehicleUtilization: {
    mode: 'window',
    schema: 'vehicle_utilization',
    read: days,
    normalize: (record) => toUtilizationDay(validate(utilization, record)),
  },
  IFTASummary: {
    mode: 'window',
    // A correction can move distance to another jurisdiction. The record of the former one must be removed.
    completeBy: 'vehicle_month',
    schema: 'ifta_summary',
    read: months,
    normalize: (record) => toIftaMonth(validate(ifta, record)),
  },
} satisfies ProviderAdapter['readers']

interface PeriodCursor {
  /** A time in the day or month to request. */
  readonly at: Instant
  /** Position in the list of this day or month. */
  readonly place: ListCursor
}

async function days(api: ProviderApi, state: ReaderState, { from, to }: TimeWindow): Promise<ReadPage> {
  const { dateAt, startOf } = calendarOf(await totalsTimeZone(api))
  const { at, place: cursor } = (state as PeriodCursor | null) ?? { at: from, place: START }
  const date = dateAt(at)
  const end = startOf(dateAfter(date))
  const query = {
    // Motive's reference and its guides name these parameters differently, so both names are sent.
    start_at: toIso(startOf(date)),
    end_at: toIso(end),
    ...(await datesOf(api, date, dateAfter(date, 1), to)),
  }
  const { items, next } = await pageAt(api, '/v2/vehicle_utilization', query, cursor)
  const rows = items.map(unwrapped)
  const records = rows.filter(hasData).map((row) => ({ date, row }))
  const removed = rows.filter((row) => !hasData(row)).flatMap((row) => removedDayOf(date, row))
  if (next) return { records, removed, next: { at, place: next } }
  return { records, removed, next: end < to ? { at: end, place: START } : null }
}

/** Whether a row has data. If a row has a message, its zeros mean that the values are unknown. */
const hasData = (row: unknown): boolean => !recordWithMessage.safeParse(row).data?.message

const recordWithMessage = z.looseObject({ message: text })

const ofVehicle = z.looseObject({ vehicle: measuredVehicle })

/** Id of the record of a row without data. An earlier read may have stored a record, which is then removed. */
function removedDayOf(date: string, row: unknown): string[] {
  const { data } = ofVehicle.safeParse(row)
  return data ? [utilizationIdOf(data.vehicle.id, date)] : []
}

async function months(api: ProviderApi, state: ReaderState, { from, to }: TimeWindow): Promise<ReadPage> {
  const { dateAt, startOf } = calendarOf(await totalsTimeZone(api))
  const { at, place: cursor } = (state as PeriodCursor | null) ?? { at: from, place: START }
  const month = dateAt(at).slice(0, 7)
  const nextMonth = monthAfter(month)
  const query = await datesOf(api, `${month}-01`, `${nextMonth}-01`, to)
  const { items, next } = await pageAt(api, '/v1/ifta/summary', query, cursor)
  const records = items.map((item) => ({ month, row: unwrapped(item) }))
  if (next) return { records, next: { at, place: next } }
  const start = startOf(`${nextMonth}-01`)
  return { records, next: start < to ? { at: start, place: START } : null }
}

/** Query for the dates from `first` to the day before `end`. */
async function datesOf(api: ProviderApi, first: string, end: string, now: Instant) {
  const isLastIncluded = await isLastDateIncluded(api, now)
  return { start_date: first, end_date: isLastIncluded ? dateAfter(end, -1) : end }
}

/** Month after another, as YYYY-MM. */
function monthAfter(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return toIso(Date.UTC(year, number, 1)).slice(0, 7)
}

import { z } from 'zod'
import type { ProviderApi, QueryParams } from '../../provider-api.ts'
import { nestedRecords } from '../../mapping/nested-records.ts'
import { validate } from '../../mapping/validate.ts'
import type { ProviderAdapter, ReaderState } from '../../provider.ts'
import { toIftaMonth, toUtilizationDay } from '../mappers/engine.ts'
import { ifta, utilization } from '../schemas/engine.ts'
import { dateAfter } from '../../../domain/calendar.ts'
import { datesOf, monthsOf } from './dates.ts'
import { readListsPage } from './pages.ts'

/**
 * Readers of totals per day or month. Samsara returns one total for the requested period, so each day or month is
 * requested separately.
 */
export const dailyTotals = {
  VehicleUtilization: {
    mode: 'window',
    schema: 'fuel_energy_report',
    async read(api, state, window) {
      const queries = datesOf(window).map((date) => ({ startDate: date, endDate: dateAfter(date) }))
      const { query, records, next } = await reportPage(api, state, FUEL_ENERGY, queries)
      return { records: records.map((report) => ({ date: query['startDate'], report })), next }
    },
    normalize: (record) => toUtilizationDay(validate(utilization, record)),
  },
  IFTASummary: {
    mode: 'window',
    // A correction can move distance to another jurisdiction. The record of the former one must be removed.
    completeBy: 'vehicle_month',
    schema: 'ifta_vehicle_report',
    async read(api, state, window) {
      const months = monthsOf(window)
      const { query, records, next } = await reportPage(api, state, IFTA, months.map(toQuery))
      const month = months.find((candidate) => isQueryOf(candidate, query))
      return { records: records.flatMap((report) => rowsOf(report, month)), next }
    },
    normalize: (record) => toIftaMonth(validate(ifta, record)),
  },
} satisfies ProviderAdapter['readers']

const FUEL_ENERGY = '/fleet/reports/vehicles/fuel-energy'
const IFTA = '/fleet/reports/ifta/vehicle'

const reportPage = (api: ProviderApi, state: ReaderState, path: string, queries: readonly QueryParams[]) =>
  readListsPage(api, state, path, queries, 'vehicleReports')

const MONTH_NAMES =
  'January February March April May June July August September October November December'.split(' ')

/** The API takes months by English name. */
const toQuery = (month: string): QueryParams => ({
  year: month.slice(0, 4),
  month: MONTH_NAMES[Number(month.slice(5)) - 1] ?? '',
})

const isQueryOf = (month: string, query: QueryParams): boolean => {
  const { year, month: name } = toQuery(month)
  return year === query['year'] && name === query['month']
}

const vehicleReport = z.looseObject({ vehicle: z.unknown(), jurisdictions: z.array(z.unknown()) })

/** Returns one record per jurisdiction of a vehicle. */
const rowsOf = (report: unknown, month: string | undefined): readonly unknown[] =>
  nestedRecords(vehicleReport, report, ({ vehicle, jurisdictions }) =>
    jurisdictions.map((jurisdiction) => ({ month, vehicle, jurisdiction })),
  )

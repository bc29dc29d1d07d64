import type { JurisdictionDistance, Vehicle } from '../../world/truth.ts'
import { badRequest, listed, required, type FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import { pageOf } from '../http/pages.ts'

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const QUARTERS = ['Q1', 'Q2', 'Q3', 'Q4']
const FIRST_YEAR = 2015

/** `/fleet/reports/ifta/vehicle`: distances of a month, given by its English name, or of a quarter. */
export function iftaByVehicle(request: FakeRequest): object {
  const { organization, query, switches } = request
  const { year, months, reported } = periodIn(query)
  const distances = months.flatMap((month) => organization.world.jurisdictionDistances(month))
  const vehicles = organization
    .vehiclesOf(listed(query, 'vehicleIds'))
    .filter(({ number }) => distances.some(({ vehicle }) => vehicle === number))
  const { items, pagination } = pageOf(request, vehicles, ({ number }) => [number], Number(switches.pageSize))
  return {
    data: { year, ...reported, vehicleReports: items.map((vehicle) => toReport(vehicle, distances)) },
    pagination,
  }
}

function periodIn(query: URLSearchParams) {
  const year = Number(required(query, 'year'))
  const [month, quarter] = [query.get('month'), query.get('quarter')]
  if (!Number.isInteger(year) || year < FIRST_YEAR) throw badRequest('Invalid value for parameter year.')
  const nth = (index: number) => `${year}-${String(index + 1).padStart(2, '0')}`
  if (month !== null) {
    if (!MONTHS.includes(month)) throw badRequest('Invalid value for parameter month.')
    return { year, months: [nth(MONTHS.indexOf(month))], reported: { month } }
  }
  if (!quarter || !QUARTERS.includes(quarter)) throw badRequest('Either month or quarter must be provided.')
  const first = QUARTERS.indexOf(quarter) * 3
  return { year, months: [nth(first), nth(first + 1), nth(first + 2)], reported: { quarter } }
}

function toReport({ number, name }: Vehicle, distances: readonly JurisdictionDistance[]): object {
  const sums = new Map<string, number>()
  for (const { vehicle, jurisdiction, meters } of distances)
    if (vehicle === number) sums.set(jurisdiction, (sums.get(jurisdiction) ?? 0) + meters)
  return {
    vehicle: { id: id('vehicle', number), name },
    jurisdictions: [...sums].map(([jurisdiction, meters]) => ({
      jurisdiction,
      totalMeters: meters,
      taxableMeters: meters,
      taxPaidLiters: 0,
    })),
  }
}

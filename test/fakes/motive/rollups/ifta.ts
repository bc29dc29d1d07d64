import type { JurisdictionDistance } from '../../world/truth.ts'
import type { FakeRequest } from '../fake-request.ts'
import { type Company, isMetricVehicle } from '../company.ts'
import { pageOf } from '../pages.ts'
import { toVehicleSummary } from '../roster/people.ts'
import { toDistance, toZoneName } from '../formats.ts'
import { byDates } from './period.ts'

/** YYYY-MM */
const monthAfter = (month: string): string => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
}

/** Returns the months that overlap a period, in the zone of the company. */
export function monthsIn({ zone }: Company, from: number, to: number): string[] {
  const last = zone.dateAt(to - 1).slice(0, 7)
  const months: string[] = []
  for (let month = zone.dateAt(from).slice(0, 7); month <= last; month = monthAfter(month)) months.push(month)
  return months
}

export const distancesOf = (company: Company, month: string): JurisdictionDistance[] =>
  company.world.jurisdictionDistances(month).filter(({ vehicle }) => company.vehicle(vehicle) !== undefined)

/** `/v1/ifta/summary`. The fake supports only whole months, and the current month until today. */
export function iftaSummary(request: FakeRequest): object {
  const wanted = request.ids('vehicle', 'vehicle_ids')
  const rows = summed(wholeMonths(request).flatMap((month) => distancesOf(request.company, month)))
    .filter(({ vehicle }) => wanted?.has(vehicle) ?? true)
    .toSorted((one, other) => one.vehicle - other.vehicle)
  return pageOf(request, { list: 'ifta_trips', item: 'ifta_trip' }, rows, (row) => toRow(request, row))
}

function wholeMonths(request: FakeRequest): string[] {
  const { company } = request
  const { from, to } = byDates(request)
  const months = monthsIn(company, from, to)
  const [first, last] = [months[0] ?? '', months.at(-1) ?? ''].map((month) => company.zone.month(month))
  const ends = Math.min(last?.to ?? 0, company.zone.endOf(company.zone.dateAt(company.now)))
  if (from !== first?.from || to < ends) throw new Error('the fake supports only whole months')
  return months
}

function summed(distances: readonly JurisdictionDistance[]): JurisdictionDistance[] {
  const rows = new Map<string, JurisdictionDistance>()
  for (const distance of distances) {
    const key = `${distance.vehicle} ${distance.jurisdiction}`
    rows.set(key, { ...distance, meters: distance.meters + (rows.get(key)?.meters ?? 0) })
  }
  return [...rows.values()]
}

function toRow(
  request: FakeRequest,
  { vehicle: number, jurisdiction, meters }: JurisdictionDistance,
): object {
  const vehicle = request.company.vehicle(number)
  const distance = toDistance(meters, request.isMetric(isMetricVehicle(number)))
  return {
    jurisdiction,
    vehicle: vehicle && toVehicleSummary(request, vehicle),
    distance: request.is('iftaDistance', 'text') ? String(distance) : distance,
    time_zone: toZoneName(request.company.world.account.timeZone),
  }
}

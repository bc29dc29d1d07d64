import type { FakeRequest, Period } from '../fake-request.ts'
import { badRequest } from '../refusal.ts'

/** Returns the requested period of `/v2/vehicle_utilization`, as whole days in the zone of the company. */
export function rollupPeriod(request: FakeRequest): Period {
  const { zone } = request.company
  if (request.is('utilizationDates', 'start_date')) return byDates(request)
  const [start, end] = [request.time('start_at'), request.time('end_at')]
  if (start === null || end === null) throw badRequest('start_at and end_at are required')
  if (end <= start) throw badRequest('end_at must be after start_at')
  return { from: zone.startOf(zone.dateAt(start)), to: zone.endOf(zone.dateAt(end - 1)) }
}

export function byDates(request: FakeRequest): Period {
  if (!request.query.has('start_date') || !request.query.has('end_date'))
    throw badRequest('start_date and end_date are required')
  return request.period(request.company.zone)
}

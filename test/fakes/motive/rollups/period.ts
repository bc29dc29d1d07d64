import type { Asked, Period } from '../asked.ts'
import { badRequest } from '../refusal.ts'

/** Whole days of the company's own zone, whatever zone is asked for. The second version has other names for it. */
export function rollupPeriod(asked: Asked): Period {
  const { zone } = asked.company
  if (asked.is('utilizationDates', 'start_date')) return byDates(asked)
  const [start, end] = [asked.time('start_at'), asked.time('end_at')]
  if (start === null || end === null) throw badRequest('start_at and end_at are required')
  if (end <= start) throw badRequest('end_at must be after start_at')
  return { from: zone.startOf(zone.dateAt(start)), to: zone.endOf(zone.dateAt(end - 1)) }
}

export function byDates(asked: Asked): Period {
  if (!asked.query.has('start_date') || !asked.query.has('end_date'))
    throw badRequest('start_date and end_date are required')
  return asked.period(asked.company.zone)
}

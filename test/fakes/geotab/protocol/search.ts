import type { Search } from '../stores/entity-store.ts'
import type { EntityKind } from '../fleet/catalogue.ts'
import type { Entity } from '../formats.ts'
import { Refusal } from './refusal.ts'

type Params = Readonly<Record<string, unknown>>

const objectOf = (value: unknown): Params => (typeof value === 'object' && value !== null ? { ...value } : {})

/** Returns the id of a reference, which is an object with an id or the id itself. */
export const idIn = (value: unknown): string | undefined => {
  const id = typeof value === 'string' ? value : objectOf(value)['id']
  return typeof id === 'string' ? id : undefined
}

function timeIn(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  const time = Date.parse(String(value))
  if (Number.isNaN(time)) throw new Refusal('ArgumentException', `The date '${String(value)}' is not valid.`)
  return time
}

export function readSearch(params: Params): Search {
  const search = objectOf(params['search'])
  const diagnostics = Array.isArray(search['diagnostics']) ? search['diagnostics'] : []
  const fields = {
    id: idIn(search),
    device: idIn(search['deviceSearch']),
    user: idIn(search['userSearch']) ?? idIn(search['driverSearch']),
    rule: idIn(search['ruleSearch']),
    diagnostic: idIn(search['diagnosticSearch']),
    diagnostics: diagnostics.flatMap((reference) => idIn(reference) ?? []),
    isDriver: typeof search['isDriver'] === 'boolean' ? search['isDriver'] : undefined,
    from: timeIn(search['fromDate']),
    to: timeIn(search['toDate']),
    includeHourlyData: search['includeHourlyData'] === true,
    includeBoundaries: search['includeBoundaries'] === true,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

export function matchesSearch(entity: Entity, search: Search, time: EntityKind['time']): boolean {
  const { id, device, user, rule, diagnostic, isDriver } = search
  return (
    (id === undefined || entity['id'] === id) &&
    (device === undefined || idIn(entity['device']) === device) &&
    (user === undefined || idIn(entity['driver']) === user) &&
    (rule === undefined || idIn(entity['rule']) === rule) &&
    (diagnostic === undefined || idIn(entity['diagnostic']) === diagnostic) &&
    (isDriver === undefined || entity['isDriver'] === isDriver) &&
    isInPeriod(entity, search, time)
  )
}

/**
 * Whether a record is in the period of a search. A trip counts at its stop; an event or a video if it overlaps the
 * period.
 */
function isInPeriod(
  entity: Entity,
  { from = -Infinity, to = Infinity }: Search,
  time: EntityKind['time'],
): boolean {
  const within = (first: string, last: string) =>
    instantOf(entity[last]) >= from && instantOf(entity[first]) <= to
  if (time === 'none') return true
  if (time === 'active') return within('activeFrom', 'activeTo')
  return time === 'media' ? within('fromDate', 'toDate') : within(time, time)
}

const instantOf = (value: unknown): number => Date.parse(String(value))

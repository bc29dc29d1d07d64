import type { Search } from '../ledger/entity-store.ts'
import type { Kind } from '../fleet/catalogue.ts'
import type { Entity } from '../formats.ts'
import { Refusal } from './refusal.ts'

type Given = Readonly<Record<string, unknown>>

const given = (value: unknown): Given => (typeof value === 'object' && value !== null ? { ...value } : {})

/** A reference is an object with an id, or the id itself. */
export const idIn = (value: unknown): string | undefined => {
  const id = typeof value === 'string' ? value : given(value)['id']
  return typeof id === 'string' ? id : undefined
}

function timeIn(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  const at = Date.parse(String(value))
  if (Number.isNaN(at)) throw new Refusal('ArgumentException', `The date '${String(value)}' is not valid.`)
  return at
}

export function readSearch(params: Given): Search {
  const search = given(params['search'])
  const diagnostics = Array.isArray(search['diagnostics']) ? search['diagnostics'] : []
  const reported = {
    id: idIn(search),
    device: idIn(search['deviceSearch']),
    user: idIn(search['userSearch']) ?? idIn(search['driverSearch']),
    rule: idIn(search['ruleSearch']),
    diagnostic: idIn(search['diagnosticSearch']),
    diagnostics: diagnostics.flatMap((each) => idIn(each) ?? []),
    isDriver: typeof search['isDriver'] === 'boolean' ? search['isDriver'] : undefined,
    from: timeIn(search['fromDate']),
    to: timeIn(search['toDate']),
    includeHourlyData: search['includeHourlyData'] === true,
    includeBoundaries: search['includeBoundaries'] === true,
  }
  return Object.fromEntries(Object.entries(reported).filter(([, value]) => value !== undefined))
}

/** A search without matches is empty, never an error. */
export function isFound(entity: Entity, search: Search, time: Kind['time']): boolean {
  const { id, device, user, rule, diagnostic, isDriver } = search
  return (
    (id === undefined || entity['id'] === id) &&
    (device === undefined || idIn(entity['device']) === device) &&
    (user === undefined || idIn(entity['driver']) === user) &&
    (rule === undefined || idIn(entity['rule']) === rule) &&
    (diagnostic === undefined || idIn(entity['diagnostic']) === diagnostic) &&
    (isDriver === undefined || entity['isDriver'] === isDriver) &&
    isInTime(entity, search, time)
  )
}

/** Trips are found by their stop; lasting records by any part of them. */
function isInTime(entity: Entity, { from = -Infinity, to = Infinity }: Search, time: Kind['time']): boolean {
  const within = (first: string, last: string) => at(entity[last]) >= from && at(entity[first]) <= to
  if (time === 'none') return true
  if (time === 'active') return within('activeFrom', 'activeTo')
  return time === 'film' ? within('fromDate', 'toDate') : within(time, time)
}

const at = (value: unknown): number => Date.parse(String(value))

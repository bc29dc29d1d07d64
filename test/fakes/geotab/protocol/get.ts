import type { Search } from '../stores/entity-store.ts'
import { availabilityOf, driversWithHours } from '../records/availability.ts'
import { catalogue, type EntityKind } from '../fleet/catalogue.ts'
import { userId, type Entity } from '../formats.ts'
import type { Database } from './database.ts'
import { missingMethod, Refusal } from './refusal.ts'
import { matchesSearch, readSearch } from './search.ts'

type Params = Readonly<Record<string, unknown>>

/** Returns the definition of a type. For an unknown type, throws the error of an unknown method. */
export function kindOf({ fleet }: Database, params: Params, method: string): EntityKind {
  const typeName = String(params['typeName'])
  const kind = Object.hasOwn(catalogue, typeName) ? catalogue[typeName] : undefined
  const isUnknown = typeName === 'Trailer' && fleet.switches.trailers === 'unknown type'
  if (!kind || isUnknown) throw missingMethod(method)
  return kind
}

export function get(database: Database, params: Params): readonly Entity[] {
  const search = readSearch(params)
  if (params['typeName'] === 'DutyStatusAvailability') return availabilities(database, search)
  const kind = kindOf(database, params, 'Get')
  const requested = limitIn(params)
  if (kind.beyond === 'refused' && requested !== undefined && requested > kind.getLimit)
    throw overResults(`Supplied results limit (${requested}) exceeds maximum limit (${kind.getLimit}).`)
  const limit = kind.beyond === 'refused' ? Math.min(kind.getLimit, database.mostFound) : kind.getLimit
  const most = requested === undefined ? limit : Math.min(requested, kind.getLimit)
  const found = find(database, params, kind, search, params['sort'] ? Infinity : most + 1)
  const sorted = sortedAs(found, params, kind)
  if (kind.beyond === 'refused' && requested === undefined && sorted.length > limit)
    throw overResults(tooMany[database.fleet.switches.tooManyResults](limit))
  return sorted.slice(0, most)
}

export function countOf(database: Database, params: Params): number {
  return find(database, params, kindOf(database, params, 'GetCountOf'), readSearch(params), Infinity).length
}

function find(database: Database, params: Params, kind: EntityKind, search: Search, most: number): Entity[] {
  const found: Entity[] = []
  for (const entity of database.store(String(params['typeName']), kind).all(search)) {
    if (found.length >= most) break
    if (matchesSearch(entity, search, kind.time)) found.push(entity)
  }
  return found
}

export function limitIn(params: Params): number | undefined {
  const limit = params['resultsLimit']
  return typeof limit === 'number' ? limit : undefined
}

const tooMany = {
  'are a result': (limit: number) => `The result exceeds the maximum limit (${limit}).`,
  'are results': (limit: number) => `Too many results: more than ${limit} were found.`,
}

const overResults = (message: string): Refusal => new Refusal('OverLimitException', message)

interface Sort {
  readonly sortBy?: string
  readonly sortDirection?: string
  readonly offset?: string | null
  readonly lastId?: string
}

/** Returns the results after the last id of the previous page, in the order of ids. */
function sortedAs(found: readonly Entity[], { sort, search }: Params, kind: EntityKind): readonly Entity[] {
  if (typeof sort !== 'object' || sort === null) return found
  const { sortBy = 'id', sortDirection = 'asc', offset, lastId } = sort as Sort
  if (!kind.canSortById && search !== undefined)
    throw new Refusal(
      'GenericException',
      'An undefined exception has occurred. Please contact Support for further assistance.',
    )
  if (!kind.canSortById || sortBy !== 'id' || lastId !== undefined)
    throw new Refusal(
      'ArgumentException',
      `Can not sort by ${sortBy}. Supported sortable fields are version, date.`,
    )
  const direction = sortDirection === 'desc' ? -1 : 1
  const sorted = found.toSorted((one, other) => direction * compareIds(one['id'], other['id']))
  return typeof offset === 'string'
    ? sorted.filter(({ id }) => direction * compareIds(id, offset) > 0)
    : sorted
}

/** Compares ids by length, then by text: short ids are numbers. */
function compareIds(one: unknown, other: unknown): number {
  const [first, second] = [String(one), String(other)]
  return first.length - second.length || (first < second ? -1 : Number(first > second))
}

/** Returns the remaining hours of one driver. A request for all drivers is refused. */
function availabilities({ fleet }: Database, { user }: Search): Entity[] {
  if (user === undefined) throw new Refusal('ArgumentException', 'A userSearch is required.')
  return driversWithHours(fleet)
    .filter((driver) => userId(driver) === user)
    .map((driver) => availabilityOf(fleet, driver))
}

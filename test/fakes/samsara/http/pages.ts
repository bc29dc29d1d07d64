import { badRequest, type FakeRequest } from './call.ts'
import type { Switches } from '../behaviours.ts'

export interface Pagination {
  readonly endCursor: string
  readonly hasNextPage: boolean
}

/** Sort key of an item in its list. */
export type Position = readonly number[]

/** Prefix of new cursors while the switch `cursors` invalidates the old ones. */
const NEW_CURSOR_PREFIX = 'n'

const prefixOf = ({ cursors }: Switches): string => (cursors === 'forgotten' ? NEW_CURSOR_PREFIX : '')

const toCursor = (position: Position, switches: Switches): string =>
  Buffer.from(prefixOf(switches) + position.join(':')).toString('base64url')

export function fromCursor({ query, switches }: Pick<FakeRequest, 'query' | 'switches'>): Position | null {
  const cursor = query.get('after')
  if (!cursor) return null
  const text = Buffer.from(cursor, 'base64url').toString()
  const numbers = text.slice(prefixOf(switches).length)
  if (!text.startsWith(prefixOf(switches)) || !/^-?\d+(:-?\d+)*$/.test(numbers))
    throw badRequest('Invalid value for parameter after.')
  return numbers.split(':').map(Number)
}

export function isAfter(position: Position, other: Position): boolean {
  const at = position.findIndex((number, index) => number !== other[index])
  return at !== -1 && (position[at] as number) > (other[at] ?? -Infinity)
}

/** Returns the requested page size, up to Samsara's maximum. */
export function limitIn({ query, switches }: FakeRequest, most = Number(switches.pageSize)): number {
  const given = query.get('limit')
  if (given === null) return most
  const limit = Number(given)
  if (!Number.isInteger(limit) || limit < 1 || limit > 512)
    throw badRequest('Invalid value for parameter limit: must be between 1 and 512.')
  return Math.min(limit, most)
}

/** Returns a page of a list that is sorted by position. */
export function pageOf<Item>(
  request: FakeRequest,
  items: readonly Item[],
  positionOf: (item: Item) => Position,
  limit = limitIn(request),
): { items: Item[]; pagination: Pagination } {
  const after = fromCursor(request)
  const rest = after ? items.filter((item) => isAfter(positionOf(item), after)) : items
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page,
    pagination: paginationOf(request, last && positionOf(last), rest.length > page.length),
  }
}

export function paginationOf(
  { query, switches }: { query: URLSearchParams; switches: Switches },
  last: Position | undefined,
  hasNextPage: boolean,
): Pagination {
  const before = query.get('after') ?? ''
  if (!hasNextPage && switches.lastCursor === 'empty') return { endCursor: '', hasNextPage }
  return { endCursor: last ? toCursor(last, switches) : before, hasNextPage }
}

/** Returns the pagination of a feed or stream. The cursor is never empty, so that a client can continue later. */
export function streamPagination(
  request: FakeRequest,
  last: Position | undefined,
  hasNextPage: boolean,
): Pagination {
  const before = request.query.get('after') ?? ''
  return { endCursor: last ? toCursor(last, request.switches) : before, hasNextPage }
}

import type { Ms, Vehicle } from '../../world/truth.ts'
import { badRequest, type FakeRequest } from '../http/call.ts'
import { fromCursor, paginationOf, streamPagination, type Pagination, type Position } from '../http/pages.ts'
import { MILLISECONDS_PER_DAY } from '../formats.ts'

/** A reading of one vehicle or trailer. */
interface Reading {
  readonly at: Ms
  readonly arrivedAt: Ms
}

/** Readings of a feed. `between` returns them in the order of time. */
export interface Source<Item extends Reading> {
  readonly members: readonly Pick<Vehicle, 'number'>[]
  latest(member: number): Item | null
  between(member: number, from: Ms, to: Ms): readonly Item[]
}

interface Page<Item> {
  readonly items: readonly Item[]
  readonly pagination: Pagination
}

const INITIAL = -1
const MAX_ARRIVAL_DELAY = 8 * MILLISECONDS_PER_DAY

/**
 * Returns a page of a feed: first the newest reading of each member, then all that arrive later, also old ones. The
 * cursor of the last page is `[since]`, that of other pages `[since, until, member, at]`.
 */
export function feedPage<Item extends Reading>(request: FakeRequest, source: Source<Item>): Page<Item> {
  const cursor = fromCursor(request) ?? [INITIAL, request.organization.now]
  const [since, until = request.organization.now, member = -Infinity, at = -Infinity] = cursor as [number]
  if (since > request.organization.now) throw badRequest('Invalid value for parameter after.')
  if (since === INITIAL) return initialPage(request, source, until, member)
  const found: { item: Item; position: Position }[] = []
  for (const { number } of source.members) {
    if (number < member) continue
    for (const item of source.between(number, since - MAX_ARRIVAL_DELAY, until + 1)) {
      if (item.arrivedAt <= since || item.arrivedAt > until) continue
      if (number === member && item.at <= at) continue
      if (found.length === Number(request.switches.readingsPerPage))
        return pageOf(request, found, true, until)
      found.push({ item, position: [since, until, number, item.at] })
    }
  }
  return pageOf(request, found, false, until)
}

function initialPage<Item extends Reading>(
  request: FakeRequest,
  { members, latest }: Source<Item>,
  until: Ms,
  member: number,
): Page<Item> {
  const rest = members.filter(({ number }) => number > member)
  const page = rest.slice(0, Number(request.switches.pageSize))
  const items = page.flatMap(({ number }) => latest(number) ?? [])
  const hasNextPage = rest.length > page.length
  const last = hasNextPage ? [INITIAL, until, page.at(-1)?.number ?? 0] : [until]
  return { items, pagination: streamPagination(request, last, hasNextPage) }
}

function pageOf<Item>(
  request: FakeRequest,
  found: readonly { item: Item; position: Position }[],
  hasNextPage: boolean,
  until: Ms,
): Page<Item> {
  const last = hasNextPage ? found.at(-1)?.position : [until]
  return { items: found.map(({ item }) => item), pagination: streamPagination(request, last, hasNextPage) }
}

/** Returns a page of the readings of a period, by member. A cursor is `[member, at]`. */
export function historyPage<Item extends Reading>(
  request: FakeRequest,
  { members, between }: Source<Item>,
  from: Ms,
  to: Ms,
): Page<Item> {
  const [member = -Infinity, at = -Infinity] = fromCursor(request) ?? []
  const items: Item[] = []
  let last: Position | undefined
  for (const { number } of members) {
    if (number < member) continue
    for (const item of between(number, number === member ? Math.max(from, at + 1) : from, to)) {
      if (items.length === Number(request.switches.readingsPerPage))
        return { items, pagination: paginationOf(request, last, true) }
      items.push(item)
      last = [number, item.at]
    }
  }
  return { items, pagination: paginationOf(request, last, false) }
}

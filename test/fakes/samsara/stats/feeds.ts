import type { Ms, Vehicle } from '../../world/truth.ts'
import { badRequest, type Asked } from '../call.ts'
import { fromCursor, paginationOf, streamPagination, type Pagination, type Position } from '../pages.ts'
import { MILLISECONDS_PER_DAY } from '../wording.ts'

/** Something told of one vehicle or trailer. */
interface Told {
  readonly at: Ms
  readonly arrivedAt: Ms
}

/** What a feed is made of. `between` is in order of time. */
export interface Source<Item extends Told> {
  readonly members: readonly Pick<Vehicle, 'number'>[]
  latest(member: number): Item | null
  between(member: number, from: Ms, to: Ms): readonly Item[]
}

interface Page<Item> {
  readonly items: readonly Item[]
  readonly pagination: Pagination
}

const INITIAL = -1
/** Nothing arrives later than this after it was. */
const LATEST_ARRIVAL = 3 * MILLISECONDS_PER_DAY

/**
 * First the newest of each, then what has arrived since, however old it is. A cursor is `[since]` after the last page,
 * else `[since, until, member, at]`.
 */
export function feedPage<Item extends Told>(asked: Asked, source: Source<Item>): Page<Item> {
  const cursor = fromCursor(asked) ?? [INITIAL, asked.organization.now]
  const [since, until = asked.organization.now, member = -Infinity, at = -Infinity] = cursor as [number]
  if (since > asked.organization.now) throw badRequest('Invalid value for parameter after.')
  if (since === INITIAL) return initialPage(asked, source, until, member)
  const found: { item: Item; position: Position }[] = []
  for (const { number } of source.members) {
    if (number < member) continue
    for (const item of source.between(number, since - LATEST_ARRIVAL, until + 1)) {
      if (item.arrivedAt <= since || item.arrivedAt > until) continue
      if (number === member && item.at <= at) continue
      if (found.length === Number(asked.switches.readingsPerPage)) return pageOf(asked, found, true, until)
      found.push({ item, position: [since, until, number, item.at] })
    }
  }
  return pageOf(asked, found, false, until)
}

function initialPage<Item extends Told>(
  asked: Asked,
  { members, latest }: Source<Item>,
  until: Ms,
  member: number,
): Page<Item> {
  const rest = members.filter(({ number }) => number > member)
  const page = rest.slice(0, Number(asked.switches.pageSize))
  const items = page.flatMap(({ number }) => latest(number) ?? [])
  const hasNextPage = rest.length > page.length
  const last = hasNextPage ? [INITIAL, until, page.at(-1)?.number ?? 0] : [until]
  return { items, pagination: streamPagination(asked, last, hasNextPage) }
}

function pageOf<Item>(
  asked: Asked,
  found: readonly { item: Item; position: Position }[],
  hasNextPage: boolean,
  until: Ms,
): Page<Item> {
  const last = hasNextPage ? found.at(-1)?.position : [until]
  return { items: found.map(({ item }) => item), pagination: streamPagination(asked, last, hasNextPage) }
}

/** What was in a time, vehicle by vehicle. A cursor is `[member, at]`. */
export function historyPage<Item extends Told>(
  asked: Asked,
  { members, between }: Source<Item>,
  from: Ms,
  to: Ms,
): Page<Item> {
  const [member = -Infinity, at = -Infinity] = fromCursor(asked) ?? []
  const items: Item[] = []
  let last: Position | undefined
  for (const { number } of members) {
    if (number < member) continue
    for (const item of between(number, number === member ? Math.max(from, at + 1) : from, to)) {
      if (items.length === Number(asked.switches.readingsPerPage))
        return { items, pagination: paginationOf(asked, last, true) }
      items.push(item)
      last = [number, item.at]
    }
  }
  return { items, pagination: paginationOf(asked, last, false) }
}

import type { FakeRequest } from './fake-request.ts'
import { badRequest } from './refusal.ts'

const DEFAULT_PAGE_SIZE = 25
const MAX_PAGE_SIZE = 100

/** Names of a list and of its items: each item is wrapped in an object. */
export interface Names {
  readonly list: string
  readonly item: string
}

/** Returns a page of a list, which can shift between two calls. `items` are sorted, the oldest first. */
export function pageOf<Item>(
  request: FakeRequest,
  { list, item }: Names,
  items: readonly Item[],
  format: (item: Item) => object,
): object {
  const perPage = numberIn(request, 'per_page', DEFAULT_PAGE_SIZE)
  const pageNo = numberIn(request, 'page_no', 1)
  if (perPage > MAX_PAGE_SIZE) throw badRequest(`per_page must be at most ${MAX_PAGE_SIZE}`)
  const ordered = request.is('order', 'newest_first') ? items.toReversed() : items
  const page = ordered.slice((pageNo - 1) * perPage, pageNo * perPage)
  return {
    [list]: page.map((each) => ({ [item]: format(each) })),
    pagination: { per_page: perPage, page_no: pageNo, total: items.length },
  }
}

function numberIn({ query }: FakeRequest, name: string, defaultValue: number): number {
  const value = Number(query.get(name) ?? defaultValue)
  if (!Number.isInteger(value) || value < 1) throw badRequest(`${name} is invalid`)
  return value
}

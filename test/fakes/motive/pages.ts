import type { FakeRequest } from './fake-request.ts'
import { badRequest } from './refusal.ts'

const USUAL = 25
const MOST = 100

/** Names of a list and of the wrapper of its items. */
export interface Names {
  readonly list: string
  readonly item: string
}

/**
 * Returns a page of the current list, which may shift between two calls. Input items are sorted oldest first.
 */
export function pageOf<Item>(
  request: FakeRequest,
  { list, item }: Names,
  items: readonly Item[],
  format: (item: Item) => object,
): object {
  const perPage = numberIn(request, 'per_page', USUAL)
  const pageNo = numberIn(request, 'page_no', 1)
  if (perPage > MOST) throw badRequest(`per_page must be at most ${MOST}`)
  const ordered = request.is('order', 'newest_first') ? items.toReversed() : items
  const page = ordered.slice((pageNo - 1) * perPage, pageNo * perPage)
  return {
    [list]: page.map((each) => ({ [item]: format(each) })),
    pagination: { per_page: perPage, page_no: pageNo, total: items.length },
  }
}

function numberIn({ query }: FakeRequest, name: string, usual: number): number {
  const value = Number(query.get(name) ?? usual)
  if (!Number.isInteger(value) || value < 1) throw badRequest(`${name} is invalid`)
  return value
}

import type { Asked } from './asked.ts'
import { badRequest } from './refusal.ts'

const USUAL = 25
const MOST = 100

/** The names of a list and of what each of its items is wrapped in. */
export interface Names {
  readonly list: string
  readonly item: string
}

/** A page of a list as it is now: between two calls it may have shifted. Items come with the oldest first. */
export function pageOf<Item>(
  asked: Asked,
  { list, item }: Names,
  items: readonly Item[],
  tell: (item: Item) => object,
): object {
  const perPage = numberIn(asked, 'per_page', USUAL)
  const pageNo = numberIn(asked, 'page_no', 1)
  if (perPage > MOST) throw badRequest(`per_page must be at most ${MOST}`)
  const ordered = asked.is('order', 'newest_first') ? items.toReversed() : items
  const page = ordered.slice((pageNo - 1) * perPage, pageNo * perPage)
  return {
    [list]: page.map((each) => ({ [item]: tell(each) })),
    pagination: { per_page: perPage, page_no: pageNo, total: items.length },
  }
}

function numberIn({ query }: Asked, name: string, usual: number): number {
  const value = Number(query.get(name) ?? usual)
  if (!Number.isInteger(value) || value < 1) throw badRequest(`${name} is invalid`)
  return value
}

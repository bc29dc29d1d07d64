import { z } from 'zod'
import type { ProviderApi, Query } from '../../../provider-api.ts'
import { ProviderError } from '../../../provider-error.ts'
import { validate } from '../../../mapping/validate.ts'
import type { Reader } from '../../../provider.ts'
import { nextPage, startOf } from './pagination.ts'

/** Where a list is read: how many items there were, which the last one was, and how often reading began again. */
export interface ListCursor {
  readonly read: number
  readonly last: string | null
  readonly again: number
}

export const START: ListCursor = { read: 0, last: null, again: 0 }

export interface ListPage {
  readonly items: readonly unknown[]
  /** Null after the last one. */
  readonly next: ListCursor | null
}

/**
 * One page of a list. Pages are counted from the list as it is at the call: where the item that was read last is not
 * found again, others have moved up and were missed, and the list is read from its start.
 */
export async function pageAt(api: ProviderApi, path: string, query: Query, place = START): Promise<ListPage> {
  const page = nextPage(place.read)
  const { items, pagination } = listIn(path, await api.get(path, { ...query, ...page }))
  if (!pagination) return { items, next: null }
  const { page_no: pageNo, per_page: perPage } = pagination
  if ((pageNo ?? page.page_no) !== page.page_no || (perPage ?? page.per_page) !== page.per_page)
    throw new ProviderError('malformed', `${path} gave another page than was asked for`)
  const isFound = place.last === null || items.some((item) => nameOf(item) === place.last)
  if (!isFound) return { items, next: fromStart(path, place) }
  const read = startOf(page) + items.length
  const isLast = pagination.total == null ? items.length < page.per_page : read >= pagination.total
  // Where no more comes there is no more, whatever the total.
  if (isLast || read <= place.read) return { items, next: null }
  return { items, next: { ...place, read, last: nameOf(items.at(-1)) } }
}

const MAX_TIMES = 5

function fromStart(path: string, { again }: ListCursor): ListCursor {
  if (again >= MAX_TIMES) throw new ProviderError('unavailable', `${path} does not stand still`)
  return { ...START, again: again + 1 }
}

const count = z.number().int().nullish()
const answer = z.looseObject({
  pagination: z.looseObject({ page_no: count, per_page: count, total: count }).nullish(),
})
const lists = z.array(z.looseObject({}))

/** The list that an answer has, by whatever name: versions differ. Each of its items is wrapped in its singular. */
function listIn(path: string, told: unknown) {
  const { pagination, ...members } = validate(answer, told)
  const list = Object.values(members).find((member) => Array.isArray(member))
  if (!list) throw new ProviderError('malformed', `${path} has no list`)
  return { items: validate(lists, list), pagination }
}

/** An item without what it is wrapped in. */
export function unwrapped(item: unknown): unknown {
  const values = Object.values((item ?? {}) as Record<string, unknown>)
  return values.length === 1 && typeof values[0] === 'object' ? values[0] : item
}

const named = z.looseObject({
  id: z.unknown().optional(),
  jurisdiction: z.unknown().optional(),
  vehicle: z.looseObject({ id: z.unknown().optional() }).nullish(),
})

/** What tells the items of any list apart: an id of theirs, or of whose sum they are. */
function nameOf(item: unknown): string {
  const { data } = named.safeParse(unwrapped(item))
  return JSON.stringify([data?.id, data?.vehicle?.id, data?.jurisdiction])
}

/** All items of a list that is short. */
export async function readAllItems(api: ProviderApi, path: string, query: Query = {}): Promise<unknown[]> {
  const items: unknown[] = []
  for (let place: ListCursor | null = START; place;) {
    const page: ListPage = await pageAt(api, path, query, place)
    items.push(...page.items.map(unwrapped))
    place = page.next
  }
  return items
}

/** A list of everything there is. */
export const fullListReader = <Shape extends z.ZodType, Draft>(
  path: string,
  schema: string,
  shape: Shape,
  toDraft: (record: z.infer<Shape>) => Draft,
  toRecords: (items: readonly unknown[], api: ProviderApi) => unknown[] | Promise<unknown[]> = (items) => [
    ...items,
  ],
  query: Query = {},
): Reader<Draft> => ({
  mode: 'full',
  schema,
  async read(api, state) {
    const { items, next } = await pageAt(api, path, query, (state as ListCursor | null) ?? START)
    return { records: await toRecords(items.map(unwrapped), api), next: next && { ...next } }
  },
  normalize: (record) => toDraft(validate(shape, record)),
})

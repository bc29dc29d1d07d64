import { z } from 'zod'
import type { ProviderApi, QueryParams } from '../../../provider-api.ts'
import { ProviderError } from '../../../provider-error.ts'
import { integerValue } from '../../../mapping/numbers.ts'
import { optionalMember } from '../../../mapping/optional-member.ts'
import { validate } from '../../../mapping/validate.ts'
import type { Reader } from '../../../provider.ts'
import { MIN_PAGE_SIZE, nextPage, type NumberedPage, startOf } from './pagination.ts'

/** Position in a list. */
export interface ListCursor {
  /** Number of items that were read. */
  readonly read: number
  /** Identity of the last item that was read. */
  readonly last: string | null
  /** Number of restarts. */
  readonly again: number
  /** Maximum page size of the endpoint, if it applied a smaller one than requested. */
  readonly maxSize?: number
}

export const START: ListCursor = { read: 0, last: null, again: 0 }

export interface ListPage {
  readonly items: readonly unknown[]
  /** Null after the last page. */
  readonly next: ListCursor | null
}

/**
 * Reads one page of a list. Page numbers refer to the list at the time of the call, so each page repeats the last item
 * that was read. If this item is missing, the list has changed and items may have been skipped. The list is then read
 * again from the start. An endpoint may permit only smaller pages than requested. The following pages have its size.
 */
export async function pageAt(
  api: ProviderApi,
  path: string,
  query: QueryParams,
  cursor = START,
): Promise<ListPage> {
  const page = nextPage(cursor.read, cursor.maxSize)
  const { items, pagination } = listIn(path, await api.get(path, { ...query, ...page }))
  if (!pagination) return { items, next: null }
  const size = sizeOf(path, page, pagination, items.length)
  const isSmaller = size < page.per_page
  // A smaller page starts at another item, unless it is the first page.
  if (isSmaller && page.page_no > 1) return pageAt(api, path, query, { ...cursor, maxSize: size })
  const isFound = cursor.last === null || items.some((item) => identityOf(item) === cursor.last)
  if (!isFound) return { items, next: restart(path, cursor) }
  const read = startOf(page) + items.length
  const isLast = pagination.total === null ? items.length < size : read >= pagination.total
  // A page without new items is the last one, even if the total is higher.
  if (isLast || read <= cursor.read) return { items, next: null }
  const next = { ...cursor, read, last: identityOf(items.at(-1)) }
  return { items, next: isSmaller ? { ...next, maxSize: size } : next }
}

/** Returns the size of the page that the endpoint applied. Throws if it is not the requested page. */
function sizeOf(
  path: string,
  { page_no: pageNo, per_page: perPage }: NumberedPage,
  applied: Pagination,
  items: number,
): number {
  const size = applied.per_page ?? perPage
  if ((applied.page_no ?? pageNo) !== pageNo || size > perPage || size < MIN_PAGE_SIZE)
    throw new ProviderError('malformed', `${path} returned another page than requested`)
  // An endpoint can also cut its first page without a word. The total shows it.
  const isCut = pageNo === 1 && items >= MIN_PAGE_SIZE && items < size && items < (applied.total ?? 0)
  return isCut ? items : size
}

const MAX_RESTARTS = 5

function restart(path: string, { again, ...cursor }: ListCursor): ListCursor {
  if (again >= MAX_RESTARTS) throw new ProviderError('unavailable', `${path} changes during each read`)
  return { ...cursor, read: START.read, last: START.last, again: again + 1 }
}

/** Number that some API versions send as a text. */
const count = optionalMember(integerValue).catch(null)
const paginationSchema = z.looseObject({ page_no: count, per_page: count, total: count })
type Pagination = z.infer<typeof paginationSchema>
const response = z.looseObject({ pagination: paginationSchema.nullish() })

/** Finds the list in a response, whose name differs between API versions. Each item is wrapped in an object. */
function listIn(path: string, body: unknown) {
  const { pagination, ...members } = validate(response, body)
  const list = Object.values(members).find((member): member is unknown[] => Array.isArray(member))
  if (!list) throw new ProviderError('malformed', `${path} has no list`)
  return { items: list, pagination }
}

/** Removes the wrapper of an item, such as `{ vehicle: … }`. */
export function unwrapped(item: unknown): unknown {
  const values = Object.values((item ?? {}) as Record<string, unknown>)
  return values.length === 1 && typeof values[0] === 'object' ? values[0] : item
}

const named = z.looseObject({
  id: z.unknown().optional(),
  jurisdiction: z.unknown().optional(),
  vehicle: z.looseObject({ id: z.unknown().optional() }).nullish(),
})

/** Identifies an item within its list: by its id or, for a sum, by its vehicle and jurisdiction. */
function identityOf(item: unknown): string {
  const { data } = named.safeParse(unwrapped(item))
  return JSON.stringify([data?.id, data?.vehicle?.id, data?.jurisdiction])
}

/** Reads all items of a short list. */
export async function readAllItems(
  api: ProviderApi,
  path: string,
  query: QueryParams = {},
): Promise<unknown[]> {
  const items: unknown[] = []
  for (let cursor: ListCursor | null = START; cursor;) {
    const page: ListPage = await pageAt(api, path, query, cursor)
    items.push(...page.items.map(unwrapped))
    cursor = page.next
  }
  return items
}

/** Creates a reader of a full list. */
export const fullListReader = <Shape extends z.ZodType, Normalized>(
  path: string,
  schema: string,
  shape: Shape,
  toNormalized: (record: z.infer<Shape>) => Normalized,
  toRecords: (items: readonly unknown[], api: ProviderApi) => unknown[] | Promise<unknown[]> = (items) => [
    ...items,
  ],
  query: QueryParams = {},
): Reader<Normalized> => ({
  mode: 'full',
  schema,
  async read(api, state) {
    const { items, next } = await pageAt(api, path, query, (state as ListCursor | null) ?? START)
    return { records: await toRecords(items.map(unwrapped), api), next: next && { ...next } }
  },
  normalize: (record) => toNormalized(validate(shape, record)),
})

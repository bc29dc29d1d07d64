import { z } from 'zod'
import type { ProviderApi, QueryParams } from '../../provider-api.ts'
import { ProviderError } from '../../provider-error.ts'
import { readableBoolean } from '../../mapping/boolean.ts'
import { validate } from '../../mapping/validate.ts'
import type { Reader, ReaderState, TimeWindow } from '../../provider.ts'

const pageSchema = z.looseObject({
  data: z.unknown(),
  pagination: z.looseObject({ endCursor: z.string().nullish(), hasNextPage: readableBoolean }),
})

export interface ListPage {
  readonly records: readonly unknown[]
  /** Cursor of the next page; null if no page of the list had one. */
  readonly endCursor: string | null
  readonly isLast: boolean
}

const list = z.array(z.unknown())

const repeatedCursorError = (path: string) => new ProviderError('malformed', `${path} repeats its cursor`)

/** Reads one page. Its records are the list `data`, or a member of `data` that is named `member`. */
export async function pageAt(
  api: ProviderApi,
  path: string,
  query: QueryParams,
  after: string | null,
  member?: string,
): Promise<ListPage> {
  const { data, pagination } = validate(pageSchema, await api.get(path, { ...query, after }))
  const { endCursor, hasNextPage } = pagination
  if (hasNextPage && (!endCursor || endCursor === after)) throw repeatedCursorError(path)
  const records = member === undefined ? data : validate(z.looseObject({}), data)[member]
  return { records: validate(list, records), endCursor: endCursor || after, isLast: !hasNextPage }
}

/** Reads all pages of a short list. */
export async function* readPages(
  api: ProviderApi,
  path: string,
  query: QueryParams,
  member?: string,
): AsyncGenerator<ListPage, void> {
  const seen = new Set<string | null>()
  for (let after: string | null = null; ;) {
    if (seen.has(after)) throw repeatedCursorError(path)
    seen.add(after)
    const page = await pageAt(api, path, query, after, member)
    yield page
    if (page.isLast) return
    after = page.endCursor
  }
}

/** Reads all records of a short list. */
export async function readAll(
  api: ProviderApi,
  path: string,
  query: QueryParams,
  member?: string,
): Promise<unknown[]> {
  const records: unknown[] = []
  for await (const page of readPages(api, path, query, member)) records.push(...page.records)
  return records
}

/** Index of the current list, and the cursor in it. */
interface ListsCursor {
  readonly list: number
  readonly after: string | null
}

/** Reads a page of one of several lists, which differ in their query and are read one after the other. */
export async function readListsPage(
  api: ProviderApi,
  state: ReaderState,
  path: string,
  queries: readonly QueryParams[],
  member?: string,
) {
  const cursor = (state as ListsCursor | null) ?? { list: 0, after: null }
  const query = queries[cursor.list] ?? {}
  const { records, endCursor, isLast } = await pageAt(api, path, query, cursor.after, member)
  const isEnd = isLast && cursor.list + 1 >= queries.length
  const next: ListsCursor = isLast ? { list: cursor.list + 1, after: null } : { ...cursor, after: endCursor }
  return { query, records, next: isEnd ? null : { ...next } }
}

/** Page size, for endpoints that accept one. */
export const LIMIT = { limit: 512 }

/** Creates a reader of a full list, or of several lists that together contain all records. */
export const fullListReader = <Shape extends z.ZodType, Normalized>(
  path: string,
  schemaName: string,
  shape: Shape,
  toNormalized: (record: z.infer<Shape>) => Normalized,
  {
    queries = () => [LIMIT],
    isIncluded = () => true,
  }: { queries?: (window: TimeWindow) => QueryParams[]; isIncluded?: (record: unknown) => boolean } = {},
): Reader<Normalized> => ({
  mode: 'full',
  schema: schemaName,
  async read(api, state, window) {
    const { records, next } = await readListsPage(api, state, path, queries(window))
    return { records: records.filter(isIncluded), next }
  },
  normalize: (record) => toNormalized(validate(shape, record)),
})

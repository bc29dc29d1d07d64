import { z } from 'zod'
import type { ProviderApi, Query } from '../../provider-api.ts'
import { ProviderError } from '../../provider-error.ts'
import { validate } from '../../mapping/validate.ts'
import type { Reader, ReaderState, TimeWindow } from '../../provider.ts'

const page = z.looseObject({
  data: z.unknown(),
  pagination: z.looseObject({ endCursor: z.string(), hasNextPage: z.boolean() }),
})

export interface ListPage {
  readonly records: readonly unknown[]
  /** Where it goes on; null where nothing was told yet. */
  readonly endCursor: string | null
  readonly isLast: boolean
}

const list = z.array(z.unknown())

const repeating = (path: string) => new ProviderError('malformed', `${path} repeats its cursor`)

/** One page; what it lists is the data itself, or stands in it by a name. */
export async function pageAt(
  api: ProviderApi,
  path: string,
  query: Query,
  after: string | null,
  name?: string,
): Promise<ListPage> {
  const { data, pagination } = validate(page, await api.get(path, { ...query, after }))
  const { endCursor, hasNextPage } = pagination
  if (hasNextPage && (endCursor === '' || endCursor === after)) throw repeating(path)
  const records = name === undefined ? data : validate(z.looseObject({}), data)[name]
  return { records: validate(list, records), endCursor: endCursor || after, isLast: !hasNextPage }
}

/** All pages of a list that is short, one after another. */
export async function* readPages(
  api: ProviderApi,
  path: string,
  query: Query,
  name?: string,
): AsyncGenerator<ListPage, void> {
  const begun = new Set<string | null>()
  for (let after: string | null = null; ;) {
    if (begun.has(after)) throw repeating(path)
    begun.add(after)
    const page = await pageAt(api, path, query, after, name)
    yield page
    if (page.isLast) return
    after = page.endCursor
  }
}

/** What they list. */
export async function readAll(
  api: ProviderApi,
  path: string,
  query: Query,
  name?: string,
): Promise<unknown[]> {
  const records: unknown[] = []
  for await (const page of readPages(api, path, query, name)) records.push(...page.records)
  return records
}

/** Which of several lists is read, and where. */
interface ListsCursor {
  readonly list: number
  readonly after: string | null
}

/** Pages of one list after another, which differ in what is asked for. */
export async function readListsPage(
  api: ProviderApi,
  state: ReaderState,
  path: string,
  queries: readonly Query[],
  name?: string,
) {
  const place = (state as ListsCursor | null) ?? { list: 0, after: null }
  const query = queries[place.list] ?? {}
  const { records, endCursor, isLast } = await pageAt(api, path, query, place.after, name)
  const isEnd = isLast && place.list + 1 >= queries.length
  const next: ListsCursor = isLast ? { list: place.list + 1, after: null } : { ...place, after: endCursor }
  return { query, records, next: isEnd ? null : { ...next } }
}

export const LIMIT = { limit: 512 }

/** A list of everything there is, or several that make it up. */
export const fullListReader = <Shape extends z.ZodType, Draft>(
  path: string,
  schema: string,
  shape: Shape,
  toDraft: (record: z.infer<Shape>) => Draft,
  {
    queries = () => [LIMIT],
    isRead = () => true,
  }: { queries?: (window: TimeWindow) => Query[]; isRead?: (record: unknown) => boolean } = {},
): Reader<Draft> => ({
  mode: 'full',
  schema,
  async read(api, state, window) {
    const { records, next } = await readListsPage(api, state, path, queries(window))
    return { records: records.filter(isRead), next }
  },
  normalize: (record) => toDraft(validate(shape, record)),
})

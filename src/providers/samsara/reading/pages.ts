import { z } from 'zod'
import { type ProviderApi, ProviderError } from '../../api.ts'
import { checked } from '../../checked.ts'
import type { Reader, ReaderState, Window } from '../../provider.ts'
import type { Query } from '../../question.ts'

const page = z.looseObject({
  data: z.unknown(),
  pagination: z.looseObject({ endCursor: z.string(), hasNextPage: z.boolean() }),
})

export interface Page {
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
): Promise<Page> {
  const { data, pagination } = checked(page, await api.get(path, { ...query, after }))
  const { endCursor, hasNextPage } = pagination
  if (hasNextPage && (endCursor === '' || endCursor === after)) throw repeating(path)
  const records = name === undefined ? data : checked(z.looseObject({}), data)[name]
  return { records: checked(list, records), endCursor: endCursor || after, isLast: !hasNextPage }
}

/** All pages of a list that is short, one after another. */
export async function* pagesOf(
  api: ProviderApi,
  path: string,
  query: Query,
  name?: string,
): AsyncGenerator<Page, void> {
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
export async function everyPage(
  api: ProviderApi,
  path: string,
  query: Query,
  name?: string,
): Promise<unknown[]> {
  const records: unknown[] = []
  for await (const page of pagesOf(api, path, query, name)) records.push(...page.records)
  return records
}

/** Which of several lists is read, and where. */
interface Place {
  readonly list: number
  readonly after: string | null
}

/** Pages of one list after another, which differ in what is asked for. */
export async function pageOfLists(
  api: ProviderApi,
  state: ReaderState,
  path: string,
  queries: readonly Query[],
  name?: string,
) {
  const place = (state as Place | null) ?? { list: 0, after: null }
  const query = queries[place.list] ?? {}
  const { records, endCursor, isLast } = await pageAt(api, path, query, place.after, name)
  const isEnd = isLast && place.list + 1 >= queries.length
  const next: Place = isLast ? { list: place.list + 1, after: null } : { ...place, after: endCursor }
  return { query, records, next: isEnd ? null : { ...next } }
}

export const LIMIT = { limit: 512 }

/** A list of everything there is, or several that make it up. */
export const full = <Shape extends z.ZodType, Draft>(
  path: string,
  schema: string,
  shape: Shape,
  toDraft: (record: z.infer<Shape>) => Draft,
  {
    queries = () => [LIMIT],
    isRead = () => true,
  }: { queries?: (window: Window) => Query[]; isRead?: (record: unknown) => boolean } = {},
): Reader<Draft> => ({
  mode: 'full',
  schema,
  async read(api, state, window) {
    const { records, next } = await pageOfLists(api, state, path, queries(window))
    return { records: records.filter(isRead), next }
  },
  toDraft: (record) => toDraft(checked(shape, record)),
})

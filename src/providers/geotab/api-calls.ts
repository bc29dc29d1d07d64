import { z } from 'zod'
import { type Instant, toIso } from '../../domain/time.ts'
import type { ProviderApi } from '../provider-api.ts'
import { validate } from '../mapping/validate.ts'
import { isObject } from '../../platform/is-object.ts'
import { isTooManyResults } from './error-mapping.ts'

type Params = Readonly<Record<string, unknown>>

const list = z.array(z.unknown())

const call = (api: ProviderApi, method: string, params: Params): Promise<unknown> =>
  api.post('/apiv1', { method, params })

/**
 * Calls Get once. The API silently truncates long lists of entities, so `listPageAfter` reads those in pages.
 * It refuses more than 50,000 time-based records, so `getInParts` reads those.
 */
export const get = async (api: ProviderApi, typeName: string, params: Params = {}): Promise<unknown[]> =>
  validate(list, await call(api, 'Get', { typeName, ...params }))

const feedResult = z.object({ data: list, toVersion: z.string().min(1) })

export const getFeed = async (api: ProviderApi, typeName: string, params: Params) =>
  validate(feedResult, await call(api, 'GetFeed', { typeName, ...params }))

/** Sizes to which a server cuts a page are multiples of this number. */
const CUT_SIZE = 100

/**
 * Whether the list may continue after a page. A page is normally full then. A server can also apply a smaller limit than
 * requested, and does not report it.
 */
export const mayContinue = (page: readonly unknown[], pageSize: number): boolean =>
  page.length >= pageSize || (page.length > 0 && page.length % CUT_SIZE === 0)

/** Reads a time range. If it has too many results, reads each half. */
export async function* getInParts(
  api: ProviderApi,
  typeName: string,
  search: Params,
): AsyncGenerator<unknown[], void, void> {
  try {
    yield await get(api, typeName, { search })
  } catch (error) {
    const halves = isTooManyResults(error) ? halvesOf(search) : null
    if (!halves) throw error
    for (const half of halves) yield* getInParts(api, typeName, half)
  }
}

const timeRange = z.object({ fromDate: z.string(), toDate: z.string() })

/** Halves a time range with inclusive ends. Null without a valid range, or if it is one instant. */
function halvesOf(search: Params): Params[] | null {
  const { data } = timeRange.safeParse(search)
  const [from, to] = [Date.parse(data?.fromDate ?? ''), Date.parse(data?.toDate ?? '')]
  if (!(from < to)) return null
  const middle: Instant = Math.floor((from + to) / 2)
  return [
    { ...search, toDate: toIso(middle) },
    { ...search, fromDate: toIso(middle + 1) },
  ]
}

/** Maximum number of Gets in a multi-call. Geotab's rate limit counts each of them. */
const CALLS_PER_REQUEST = 50

/** Returns the results of many searches, in order. */
export const getForEach = (
  api: ProviderApi,
  typeName: string,
  searches: readonly Params[],
): Promise<unknown[][]> => readForEach(api, typeName, searches, (found) => found)

type Convert<T> = (found: unknown[], index: number) => readonly T[]

/** Runs many searches and converts their results, in order. Only the converted results are kept in memory. */
export async function readForEach<T>(
  api: ProviderApi,
  typeName: string,
  searches: readonly Params[],
  convert: Convert<T>,
): Promise<T[][]> {
  const converted = searches.map((): T[] => [])
  const indexed = searches.map((search, index) => ({ search, index }))
  for (let first = 0; first < searches.length; first += CALLS_PER_REQUEST)
    for await (const { found, index } of searchResults(
      api,
      typeName,
      indexed.slice(first, first + CALLS_PER_REQUEST),
    ))
      for (const item of convert(found, index)) converted[index]?.push(item)
  return converted
}

interface IndexedSearch {
  readonly search: Params
  readonly index: number
}

/**
 * Runs many searches in one call. If there are too many results, runs each half of the searches, or a single search
 * in parts of its time range.
 */
async function* searchResults(
  api: ProviderApi,
  typeName: string,
  searches: readonly IndexedSearch[],
): AsyncGenerator<{ readonly found: unknown[]; readonly index: number }, void, void> {
  const results = await multiCall(api, typeName, searches)
  if (results)
    for (const [resultIndex, { index }] of searches.entries())
      yield { found: results[resultIndex] ?? [], index }
  else if (searches.length > 1) {
    const middle = Math.ceil(searches.length / 2)
    yield* searchResults(api, typeName, searches.slice(0, middle))
    yield* searchResults(api, typeName, searches.slice(middle))
  } else
    for (const { search, index } of searches)
      for await (const found of getInParts(api, typeName, search)) yield { found, index }
}

/** Returns the result of each search; null if there are too many results. */
async function multiCall(api: ProviderApi, typeName: string, searches: readonly IndexedSearch[]) {
  const calls = searches.map(({ search }) => ({ method: 'Get', params: { typeName, search } }))
  try {
    return validate(z.array(list), await call(api, 'ExecuteMultiCall', { calls }))
  } catch (error) {
    if (isTooManyResults(error)) return null
    throw error
  }
}

/** Returns the records with these ids, by id. */
export async function getByIds(
  api: ProviderApi,
  typeName: string,
  ids: readonly (string | null)[],
): Promise<Map<string, unknown>> {
  const uniqueIds = [...new Set(ids)].filter((id) => id !== null)
  const found = await getForEach(
    api,
    typeName,
    uniqueIds.map((id) => ({ id })),
  )
  return new Map(uniqueIds.map((id, index) => [id, found[index]?.find(isObject) ?? null]))
}

import { z } from 'zod'
import { type Instant, toIso } from '../../domain/time.ts'
import type { ProviderApi } from '../provider-api.ts'
import { validate } from '../mapping/validate.ts'
import { isTooManyResults } from './error-mapping.ts'

type Params = Readonly<Record<string, unknown>>

const list = z.array(z.unknown())

const call = (api: ProviderApi, method: string, params: Params): Promise<unknown> =>
  api.post('/apiv1', { method, params })

/**
 * Of lists of what there is, more than some thousands are cut off without a word: what may be more is asked for in
 * pages. Of what happens, more than 50,000 are refused: what may be more is asked for in parts.
 */
export const get = async (api: ProviderApi, typeName: string, params: Params = {}): Promise<unknown[]> =>
  validate(list, await call(api, 'Get', { typeName, ...params }))

const fed = z.object({ data: list, toVersion: z.string().min(1) })

export const getFeed = async (api: ProviderApi, typeName: string, params: Params) =>
  validate(fed, await call(api, 'GetFeed', { typeName, ...params }))

/** What is found in a time; where that is more than is given at once, in each half of it. */
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

const time = z.object({ fromDate: z.string(), toDate: z.string() })

/** Both ends are in a time; null where it is none, or an instant. */
function halvesOf(search: Params): Params[] | null {
  const { data } = time.safeParse(search)
  const [from, to] = [Date.parse(data?.fromDate ?? ''), Date.parse(data?.toDate ?? '')]
  if (!(from < to)) return null
  const middle: Instant = Math.floor((from + to) / 2)
  return [
    { ...search, toDate: toIso(middle) },
    { ...search, fromDate: toIso(middle + 1) },
  ]
}

/** So many Gets go in one call, each of which the provider counts. */
const AT_ONCE = 50

/** What is found by each of many searches, in their order. */
export const getForEach = (
  api: ProviderApi,
  typeName: string,
  searches: readonly Params[],
): Promise<unknown[][]> => readForEach(api, typeName, searches, (found) => found)

type Read<T> = (found: unknown[], index: number) => readonly T[]

/** What is made of what each of many searches finds, in their order: all that is found need not be kept. */
export async function readForEach<T>(
  api: ProviderApi,
  typeName: string,
  searches: readonly Params[],
  read: Read<T>,
): Promise<T[][]> {
  const made = searches.map((): T[] => [])
  const indexed = searches.map((search, index) => ({ search, index }))
  for (let at = 0; at < searches.length; at += AT_ONCE)
    for await (const { found, index } of foundBy(api, typeName, indexed.slice(at, at + AT_ONCE)))
      for (const one of read(found, index)) made[index]?.push(one)
  return made
}

interface Indexed {
  readonly search: Params
  readonly index: number
}

/** What many searches find in one call; where it is too much, in a call of each half of them, or in parts of the one. */
async function* foundBy(
  api: ProviderApi,
  typeName: string,
  searches: readonly Indexed[],
): AsyncGenerator<{ readonly found: unknown[]; readonly index: number }, void, void> {
  const answers = await answersTo(api, typeName, searches)
  if (answers) for (const [at, { index }] of searches.entries()) yield { found: answers[at] ?? [], index }
  else if (searches.length > 1) {
    const middle = Math.ceil(searches.length / 2)
    yield* foundBy(api, typeName, searches.slice(0, middle))
    yield* foundBy(api, typeName, searches.slice(middle))
  } else
    for (const { search, index } of searches)
      for await (const found of getInParts(api, typeName, search)) yield { found, index }
}

/** Null where they are too much. */
async function answersTo(api: ProviderApi, typeName: string, searches: readonly Indexed[]) {
  const calls = searches.map(({ search }) => ({ method: 'Get', params: { typeName, search } }))
  try {
    return validate(z.array(list), await call(api, 'ExecuteMultiCall', { calls }))
  } catch (error) {
    if (isTooManyResults(error)) return null
    throw error
  }
}

/** Those with these ids, by their ids. */
export async function getByIds(
  api: ProviderApi,
  typeName: string,
  ids: readonly (string | null)[],
): Promise<Map<string, unknown>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  const found = await getForEach(
    api,
    typeName,
    wanted.map((id) => ({ id })),
  )
  return new Map(wanted.map((id, index) => [id, found[index]?.[0] ?? null]))
}

import { z } from 'zod'
import type { ProviderApi } from '../api.ts'
import type { Asked, Budget } from '../budgets/budget.ts'
import { checked } from '../checked.ts'
import type { ProviderCredentials } from '../provider.ts'

type Params = Readonly<Record<string, unknown>>

const list = z.array(z.unknown())

const call = (api: ProviderApi, method: string, params: Params): Promise<unknown> =>
  api.post('/apiv1', { method, params })

/** More than some thousands are cut off without a word: what may be more is asked for in pages. */
export const get = async (api: ProviderApi, typeName: string, params: Params = {}): Promise<unknown[]> =>
  checked(list, await call(api, 'Get', { typeName, ...params }))

const fed = z.object({ data: list, toVersion: z.string().min(1) })

export const getFeed = async (api: ProviderApi, typeName: string, params: Params) =>
  checked(fed, await call(api, 'GetFeed', { typeName, ...params }))

/** So many Gets go in one call, each of which the provider counts. */
const AT_ONCE = 50

/** What is found by each of many searches, in their order. */
export const getEach = (
  api: ProviderApi,
  typeName: string,
  searches: readonly Params[],
): Promise<unknown[][]> => readEach(api, typeName, searches, (found) => found)

/** What is made of what each of many searches finds, in their order: all that is found need not be kept. */
export async function readEach<T>(
  api: ProviderApi,
  typeName: string,
  searches: readonly Params[],
  read: (found: unknown[], index: number) => T,
): Promise<T[]> {
  const made: T[] = []
  for (let at = 0; at < searches.length; at += AT_ONCE) {
    const calls = searches
      .slice(at, at + AT_ONCE)
      .map((search) => ({ method: 'Get', params: { typeName, search } }))
    const answers = checked(z.array(list), await call(api, 'ExecuteMultiCall', { calls }))
    made.push(...answers.map((found, index) => read(found, at + index)))
  }
  return made
}

/** Those with these ids, by their ids. */
export async function getByIds(
  api: ProviderApi,
  typeName: string,
  ids: readonly (string | null)[],
): Promise<Map<string, unknown>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  const found = await getEach(
    api,
    typeName,
    wanted.map((id) => ({ id })),
  )
  return new Map(wanted.map((id, index) => [id, found[index]?.[0] ?? null]))
}

/** Each method has a limit for each type; of those that sources tell for Get, the smallest is kept to. */
export const budgets: readonly Budget[] = [
  { per: 'account', requests: 60, perSeconds: 60, endpoints: ['GetFeed *'], each: true },
  { per: 'account', requests: 500, perSeconds: 60, endpoints: ['Get *'], each: true },
  { per: 'account', requests: 8, perSeconds: 60, endpoints: ['ExecuteMultiCall *'], each: true },
  { per: 'account', requests: 8, perSeconds: 60, endpoints: ['Authenticate *'] },
]

/** Whose calls are counted together. */
export const countedAs = ({ database, userName }: ProviderCredentials): string =>
  `${database} ${userName}`.toLowerCase()

const asked = z.object({
  method: z.string(),
  params: z.object({
    typeName: z.string().optional(),
    calls: z.array(z.object({ params: z.object({ typeName: z.string() }) })).optional(),
  }),
})

/** `GetFeed Trip`, `Authenticate `; many calls in one are those of the first one's type. */
export function endpointOf({ method, path, body }: Asked): string {
  const { data } = asked.safeParse(bodyIn(body))
  if (!data) return `${method} ${path}`
  const { typeName, calls } = data.params
  return `${data.method} ${typeName ?? calls?.[0]?.params.typeName ?? ''}`
}

function bodyIn(body: string | null | undefined): unknown {
  try {
    return JSON.parse(body ?? 'null')
  } catch {
    return null
  }
}

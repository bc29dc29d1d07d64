import { z } from 'zod'
import type { Instant } from '../../domain/time.ts'
import type { ProviderApi } from '../provider-api.ts'
import { validate } from '../mapping/validate.ts'
import type { Reader } from '../provider.ts'
import { get } from './api-calls.ts'
import { readFeedPage } from './feeds.ts'
import { id } from './schema-types.ts'

const PAGE = 5_000
/** Of what is small, or is looked up for each driver of a page. More may be had of a feed, but not within the time. */
export const LARGE_PAGE = 20_000

interface Listing<Shape extends z.ZodType, Draft> {
  readonly typeName: string
  readonly search?: Readonly<Record<string, unknown>>
  readonly shape: Shape
  readonly isRead?: (record: unknown) => boolean
  readonly toDraft: (record: z.infer<Shape>, asOf?: Instant) => Draft
}

/** All there are of a type, in pages by their ids. */
export const listReader = <Shape extends z.ZodType, Draft>({
  typeName,
  search = {},
  shape,
  isRead = () => true,
  toDraft,
}: Listing<Shape, Draft>): Reader<Draft> => ({
  mode: 'full',
  schema: typeName,
  async read(api, state) {
    const { found, after } = await listPageAfter(api, typeName, search, state?.['after'])
    return { records: found.filter(isRead), next: after === null ? null : { after } }
  },
  normalize: (record, asOf) => toDraft(validate(shape, record), asOf),
})

/** Some of a type in the order of their ids, and the id of the last where there may be more. */
export async function listPageAfter(
  api: ProviderApi,
  typeName: string,
  search: object,
  id: unknown,
  most = PAGE,
): Promise<{ found: unknown[]; after: string | null }> {
  const sort = { sortBy: 'id', sortDirection: 'asc', offset: id ?? null }
  const found = await get(api, typeName, { search, sort, resultsLimit: most })
  return { found, after: found.length < most ? null : validate(known, found.at(-1)).id }
}

const known = z.looseObject({ id })

/** All there are of a type at once, where one of them tells of another. */
export async function listAll(api: ProviderApi, typeName: string): Promise<unknown[]> {
  const records: unknown[] = []
  let place: string | null | undefined
  while (place !== null) {
    const { found, after } = await listPageAfter(api, typeName, {}, place)
    records.push(...found)
    place = after
  }
  return records
}

interface Feed<Shape extends z.ZodType, Draft> {
  readonly typeName: string
  /** How many make a page. */
  readonly most?: number
  readonly shape: Shape
  /** Looks up what the records refer to, and leaves out what is not read. */
  readonly joined?: (
    api: ProviderApi,
    records: readonly unknown[],
    now: Instant,
  ) => Promise<readonly unknown[]>
  /** What of the records says that it is no more, by what drafts are known by. */
  readonly removedIn?: (api: ProviderApi, records: readonly unknown[]) => Promise<readonly string[]>
  readonly toDraft: (record: z.infer<Shape>) => Draft
}

/** What has come to be known of a type, in that order: what is late comes late, what changes comes again. */
export const feedReader = <Shape extends z.ZodType, Draft>({
  typeName,
  most = PAGE,
  shape,
  joined = async (_api, records) => records,
  removedIn = async () => [],
  toDraft,
}: Feed<Shape, Draft>): Reader<Draft> => ({
  mode: 'feed',
  schema: typeName,
  async read(api, state, window) {
    const place = { version: state?.['version'], window, most }
    const { data, toVersion, isCaughtUp } = await readFeedPage(api, typeName, place)
    const records = await joined(api, data, window.to)
    return { records, removed: await removedIn(api, data), next: { version: toVersion }, isCaughtUp }
  },
  normalize: (record) => toDraft(validate(shape, record)),
})

import { z } from 'zod'
import type { Instant } from '../../domain/time.ts'
import type { ProviderApi } from '../provider-api.ts'
import { validate } from '../mapping/validate.ts'
import type { Reader } from '../provider.ts'
import { get, mayContinue } from './api-calls.ts'
import { readFeedPage } from './feeds.ts'
import { id } from './schema-types.ts'

const PAGE = 5_000
/**
 * Page size of small records, and of records with one lookup per driver and page, of which larger pages need fewer. Still
 * larger pages would exceed the time limit of a request.
 */
export const LARGE_PAGE = 20_000

interface Listing<Shape extends z.ZodType, Normalized> {
  readonly typeName: string
  readonly search?: Readonly<Record<string, unknown>>
  readonly shape: Shape
  readonly isIncluded?: (record: unknown) => boolean
  readonly toNormalized: (record: z.infer<Shape>, asOf?: Instant) => Normalized
}

/** Creates a reader of all records of a type, in pages by id. */
export const listReader = <Shape extends z.ZodType, Normalized>({
  typeName,
  search = {},
  shape,
  isIncluded = () => true,
  toNormalized,
}: Listing<Shape, Normalized>): Reader<Normalized> => ({
  mode: 'full',
  schema: typeName,
  async read(api, state) {
    const { found, after } = await listPageAfter(api, typeName, search, state?.['after'])
    return { records: found.filter(isIncluded), next: after === null ? null : { after } }
  },
  normalize: (record, asOf) => toNormalized(validate(shape, record), asOf),
})

/** Reads a page in order of id. Also returns the last id if there may be more. */
export async function listPageAfter(
  api: ProviderApi,
  typeName: string,
  search: object,
  afterId: unknown,
  pageSize = PAGE,
): Promise<{ found: unknown[]; after: string | null }> {
  const sort = { sortBy: 'id', sortDirection: 'asc', offset: afterId ?? null }
  const found = await get(api, typeName, { search, sort, resultsLimit: pageSize })
  if (!mayContinue(found, pageSize)) return { found, after: null }
  const { id: lastId } = validate(recordWithId, found.findLast(hasId))
  // A server that ignores the offset returns the whole list again.
  return { found, after: lastId === afterId && found.length < pageSize ? null : lastId }
}

const recordWithId = z.looseObject({ id })

const hasId = (record: unknown): boolean => recordWithId.safeParse(record).success

/** Reads all records of a type at once, for records that refer to each other. */
export async function listAll(api: ProviderApi, typeName: string): Promise<unknown[]> {
  const records: unknown[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const { found, after } = await listPageAfter(api, typeName, {}, cursor)
    records.push(...found)
    cursor = after
  }
  return records
}

interface Feed<Shape extends z.ZodType, Normalized> {
  readonly typeName: string
  readonly pageSize?: number
  readonly shape: Shape
  /** Adds related records, and removes records that are not supported. */
  readonly join?: (
    api: ProviderApi,
    records: readonly unknown[],
    until: Instant,
  ) => Promise<readonly unknown[]>
  /** Returns the source ids of records that were retracted. */
  readonly removedIn?: (api: ProviderApi, records: readonly unknown[]) => Promise<readonly string[]>
  readonly toNormalized: (record: z.infer<Shape>) => Normalized
}

/**
 * Creates a reader of a feed. A feed is in order of arrival at Geotab. A record that was uploaded late comes after newer
 * ones, and a changed record comes again.
 */
export const feedReader = <Shape extends z.ZodType, Normalized>({
  typeName,
  pageSize = PAGE,
  shape,
  join = async (_api, records) => records,
  removedIn = async () => [],
  toNormalized,
}: Feed<Shape, Normalized>): Reader<Normalized> => ({
  mode: 'feed',
  schema: typeName,
  async read(api, state, window) {
    const request = { version: state?.['version'], window, pageSize }
    const { data, toVersion, isCaughtUp } = await readFeedPage(api, typeName, request)
    const records = await join(api, data, window.to)
    return { records, removed: await removedIn(api, data), next: { version: toVersion }, isCaughtUp }
  },
  normalize: (record) => toNormalized(validate(shape, record)),
})

import { z } from 'zod'
import { toIso } from '../../time.ts'
import type { ProviderApi } from '../api.ts'
import { checked } from '../checked.ts'
import type { Reader, ReaderState, Window } from '../provider.ts'
import { get, getFeed } from './calls.ts'
import { id } from './fields.ts'

const PAGE = 5_000

interface Listing<Shape extends z.ZodType, Draft> {
  readonly typeName: string
  readonly search?: Readonly<Record<string, unknown>>
  readonly shape: Shape
  readonly isRead?: (record: unknown) => boolean
  readonly toDraft: (record: z.infer<Shape>) => Draft
}

/** All there are of a type, in pages by their ids. */
export const listed = <Shape extends z.ZodType, Draft>({
  typeName,
  search = {},
  shape,
  isRead = () => true,
  toDraft,
}: Listing<Shape, Draft>): Reader<Draft> => ({
  mode: 'full',
  schema: typeName,
  async read(api, state) {
    const sort = { sortBy: 'id', sortDirection: 'asc', offset: state?.['after'] ?? null }
    const found = await get(api, typeName, { search, sort, resultsLimit: PAGE })
    const after = found.length < PAGE ? null : checked(z.looseObject({ id }), found.at(-1)).id
    return { records: found.filter(isRead), next: after === null ? null : { after } }
  },
  toDraft: (record) => toDraft(checked(shape, record)),
})

interface Feed<Shape extends z.ZodType, Draft> {
  readonly typeName: string
  /** How many make a page. */
  readonly most?: number
  readonly shape: Shape
  /** Looks up what the records refer to, and leaves out what is not read. */
  readonly joined?: (api: ProviderApi, records: readonly unknown[]) => Promise<readonly unknown[]>
  readonly toDraft: (record: z.infer<Shape>) => Draft
}

/** What has come to be known of a type, in that order: what is late comes late, what changes comes again. */
export const fed = <Shape extends z.ZodType, Draft>({
  typeName,
  most = PAGE,
  shape,
  joined = async (_api, records) => records,
  toDraft,
}: Feed<Shape, Draft>): Reader<Draft> => ({
  mode: 'feed',
  schema: typeName,
  async read(api, state, window) {
    const place = placeIn(state?.['version'], window)
    const { data, toVersion } = await getFeed(api, typeName, { ...place, resultsLimit: most })
    const records = await joined(api, data)
    return { records, next: { version: toVersion }, isCaughtUp: data.length < most }
  },
  toDraft: (record) => toDraft(checked(shape, record)),
})

/** A version is opaque; the first one is that of a date. */
export const placeIn = (version: unknown, { from }: Window, search: object = {}) =>
  typeof version === 'string'
    ? { fromVersion: version, search }
    : { search: { ...search, fromDate: toIso(from) } }

/** Several feeds that are read one after another. */
export function versionsIn(state: ReaderState): {
  readonly at: number
  readonly versions: readonly unknown[]
} {
  const shape = z.object({ at: z.number(), versions: z.array(z.unknown()) })
  return shape.safeParse(state).data ?? { at: 0, versions: [] }
}

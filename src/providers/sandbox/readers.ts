import { z } from 'zod'
import { toIso } from '../../domain/time.ts'
import type { ProviderApi } from '../provider-api.ts'
import { ProviderError } from '../provider-error.ts'
import { validate } from '../mapping/validate.ts'
import type { Reader, ReaderState, ReadPage, TimeWindow } from '../provider.ts'

const PAGE = 500

type Query = Readonly<Record<string, string>>

/** A list of everything there is. */
export const fullListReader = <Shape extends z.ZodType, Draft>(
  path: string,
  schema: string,
  shape: Shape,
  toDraft: (record: z.infer<Shape>) => Draft,
): Reader<Draft> => ({
  mode: 'full',
  schema,
  read: (api, state) => readPage(api, path, state, {}),
  normalize: (record) => toDraft(validate(shape, record)),
})

/** A list of what happened in a time. */
export const periodReader = <Shape extends z.ZodType, Draft>(
  path: string,
  schema: string,
  shape: Shape,
  toDraft: (record: z.infer<Shape>) => Draft,
  toQuery: (window: TimeWindow) => Query = instants,
): Reader<Draft> => ({
  mode: 'window',
  schema,
  read: (api, state, window) => readPage(api, path, state, toQuery(window)),
  normalize: (record) => toDraft(validate(shape, record)),
})

/** Of days, the provider lists those that this time touches in the fleet's own zone. */
function instants({ from, to }: TimeWindow): Query {
  return { since: toIso(from), until: toIso(to) }
}

/** No zone is further from UTC: with this to spare the months are those of any zone. */
const FURTHEST_ZONE_MS = 14 * 3_600_000

/** The months that a window touches. */
export function months({ from, to }: TimeWindow): Query {
  return {
    fromMonth: toIso(from - FURTHEST_ZONE_MS).slice(0, 7),
    toMonth: toIso(to - 1 + FURTHEST_ZONE_MS).slice(0, 7),
  }
}

const pageOfRecords = z.object({ data: z.array(z.unknown()), cursor: z.string().nullable() })

async function readPage(api: ProviderApi, path: string, state: ReaderState, query: Query): Promise<ReadPage> {
  const before = typeof state?.['cursor'] === 'string' ? state['cursor'] : null
  const answer = await api.get(path, { ...query, limit: PAGE, cursor: before })
  const { data, cursor } = validate(pageOfRecords, answer)
  if (cursor !== null && cursor === before) throw new ProviderError('malformed', `${path} repeats its cursor`)
  return { records: data, next: cursor === null ? null : { cursor } }
}

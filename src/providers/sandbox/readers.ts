import { z } from 'zod'
import { toIso } from '../../domain/time.ts'
import type { ProviderApi } from '../provider-api.ts'
import { ProviderError } from '../provider-error.ts'
import { validate } from '../mapping/validate.ts'
import type { Reader, ReaderState, ReadPage, TimeWindow } from '../provider.ts'

const PAGE_SIZE = 500

type QueryParams = Readonly<Record<string, string>>

// `schema` is the provider's name of the record type; `shape` validates a record.

/** Creates a reader of a list that is always read in full. */
export const fullListReader = <Shape extends z.ZodType, Normalized>(
  path: string,
  schema: string,
  shape: Shape,
  toNormalized: (record: z.infer<Shape>) => Normalized,
): Reader<Normalized> => ({
  mode: 'full',
  schema,
  read: (api, state) => readPage(api, path, state, {}),
  normalize: (record) => toNormalized(validate(shape, record)),
})

/** Creates a reader of a list that is read by time window. */
export const windowReader = <Shape extends z.ZodType, Normalized>(
  path: string,
  schema: string,
  shape: Shape,
  toNormalized: (record: z.infer<Shape>) => Normalized,
  toQuery: (window: TimeWindow) => QueryParams = timeQueryOf,
): Reader<Normalized> => ({
  mode: 'window',
  schema,
  read: (api, state, window) => readPage(api, path, state, toQuery(window)),
  normalize: (record) => toNormalized(validate(shape, record)),
})

/**
 * Returns the query for the records of a window. For records of days, the provider lists each day of the
 * fleet's time zone that overlaps the window.
 */
function timeQueryOf({ from, to }: TimeWindow): QueryParams {
  return { since: toIso(from), until: toIso(to) }
}

/**
 * Largest offset of a time zone from UTC. Months begin in the fleet's time zone, which the reader does not know.
 * With this margin, it reads all months of the window in any time zone.
 */
const MAX_UTC_OFFSET_MS = 14 * 3_600_000

/** Returns the query for the months that overlap a window. */
export function monthQueryOf({ from, to }: TimeWindow): QueryParams {
  return {
    fromMonth: toIso(from - MAX_UTC_OFFSET_MS).slice(0, 7),
    toMonth: toIso(to - 1 + MAX_UTC_OFFSET_MS).slice(0, 7),
  }
}

const pageOfRecords = z.object({ data: z.array(z.unknown()), cursor: z.string().nullable() })

async function readPage(
  api: ProviderApi,
  path: string,
  state: ReaderState,
  query: QueryParams,
): Promise<ReadPage> {
  const previous = typeof state?.['cursor'] === 'string' ? state['cursor'] : null
  const response = await api.get(path, { ...query, limit: PAGE_SIZE, cursor: previous })
  const { data, cursor } = validate(pageOfRecords, response)
  if (cursor !== null && cursor === previous)
    throw new ProviderError('malformed', `${path} repeats its cursor`)
  return { records: data, next: cursor === null ? null : { cursor } }
}

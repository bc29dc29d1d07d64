import { z } from 'zod'
import { toIso } from '../../domain/time.ts'
import type { ProviderApi } from '../provider-api.ts'
import { ProviderError } from '../provider-error.ts'
import type { ReaderState, TimeWindow } from '../provider.ts'
import { getFeed } from './api-calls.ts'
import { isContentRefusal } from './error-mapping.ts'

interface FeedRequest {
  /** Opaque version. Without one, the feed starts at the window. */
  readonly version: unknown
  readonly window: TimeWindow
  /** Page size. */
  readonly pageSize: number
  readonly search?: object
}

/** Reads a page of a feed, and whether it is currently the last one. */
export async function readFeedPage(api: ProviderApi, typeName: string, request: FeedRequest) {
  const { version, pageSize } = request
  const { data, toVersion } = await pageOf(api, typeName, request)
  const isCaughtUp = data.length < pageSize
  // Otherwise the same page would be requested forever.
  if (!isCaughtUp && toVersion === version)
    throw new ProviderError('unavailable', 'the provider repeated a page of a feed')
  return { data, toVersion, isCaughtUp }
}

/** Reads a page. If the server rejects the version, the feed restarts at the start of the window. */
async function pageOf(
  api: ProviderApi,
  typeName: string,
  { version, window, pageSize, search }: FeedRequest,
) {
  const since = { search: { ...search, fromDate: toIso(window.from) }, resultsLimit: pageSize }
  if (typeof version !== 'string') return getFeed(api, typeName, since)
  try {
    return await getFeed(api, typeName, {
      fromVersion: version,
      search: { ...search },
      resultsLimit: pageSize,
    })
  } catch (error) {
    if (!isContentRefusal(error)) throw error
    return getFeed(api, typeName, since)
  }
}

/** Position of several feeds that are read in sequence. */
export function versionsIn(state: ReaderState): {
  readonly at: number
  readonly versions: readonly unknown[]
} {
  const shape = z.object({ at: z.number(), versions: z.array(z.unknown()) })
  return shape.safeParse(state).data ?? { at: 0, versions: [] }
}

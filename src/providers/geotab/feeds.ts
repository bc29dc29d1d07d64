import { z } from 'zod'
import { toIso } from '../../domain/time.ts'
import type { ProviderApi } from '../provider-api.ts'
import { ProviderError } from '../provider-error.ts'
import type { ReaderState, TimeWindow } from '../provider.ts'
import { getFeed } from './api-calls.ts'
import { isContentRefusal } from './error-mapping.ts'

interface FeedRequest {
  /** Position in the feed, as MyGeotab sent it. Without one, the feed starts at the start of the window. */
  readonly version: unknown
  readonly window: TimeWindow
  readonly pageSize: number
  readonly search?: object
}

/** Reads a page of a feed. `isCaughtUp` is true if the feed currently has no more records. */
export async function readFeedPage(api: ProviderApi, typeName: string, request: FeedRequest) {
  const { version, pageSize } = request
  const { data, toVersion } = await pageOf(api, typeName, request)
  const isCaughtUp = data.length < pageSize
  // With an unchanged version, the same page would be requested forever.
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

/** Returns the index of the current feed and the versions of all, for feeds that are read one after the other. */
export function versionsIn(state: ReaderState): {
  readonly at: number
  readonly versions: readonly unknown[]
} {
  const shape = z.object({ at: z.number(), versions: z.array(z.unknown()) })
  return shape.safeParse(state).data ?? { at: 0, versions: [] }
}

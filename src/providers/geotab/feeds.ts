import { z } from 'zod'
import { toIso } from '../../domain/time.ts'
import type { ProviderApi } from '../provider-api.ts'
import { ProviderError } from '../provider-error.ts'
import type { ReaderState, TimeWindow } from '../provider.ts'
import { getFeed, mayContinue } from './api-calls.ts'

interface FeedRequest {
  /** Position in the feed, as MyGeotab sent it. Without one, the feed starts at the start of the window. */
  readonly version: unknown
  readonly window: TimeWindow
  readonly pageSize: number
  readonly search?: object
}

/** Reads a page of a feed. `isCaughtUp` is true if the feed currently has no more records. */
export async function readFeedPage(api: ProviderApi, typeName: string, request: FeedRequest) {
  const { version, window, pageSize, search } = request
  const start =
    typeof version === 'string'
      ? { fromVersion: version, search: { ...search } }
      : { search: { ...search, fromDate: toIso(window.from) } }
  const { data, toVersion } = await getFeed(api, typeName, { ...start, resultsLimit: pageSize })
  const isCaughtUp = data.length < pageSize && (toVersion === version || !mayContinue(data, pageSize))
  // With an unchanged version, the same page would be requested forever.
  if (!isCaughtUp && toVersion === version)
    throw new ProviderError('unavailable', 'the provider repeated a page of a feed')
  return { data, toVersion, isCaughtUp }
}

/** Returns the index of the current feed and the versions of all, for feeds that are read one after the other. */
export function versionsIn(state: ReaderState): {
  readonly at: number
  readonly versions: readonly unknown[]
} {
  const shape = z.object({ at: z.number(), versions: z.array(z.unknown()) })
  return shape.safeParse(state).data ?? { at: 0, versions: [] }
}

import { z } from 'zod'
import { toIso } from '../../domain/time.ts'
import type { ProviderApi } from '../provider-api.ts'
import { ProviderError } from '../provider-error.ts'
import type { ReaderState, TimeWindow } from '../provider.ts'
import { getFeed } from './api-calls.ts'
import { isRefusal } from './error-mapping.ts'

interface FeedCursor {
  /** Opaque; the first one is that of a date. */
  readonly version: unknown
  readonly window: TimeWindow
  /** How many make a page. */
  readonly most: number
  readonly search?: object
}

/** A page of a feed, and whether there is nothing after it yet. */
export async function readFeedPage(api: ProviderApi, typeName: string, place: FeedCursor) {
  const { version, most } = place
  const { data, toVersion } = await pageOf(api, typeName, place)
  const isCaughtUp = data.length < most
  // Else it would be asked for again and again.
  if (!isCaughtUp && toVersion === version)
    throw new ProviderError('unavailable', 'the provider told the same page of a feed again')
  return { data, toVersion, isCaughtUp }
}

/** A version that the server no longer knows is forgotten here too: the feed begins again where the window does. */
async function pageOf(api: ProviderApi, typeName: string, { version, window, most, search }: FeedCursor) {
  const since = { search: { ...search, fromDate: toIso(window.from) }, resultsLimit: most }
  if (typeof version !== 'string') return getFeed(api, typeName, since)
  try {
    return await getFeed(api, typeName, { fromVersion: version, search: { ...search }, resultsLimit: most })
  } catch (error) {
    if (!isRefusal(error)) throw error
    return getFeed(api, typeName, since)
  }
}

/** Several feeds that are read one after another. */
export function versionsIn(state: ReaderState): {
  readonly at: number
  readonly versions: readonly unknown[]
} {
  const shape = z.object({ at: z.number(), versions: z.array(z.unknown()) })
  return shape.safeParse(state).data ?? { at: 0, versions: [] }
}

import { z } from 'zod'
import type { Instant } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { ProviderError } from '../../provider-error.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedSafetyEvent } from '../../normalized-records.ts'
import type { Reader } from '../../provider.ts'
import { isKnownType, toCameraMedia, toSafetyEvent } from '../mappers/safety.ts'
import { performanceEvent, safetyEvent } from '../schemas/events.ts'
import { dateOf, daysAfter } from './paging/dates.ts'
import { idOf } from './groups.ts'
import { type ListPage, pageAt, type ListCursor, START, unwrapped } from './paging/pages.ts'
import { hasStartedIn, readPeriodsPage } from './paging/periods.ts'

const EVENTS = '/v2/driver_performance_events'
const PERIODS = { paths: [EVENTS, '/v1/speeding_events'], mostDays: 29 }

/** What drivers did, and how fast: two lists. A record keeps the wrapper that says which of them it is of. */
export const safetyEvents: Reader<NormalizedSafetyEvent> = {
  mode: 'window',
  schema: 'safety_event',
  async read(api, state, window) {
    const { items, next } = await readPeriodsPage(api, state, window, PERIODS)
    const records = items.filter((item) => isKnown(item) && hasStartedIn(unwrapped(item), window))
    return { records, next }
  },
  normalize: (record) => toSafetyEvent(validate(safetyEvent, record)),
}

const performance = z.looseObject({ driver_performance_event: z.looseObject({ type: z.string() }) })

/** The list of types grows: those that nobody knows are none of ours. Speeding has types of its own. */
function isKnown(item: unknown): boolean {
  const { data } = performance.safeParse(item)
  return !data || isKnownType(data.driver_performance_event.type)
}

/** The films of an event, at addresses that end: the list of its day tells them anew. Of speeding there are none. */
export async function findCameraMedia(api: ProviderApi, eventSourceId: string, startedAt: Instant) {
  if (eventSourceId.startsWith('speeding:'))
    return { raw: null, draft: { frontFacing: null, rearFacing: null } }
  const day = { start_date: dateOf(startedAt), end_date: daysAfter(dateOf(startedAt), 1) }
  for (let place: ListCursor | null = START; place;) {
    const page: ListPage = await pageAt(api, EVENTS, day, place)
    const raw = page.items.map(unwrapped).find((item) => idOf(item) === eventSourceId)
    if (raw) return { raw, draft: toCameraMedia(validate(performanceEvent, raw)) }
    place = page.next
  }
  throw new ProviderError('malformed', 'the event is not told any more')
}

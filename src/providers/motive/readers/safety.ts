import { dateAfter } from '../../../domain/calendar.ts'
import { z } from 'zod'
import type { Instant } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { ProviderError } from '../../provider-error.ts'
import { validateParts } from '../../mapping/readable-parts.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedSafetyEvent } from '../../../domain/models/safety-event.ts'
import type { Reader } from '../../provider.ts'
import { isKnownType, toCameraMedia, toSafetyEvent } from '../mappers/safety.ts'
import { performanceEvent, safetyEvent } from '../schemas/events.ts'
import { dateOf } from './paging/dates.ts'
import { idOf } from './groups.ts'
import { type ListPage, pageAt, type ListCursor, START, unwrapped } from './paging/pages.ts'
import { hasStartedIn, readPeriodsPage } from './paging/periods.ts'

const EVENTS = '/v2/driver_performance_events'
const PERIODS = { paths: [EVENTS, '/v1/speeding_events'], maxDays: 29 }

/** Performance events and speeding events, from two lists. A record keeps its wrapper, which identifies the list. */
export const safetyEvents: Reader<NormalizedSafetyEvent> = {
  mode: 'window',
  schema: 'safety_event',
  async read(api, state, window) {
    const { items, next } = await readPeriodsPage(api, state, window, PERIODS)
    const records = items.filter((item) => hasKnownType(item) && hasStartedIn(unwrapped(item), window))
    return { records, next }
  },
  normalize: (record) => toSafetyEvent(validate(safetyEvent, record)),
}

const performance = z.looseObject({ driver_performance_event: z.looseObject({ type: z.string() }) })

/** Whether a performance event has a known type, because Motive adds types. Speeding events always pass. */
function hasKnownType(item: unknown): boolean {
  const { data } = performance.safeParse(item)
  return !data || isKnownType(data.driver_performance_event.type)
}

/**
 * Finds the videos of an event. Their URLs expire, so new ones are requested from the event list of the day. Speeding
 * events have no videos.
 */
export async function findCameraMedia(api: ProviderApi, eventSourceId: string, startedAt: Instant) {
  if (eventSourceId.startsWith('speeding:'))
    return { raw: null, files: { frontFacing: null, rearFacing: null } }
  const day = { start_date: dateOf(startedAt), end_date: dateAfter(dateOf(startedAt), 1) }
  for (let cursor: ListCursor | null = START; cursor;) {
    const page: ListPage = await pageAt(api, EVENTS, day, cursor)
    const raw = page.items.map(unwrapped).find((item) => idOf(item) === eventSourceId)
    if (raw) return { raw, files: toCameraMedia(validateParts(performanceEvent, raw)) }
    cursor = page.next
  }
  throw new ProviderError('malformed', 'the provider no longer lists the event')
}

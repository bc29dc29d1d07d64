import { z } from 'zod'
import { toIso } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { ProviderError } from '../../provider-error.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedSafetyEvent } from '../../normalized-records.ts'
import type { Reader, ReadPage } from '../../provider.ts'
import { isAboutSafety, toCameraMedia, toSafetyEvent } from '../mappers/safety.ts'
import { safetyEvent } from '../schemas/travel.ts'
import { restartIfCursorExpired } from './cursors.ts'
import { pageAt } from './pages.ts'

interface SafetyCursor {
  readonly startTime: string
  readonly after: string | null
  /** The end of the time for which it began. */
  readonly begun?: string
}

/** Safety events in the order in which they were changed: a stream without an end, which goes on at its cursor. */
export const safetyEvents: Reader<NormalizedSafetyEvent> = {
  mode: 'feed',
  schema: 'safety_event',
  async read(api, state, { from, to }) {
    const begun = toIso(to)
    const beginning: SafetyCursor = { startTime: toIso(from), after: null, begun }
    const place = (state as SafetyCursor | null) ?? beginning
    return restartIfCursorExpired(pageOf(api, place), place.begun !== begun, () => pageOf(api, beginning))
  },
  normalize: (record) => toSafetyEvent(validate(safetyEvent, record)),
}

/** Nothing is told of vehicles without a camera unless it is asked for. */
const OF_ALL_VEHICLES = { includeVgOnlyEvents: 'true' }

async function pageOf(api: ProviderApi, place: SafetyCursor): Promise<ReadPage> {
  const { startTime, after } = place
  const page = await pageAt(api, '/safety-events/stream', { startTime, ...OF_ALL_VEHICLES }, after)
  const next: SafetyCursor = { ...place, after: page.endCursor }
  return { records: page.records.filter(isSafety), next: { ...next }, isCaughtUp: page.isLast }
}

const asked = z.object({ data: z.array(safetyEvent) })

/** The films of an event, at addresses that end some hours later: they are asked for when somebody wants to see them. */
export async function findCameraMedia(api: ProviderApi, eventSourceId: string) {
  const raw = await api.get('/safety-events', { safetyEventIds: eventSourceId, ...OF_ALL_VEHICLES })
  const event = validate(asked, raw).data.find(({ id }) => id === eventSourceId)
  if (!event) throw new ProviderError('malformed', 'the event is not told any more')
  return { raw, draft: toCameraMedia(event) }
}

const labeled = z.looseObject({ behaviorLabels: z.array(z.looseObject({ label: z.string() })) })

function isSafety(record: unknown): boolean {
  const { data } = labeled.safeParse(record)
  return !data || data.behaviorLabels.some(({ label }) => isAboutSafety(label))
}

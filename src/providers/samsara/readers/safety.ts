import { z } from 'zod'
import { toIso } from '../../../domain/time.ts'
import type { ProviderApi } from '../../provider-api.ts'
import { ProviderError } from '../../provider-error.ts'
import { validateParts } from '../../mapping/readable-parts.ts'
import { validate } from '../../mapping/validate.ts'
import type { NormalizedSafetyEvent } from '../../../domain/models/safety-event.ts'
import type { Reader, ReadPage } from '../../provider.ts'
import { isIncludedLabel, toCameraMedia, toSafetyEvent } from '../mappers/safety.ts'
import { id } from '../schemas/schema-types.ts'
import { safetyEvent } from '../schemas/travel.ts'
import { pageAt } from './pages.ts'

interface SafetyCursor {
  readonly startTime: string
  readonly after: string | null
}

/** Safety events in order of their changes. The stream has no end: the next sync continues at the last cursor. */
export const safetyEvents: Reader<NormalizedSafetyEvent> = {
  mode: 'feed',
  schema: 'safety_event',
  read: (api, state, { from }) =>
    pageOf(api, (state as SafetyCursor | null) ?? { startTime: toIso(from), after: null }),
  normalize: (record) => toSafetyEvent(validate(safetyEvent, record)),
}

/** By default the API omits the events of vehicles without a camera. */
const INCLUDE_ALL_VEHICLES = { includeVgOnlyEvents: 'true' }

async function pageOf(api: ProviderApi, cursor: SafetyCursor): Promise<ReadPage> {
  const { startTime, after } = cursor
  const page = await pageAt(api, '/safety-events/stream', { startTime, ...INCLUDE_ALL_VEHICLES }, after)
  const next: SafetyCursor = { ...cursor, after: page.endCursor }
  return { records: page.records.filter(isIncluded), next: { ...next }, isCaughtUp: page.isLast }
}

const eventList = z.object({ data: z.array(z.unknown()) })
const recordWithId = z.looseObject({ id })

/** Finds the videos of an event. They are requested on demand, because their URLs expire after some hours. */
export async function findCameraMedia(api: ProviderApi, eventSourceId: string) {
  const raw = await api.get('/safety-events', { safetyEventIds: eventSourceId, ...INCLUDE_ALL_VEHICLES })
  const event = validate(eventList, raw).data.find(
    (item) => recordWithId.safeParse(item).data?.id === eventSourceId,
  )
  if (!event) throw new ProviderError('malformed', 'the provider no longer lists the event')
  return { raw, files: toCameraMedia(validateParts(safetyEvent, event)) }
}

const labeled = z.looseObject({ behaviorLabels: z.array(z.looseObject({ label: z.string() })) })

/** Whether an event has a label to include. An unreadable event is included, so that its mapping rejects it. */
function isIncluded(record: unknown): boolean {
  const { data } = labeled.safeParse(record)
  return !data || data.behaviorLabels.some(({ label }) => isIncludedLabel(label))
}

import { z } from 'zod'
import { toIso } from '../../../time.ts'
import { type ProviderApi, ProviderError } from '../../api.ts'
import { checked } from '../../checked.ts'
import type { SafetyEventDraft } from '../../drafts.ts'
import type { Reader, ReadPage } from '../../provider.ts'
import { isAboutSafety, toCameraMedia, toSafetyEvent } from '../drafts/safety.ts'
import { safetyEvent } from '../records/travel.ts'
import { unlessForgotten } from './cursors.ts'
import { pageAt } from './pages.ts'

interface Place {
  readonly startTime: string
  readonly after: string | null
  /** The end of the time for which it began. */
  readonly begun?: string
}

/** Safety events in the order in which they were changed: a stream without an end, which goes on at its cursor. */
export const safetyEvents: Reader<SafetyEventDraft> = {
  mode: 'feed',
  schema: 'safety_event',
  async read(api, state, { from, to }) {
    const begun = toIso(to)
    const beginning: Place = { startTime: toIso(from), after: null, begun }
    const place = (state as Place | null) ?? beginning
    return unlessForgotten(pageOf(api, place), place.begun !== begun, () => pageOf(api, beginning))
  },
  toDraft: (record) => toSafetyEvent(checked(safetyEvent, record)),
}

/** Nothing is told of vehicles without a camera unless it is asked for. */
const OF_ALL_VEHICLES = { includeVgOnlyEvents: 'true' }

async function pageOf(api: ProviderApi, place: Place): Promise<ReadPage> {
  const { startTime, after } = place
  const page = await pageAt(api, '/safety-events/stream', { startTime, ...OF_ALL_VEHICLES }, after)
  const next: Place = { ...place, after: page.endCursor }
  return { records: page.records.filter(isSafety), next: { ...next }, isCaughtUp: page.isLast }
}

const asked = z.object({ data: z.array(safetyEvent) })

/** The films of an event, at addresses that end some hours later: they are asked for when somebody wants to see them. */
export async function filmsOf(api: ProviderApi, eventSourceId: string) {
  const raw = await api.get('/safety-events', { safetyEventIds: eventSourceId, ...OF_ALL_VEHICLES })
  const event = checked(asked, raw).data.find(({ id }) => id === eventSourceId)
  if (!event) throw new ProviderError('malformed', 'the event is not told any more')
  return { raw, draft: toCameraMedia(event) }
}

const labeled = z.looseObject({ behaviorLabels: z.array(z.looseObject({ label: z.string() })) })

function isSafety(record: unknown): boolean {
  const { data } = labeled.safeParse(record)
  return !data || data.behaviorLabels.some(({ label }) => isAboutSafety(label))
}

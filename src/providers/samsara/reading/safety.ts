import { z } from 'zod'
import { toIso } from '../../../time.ts'
import { type ProviderApi, ProviderError } from '../../api.ts'
import { checked } from '../../checked.ts'
import type { SafetyEventDraft } from '../../drafts.ts'
import type { Reader } from '../../provider.ts'
import { toCameraMedia, toSafetyEvent } from '../drafts/safety.ts'
import { safetyEvent } from '../records/travel.ts'
import { pageAt } from './pages.ts'

interface Place {
  readonly startTime: string
  readonly after: string | null
}

/** Safety events in the order in which they were changed: a stream without an end, which goes on at its cursor. */
export const safetyEvents: Reader<SafetyEventDraft> = {
  mode: 'feed',
  schema: 'safety_event',
  async read(api, state, { from }) {
    const { startTime, after } = (state as Place | null) ?? { startTime: toIso(from), after: null }
    const page = await pageAt(api, '/safety-events/stream', { startTime }, after)
    return {
      records: page.records.filter(isSafety),
      next: { startTime, after: page.endCursor },
      isCaughtUp: page.isLast,
    }
  },
  toDraft: (record) => toSafetyEvent(checked(safetyEvent, record)),
}

const asked = z.object({ data: z.array(safetyEvent) })

/** The films of an event, at addresses that end some hours later: they are asked for when somebody wants to see them. */
export async function filmsOf(api: ProviderApi, eventSourceId: string) {
  const raw = await api.get('/safety-events', { safetyEventIds: eventSourceId })
  const event = checked(asked, raw).data.find(({ id }) => id === eventSourceId)
  if (!event) throw new ProviderError('malformed', 'the event is not told any more')
  return { raw, draft: toCameraMedia(event) }
}

/** Labels that Samsara has and that are none of our types. One that nobody knows is left for the mapping to count. */
const others = new Set(
  `AggressiveDriving BluetoothHeadset ContextConstructionOrWorkZone ContextSnowyOrIcy ContextVulnerableRoadUser
  ContextWet DefensiveDriving DidNotYield EdgeRailroadCrossingViolation ForwardCollisionWarning
  HighSpeedSuddenDisconnect HosViolation Idling Invalid LateResponse LeftTurn OperationalEvent OtherViolation Passenger
  PolicyViolationMask ProtectiveEquipment RearCollisionWarning Reversing RolloverProtection UTurn UnsafeManeuver
  VehicleInBlindSpotWarning VulnerableRoadUserCollisionWarning YawControl`.split(/\s+/),
)

const labeled = z.looseObject({ behaviorLabels: z.array(z.looseObject({ label: z.string() })) })

function isSafety(record: unknown): boolean {
  const { data } = labeled.safeParse(record)
  return !data || data.behaviorLabels.some(({ label }) => !others.has(label))
}

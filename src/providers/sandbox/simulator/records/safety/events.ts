import { MINUTE_MS } from '../../world/durations.ts'
import { type Point, rounded } from '../../world/road-network/geometry.ts'
import { motionAt, positionAfter } from '../../world/motion.ts'
import { between, dice, pickWeighted } from '../../world/random.ts'
import { legAt, legNumberAt, type TimedLeg, type VehicleRoute } from '../../world/vehicle-route.ts'
import { idOf, timestamp } from '../ids.ts'
import { driverIdOf } from '../locations.ts'
import type { Period, TimeOrdered } from '../time-ordered.ts'
import { type Cameras, camerasAt } from './cameras.ts'
import { crashMsIn } from './crashes.ts'
import { enrichmentOf, type Enrichment } from './enrichment.ts'
import { CRASH_KIND, SAFETY_KINDS, type SafetyKind, UNDOCUMENTED_KIND } from './kinds.ts'

export interface SafetyEventRecord {
  id: string
  type: string
  vehicleId: string
  driverId: string | null
  occurredAt: string
  /** Null while it goes on, and for what happens in an instant. */
  endedAt: string | null
  location: Point
  /** Null for what happens in an instant. */
  endLocation: Point | null
  maxSpeedMph: number
  avgSpeedMph: number
  /** Null where the vehicle stands. */
  speedLimitMph: number | null
  gForceForward: number
  gForceSideways: number
  heading: number
  /** The provider's own words. */
  label: string
  cameras: Cameras
  enrichment: Enrichment | null
  updatedAt: string
}

const countDice = dice('safety events of a leg')
const timeDice = dice('time of a safety event')
const kindDice = dice('kind of a safety event')
const forceDice = dice('force of a safety event')
const durationDice = dice('duration of a safety event')
const speedDice = dice('speed of a safety event')

/**
 * An event of a leg: at most two of those that cameras and sensors see, one of a kind without a document, and a crash
 * of those that are certain.
 */
interface Event {
  readonly leg: TimedLeg
  readonly i: number
  readonly timeMs: number
  readonly kind: SafetyKind
}

const UNDOCUMENTED_INDEX = 2
const CRASH_INDEX = 3
/** Of so many vehicles one has a tracker with tomorrow's firmware. */
const TRIAL_EVERY = 25
const TRIAL_VEHICLE = 17

/** The safety events of a vehicle that began in a period, in order, as they look at `nowMs`. */
export function* safetyEvents(
  track: VehicleRoute,
  { sinceMs, untilMs }: Period,
  nowMs: number,
): Generator<TimeOrdered<SafetyEventRecord>> {
  for (let number = Math.max(0, legNumberAt(track, sinceMs)); ; number++) {
    const leg = legAt(track, number)
    if (leg.startMs >= untilMs) return
    for (const event of eventsOf(track, leg))
      if (event.timeMs >= sinceMs && event.timeMs < untilMs)
        yield { timeMs: event.timeMs, record: eventRecord(track, event, nowMs) }
  }
}

/** An event by its place, as it looks at `nowMs`; undefined unless it happened by then. */
export function safetyEventAt(
  track: VehicleRoute,
  legNumber: number,
  i: number,
  nowMs: number,
): SafetyEventRecord | undefined {
  const event = eventsOf(track, legAt(track, legNumber)).find((candidate) => candidate.i === i)
  return event && event.timeMs <= nowMs ? eventRecord(track, event, nowMs) : undefined
}

function eventsOf(track: VehicleRoute, leg: TimedLeg): Event[] {
  const { fleet, vehicle } = track
  const count = eventCount(track, leg.number)
  const events: Event[] = Array.from({ length: count }, (_, i) => {
    const kind = pickWeighted(SAFETY_KINDS, kindDice(fleet.seed, vehicle, 2 * leg.number + i))
    const timeMs = kind.standing ? leg.endMs + (i + 1) * MINUTE_MS : eventTimeMs(track, leg, i, count)
    return { leg, i, timeMs, kind }
  })
  if (vehicle % TRIAL_EVERY === TRIAL_VEHICLE && isAtEdgeOfDay(track, leg)) {
    const timeMs = leg.endMs - Math.floor((leg.endMs - leg.startMs) / 40)
    events.push({ leg, i: UNDOCUMENTED_INDEX, timeMs, kind: UNDOCUMENTED_KIND })
  }
  const crashMs = crashMsIn(track, leg)
  if (crashMs !== null) events.push({ leg, i: CRASH_INDEX, timeMs: crashMs, kind: CRASH_KIND })
  return events.sort((a, b) => a.timeMs - b.timeMs)
}

/** The first and the last leg of a day. */
function isAtEdgeOfDay(track: VehicleRoute, { number, day }: TimedLeg): boolean {
  return number === 0 || legAt(track, number - 1).day !== day || legAt(track, number + 1).day !== day
}

function eventCount({ fleet, vehicle }: VehicleRoute, leg: number): number {
  const chance = countDice(fleet.seed, vehicle, leg)
  return chance < 0.74 ? 0 : chance < 0.94 ? 1 : 2
}

/** Each event has its own part of the leg, so that they stay in order and end before the leg does. */
function eventTimeMs({ fleet, vehicle }: VehicleRoute, leg: TimedLeg, i: number, count: number): number {
  const chance = between(0.05, 0.85, timeDice(fleet.seed, vehicle, 2 * leg.number + i))
  return leg.startMs + Math.floor(((i + chance) / count) * (leg.endMs - leg.startMs))
}

function eventRecord(track: VehicleRoute, { leg, i, timeMs, kind }: Event, nowMs: number): SafetyEventRecord {
  const { fleet, vehicle } = track
  const turn = 2 * leg.number + i
  const motion = motionAt(track, timeMs)
  const lasts = Math.round(between(...kind.seconds, durationDice(fleet.seed, vehicle, turn))) * 1000
  const endMs = lasts > 0 && timeMs + lasts <= nowMs ? timeMs + lasts : null
  const measured = speeds(kind, motion.speedMph, speedDice(fleet.seed, vehicle, turn))
  const { cameras, uploadedMs } = camerasAt(fleet, vehicle, { leg: leg.number, i, timeMs, nowMs })
  return {
    id: idOf('evt', fleet, vehicle, leg.number, i),
    type: kind.type,
    vehicleId: idOf('veh', fleet, vehicle),
    driverId: driverIdOf(fleet, vehicle, leg),
    occurredAt: timestamp(timeMs),
    endedAt: endMs === null ? null : timestamp(endMs),
    location: pointAt(track, timeMs),
    endLocation: endMs === null ? null : pointAt(track, endMs),
    ...measured,
    ...forces(kind, forceDice(fleet.seed, vehicle, turn)),
    heading: Math.floor(positionAfter(track, motion.miles).heading),
    label: kind.label,
    cameras,
    enrichment: enrichmentOf(track, turn, timeMs, measured.speedLimitMph),
    updatedAt: timestamp(Math.max(endMs ?? timeMs, uploadedMs ?? timeMs)),
  }
}

function pointAt(track: VehicleRoute, timeMs: number): Point {
  const { lat, lng } = positionAfter(track, motionAt(track, timeMs).miles)
  return { lat: rounded(lat, 6), lng: rounded(lng, 6) }
}

function speeds({ overLimit }: SafetyKind, speedMph: number, chance: number) {
  if (speedMph === 0) return { maxSpeedMph: 0, avgSpeedMph: 0, speedLimitMph: null }
  const maxSpeedMph = rounded(speedMph + 4 * chance, 1)
  const speedLimitMph = overLimit ? 5 * Math.floor((maxSpeedMph - 6) / 5) : 5 * Math.ceil(maxSpeedMph / 5)
  return { maxSpeedMph, avgSpeedMph: rounded(speedMph, 1), speedLimitMph }
}

function forces({ forward, sideways }: SafetyKind, chance: number) {
  const direction = (chance * 1000) % 1 < 0.5 ? -1 : 1
  return {
    gForceForward: rounded(between(...forward, chance), 2),
    gForceSideways: direction * rounded(between(...sideways, chance), 2),
  }
}

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
  /** Null while the event continues, and for an event without duration. */
  endedAt: string | null
  location: Point
  /** Null while the event continues, and for an event without duration. */
  endLocation: Point | null
  maxSpeedMph: number
  avgSpeedMph: number
  /** Null for a parked vehicle. */
  speedLimitMph: number | null
  gForceForward: number
  gForceSideways: number
  heading: number
  /** The event type in the provider's wording. */
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
 * An event of a leg, with its index in the leg. A leg has at most two random events, with the indexes 0 and 1. The
 * event of an undocumented kind and the guaranteed crash have the indexes after them.
 */
interface Event {
  readonly leg: TimedLeg
  readonly index: number
  readonly timeMs: number
  readonly kind: SafetyKind
}

const UNDOCUMENTED_INDEX = 2
const CRASH_INDEX = 3
/** One vehicle in this many has beta firmware, which reports events of an undocumented kind. */
const BETA_FIRMWARE_EVERY = 25
/** Index of such a vehicle, modulo BETA_FIRMWARE_EVERY. */
const BETA_FIRMWARE_REMAINDER = 17

/**
 * Returns the safety events of a vehicle that began in a period, in order, as the provider knows them at `nowMs`:
 * an event may not have ended yet, and its clips may not be uploaded.
 */
export function* safetyEvents(
  route: VehicleRoute,
  { sinceMs, untilMs }: Period,
  nowMs: number,
): Generator<TimeOrdered<SafetyEventRecord>> {
  for (let number = Math.max(0, legNumberAt(route, sinceMs)); ; number++) {
    const leg = legAt(route, number)
    if (leg.startMs >= untilMs) return
    for (const event of eventsOf(route, leg))
      if (event.timeMs >= sinceMs && event.timeMs < untilMs)
        yield { timeMs: event.timeMs, record: eventRecord(route, event, nowMs) }
  }
}

/** Returns an event by its leg and index, as of `nowMs`; undefined if it has not happened yet. */
export function safetyEventAt(
  route: VehicleRoute,
  legNumber: number,
  index: number,
  nowMs: number,
): SafetyEventRecord | undefined {
  const event = eventsOf(route, legAt(route, legNumber)).find((candidate) => candidate.index === index)
  return event && event.timeMs <= nowMs ? eventRecord(route, event, nowMs) : undefined
}

function eventsOf(route: VehicleRoute, leg: TimedLeg): Event[] {
  const { fleet, vehicle } = route
  const count = eventCount(route, leg.number)
  const events: Event[] = Array.from({ length: count }, (_, index) => {
    const kind = pickWeighted(SAFETY_KINDS, kindDice(fleet.seed, vehicle, 2 * leg.number + index))
    const timeMs = kind.whileParked
      ? leg.endMs + (index + 1) * MINUTE_MS
      : eventTimeMs(route, leg, index, count)
    return { leg, index, timeMs, kind }
  })
  if (vehicle % BETA_FIRMWARE_EVERY === BETA_FIRMWARE_REMAINDER && isAtEdgeOfDay(route, leg)) {
    // Only twice a day: the default fleet then has one to five of these events in any 24 hours. The time is
    // shortly before the end of the leg, after its random events.
    const timeMs = leg.endMs - Math.floor((leg.endMs - leg.startMs) / 40)
    events.push({ leg, index: UNDOCUMENTED_INDEX, timeMs, kind: UNDOCUMENTED_KIND })
  }
  const crashMs = crashMsIn(route, leg)
  if (crashMs !== null) events.push({ leg, index: CRASH_INDEX, timeMs: crashMs, kind: CRASH_KIND })
  return events.sort((a, b) => a.timeMs - b.timeMs)
}

/** Returns whether a leg is the first or the last of a day. */
function isAtEdgeOfDay(route: VehicleRoute, { number, day }: TimedLeg): boolean {
  return number === 0 || legAt(route, number - 1).day !== day || legAt(route, number + 1).day !== day
}

function eventCount({ fleet, vehicle }: VehicleRoute, leg: number): number {
  const chance = countDice(fleet.seed, vehicle, leg)
  return chance < 0.74 ? 0 : chance < 0.94 ? 1 : 2
}

/**
 * Returns the time of an event. Each event has its own part of the leg, so events are in order and end before
 * the leg ends.
 */
function eventTimeMs({ fleet, vehicle }: VehicleRoute, leg: TimedLeg, index: number, count: number): number {
  const place = between(0.05, 0.85, timeDice(fleet.seed, vehicle, 2 * leg.number + index))
  return leg.startMs + Math.floor(((index + place) / count) * (leg.endMs - leg.startMs))
}

function eventRecord(
  route: VehicleRoute,
  { leg, index, timeMs, kind }: Event,
  nowMs: number,
): SafetyEventRecord {
  const { fleet, vehicle } = route
  const eventNumber = 2 * leg.number + index
  const motion = motionAt(route, timeMs)
  const durationMs =
    Math.round(between(...kind.seconds, durationDice(fleet.seed, vehicle, eventNumber))) * 1000
  const endMs = durationMs > 0 && timeMs + durationMs <= nowMs ? timeMs + durationMs : null
  const speed = speeds(kind, motion.speedMph, speedDice(fleet.seed, vehicle, eventNumber))
  const { cameras, uploadedMs } = camerasAt(fleet, vehicle, { leg: leg.number, index, timeMs, nowMs })
  return {
    id: idOf('evt', fleet, vehicle, leg.number, index),
    type: kind.type,
    vehicleId: idOf('veh', fleet, vehicle),
    driverId: driverIdOf(fleet, vehicle, leg),
    occurredAt: timestamp(timeMs),
    endedAt: endMs === null ? null : timestamp(endMs),
    location: pointAt(route, timeMs),
    endLocation: endMs === null ? null : pointAt(route, endMs),
    ...speed,
    ...forces(kind, forceDice(fleet.seed, vehicle, eventNumber)),
    heading: Math.floor(positionAfter(route, motion.miles).heading),
    label: kind.label,
    cameras,
    enrichment: enrichmentOf(route, eventNumber, timeMs, speed.speedLimitMph),
    updatedAt: timestamp(Math.max(endMs ?? timeMs, uploadedMs ?? timeMs)),
  }
}

function pointAt(route: VehicleRoute, timeMs: number): Point {
  const { lat, lng } = positionAfter(route, motionAt(route, timeMs).miles)
  return { lat: rounded(lat, 6), lng: rounded(lng, 6) }
}

function speeds({ overLimit }: SafetyKind, speedMph: number, draw: number) {
  if (speedMph === 0) return { maxSpeedMph: 0, avgSpeedMph: 0, speedLimitMph: null }
  const maxSpeedMph = rounded(speedMph + 4 * draw, 1)
  const speedLimitMph = overLimit ? 5 * Math.floor((maxSpeedMph - 6) / 5) : 5 * Math.ceil(maxSpeedMph / 5)
  return { maxSpeedMph, avgSpeedMph: rounded(speedMph, 1), speedLimitMph }
}

function forces({ forward, sideways }: SafetyKind, draw: number) {
  // The lower digits of the draw choose the side.
  const direction = (draw * 1000) % 1 < 0.5 ? -1 : 1
  return {
    gForceForward: rounded(between(...forward, draw), 2),
    gForceSideways: direction * rounded(between(...sideways, draw), 2),
  }
}

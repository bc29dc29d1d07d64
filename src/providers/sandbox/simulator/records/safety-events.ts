import type { Point } from '../world/geometry.ts'
import { rounded } from '../world/geometry.ts'
import { motionAt, positionAfter } from '../world/motion.ts'
import { between, dice, pickWeighted } from '../world/random.ts'
import { legAt, legNumberAt, type TimedLeg, type Track } from '../world/track.ts'
import { idOf, timestamp } from './ids.ts'
import { driverIdOf } from './locations.ts'
import { SAFETY_KINDS, type SafetyKind } from './safety-kinds.ts'
import type { Period, Timed } from './timed.ts'

export interface SafetyEventRecord {
  id: string
  type: string
  vehicleId: string
  driverId: string | null
  occurredAt: string
  /** Null while it goes on, and for what happens in an instant. */
  endedAt: string | null
  location: Point
  maxSpeedMph: number
  avgSpeedMph: number
  speedLimitMph: number
  gForceForward: number
  gForceSideways: number
  heading: number
  /** The provider's own words. */
  label: string
  updatedAt: string
}

const countDice = dice('safety events of a leg')
const timeDice = dice('time of a safety event')
const kindDice = dice('kind of a safety event')
const forceDice = dice('force of a safety event')
const durationDice = dice('duration of a safety event')
const speedDice = dice('speed of a safety event')

/** The safety events of a vehicle that began in a period, in order, as they look at `nowMs`. */
export function* safetyEvents(
  track: Track,
  { sinceMs, untilMs }: Period,
  nowMs: number,
): Generator<Timed<SafetyEventRecord>> {
  for (let number = Math.max(0, legNumberAt(track, sinceMs)); ; number++) {
    const leg = legAt(track, number)
    if (leg.startMs >= untilMs) return
    const count = eventCount(track, number)
    for (let i = 0; i < count; i++) {
      const timeMs = eventTimeMs(track, leg, i, count)
      if (timeMs >= sinceMs && timeMs < untilMs)
        yield { timeMs, record: eventRecord(track, leg, i, timeMs, nowMs) }
    }
  }
}

function eventCount({ fleet, vehicle }: Track, leg: number): number {
  const chance = countDice(fleet.seed, vehicle, leg)
  return chance < 0.74 ? 0 : chance < 0.94 ? 1 : 2
}

/** Each event has its own part of the leg, so that they stay in order and end before the leg does. */
function eventTimeMs({ fleet, vehicle }: Track, leg: TimedLeg, i: number, count: number): number {
  const chance = between(0.05, 0.9, timeDice(fleet.seed, vehicle, 2 * leg.number + i))
  return leg.startMs + Math.floor(((i + chance) / count) * (leg.endMs - leg.startMs))
}

function eventRecord(
  track: Track,
  leg: TimedLeg,
  i: number,
  timeMs: number,
  nowMs: number,
): SafetyEventRecord {
  const { fleet, vehicle } = track
  const turn = 2 * leg.number + i
  const kind = pickWeighted(SAFETY_KINDS, kindDice(fleet.seed, vehicle, turn))
  const motion = motionAt(track, timeMs)
  const { lat, lng, heading } = positionAfter(track, motion.miles)
  const lasts = Math.round(between(...kind.seconds, durationDice(fleet.seed, vehicle, turn))) * 1000
  const endMs = lasts > 0 && timeMs + lasts <= nowMs ? timeMs + lasts : null
  return {
    id: idOf('evt', fleet, vehicle, leg.number, i),
    type: kind.type,
    vehicleId: idOf('veh', fleet, vehicle),
    driverId: driverIdOf(fleet, vehicle, leg),
    occurredAt: timestamp(timeMs),
    endedAt: endMs === null ? null : timestamp(endMs),
    location: { lat: rounded(lat, 6), lng: rounded(lng, 6) },
    ...speeds(kind, motion.speedMph, speedDice(fleet.seed, vehicle, turn)),
    ...forces(kind, forceDice(fleet.seed, vehicle, turn)),
    heading: Math.floor(heading),
    label: kind.label,
    updatedAt: timestamp(endMs ?? timeMs),
  }
}

function speeds({ overLimit }: SafetyKind, speedMph: number, chance: number) {
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

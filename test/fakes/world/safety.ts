import { SECOND } from './calendar.ts'
import { metersOf, type Stage } from './day.ts'
import { drawPurpose, between, type Draw, drawsOf, oneOf } from './draws.ts'
import { countersAt, type Run } from './trip-runs.ts'
import type { Ms, SafetyEvent } from './truth.ts'

type Kind = SafetyEvent['kind']

const LIMIT_METERS_PER_SECOND = 29.0576

/** Returns the arrived safety events of a trip: speeding, harsh manoeuvres, and rarely a crash. */
export function safetyEventsOf(run: Run, seed: number, now: Ms): SafetyEvent[] {
  return run.drive.stages.flatMap((stage, index) => {
    const draw = drawsOf(seed, drawPurpose.safety, run.number, index)
    const kind = kindOf(draw, stage)
    if (kind === null) return []
    const event = eventOf(draw, kind, stage, run, run.number * 100 + index, now)
    return event.arrivedAt <= now ? [event] : []
  })
}

function kindOf(draw: Draw, { metersPerSecond, isSpeeding }: Stage): Kind | null {
  if (metersPerSecond === 0) return null
  if (isSpeeding) return 'speeding'
  const chance = draw()
  if (chance < 0.001) return 'crash'
  return chance < 0.08 ? oneOf(draw, ['harsh_brake', 'harsh_acceleration', 'harsh_turn']) : null
}

function eventOf(draw: Draw, kind: Kind, stage: Stage, run: Run, number: number, now: Ms): SafetyEvent {
  const seconds = kind === 'speeding' ? Math.floor(between(draw, 30, 240)) : Math.floor(between(draw, 1, 5))
  const room = stage.endsAt - stage.startsAt - seconds * SECOND
  const startedAt = stage.startsAt + Math.floor(between(draw, 0.1, 0.9) * room)
  const endedAt = startedAt + seconds * SECOND
  const [from, to] = [startedAt, endedAt].map((at) => countersAt(run, at).odometerMeters) as [number, number]
  const arrivedAt = run.arrivalOf(endedAt)
  const isCorrected = run.correctedAt <= now
  return {
    number,
    vehicle: run.vehicle,
    driver: run.correctedAt === Infinity || isCorrected ? run.driver : null,
    kind,
    arrivedAt,
    updatedAt: isCorrected ? run.correctedAt : arrivedAt,
    startedAt,
    endedAt,
    start: run.road.placeAt(from),
    end: run.road.placeAt(to),
    headingDegrees: run.road.headingAt(from),
    maxMetersPerSecond: stage.metersPerSecond,
    averageMetersPerSecond: metersOf(stage) / ((stage.endsAt - stage.startsAt) / SECOND),
    limitMetersPerSecond: kind === 'speeding' ? LIMIT_METERS_PER_SECOND : null,
    gForceForward: forwardOf(draw, kind),
    gForceSide: kind === 'harsh_turn' ? hundredths(oneOf(draw, [-1, 1]) * between(draw, 0.35, 0.6)) : null,
  }
}

function forwardOf(draw: Draw, kind: Kind): number | null {
  if (kind === 'harsh_brake') return hundredths(-between(draw, 0.35, 0.6))
  if (kind === 'harsh_acceleration') return hundredths(between(draw, 0.3, 0.5))
  return kind === 'crash' ? hundredths(-between(draw, 2, 4.5)) : null
}

const hundredths = (value: number): number => Math.round(value * 100) / 100

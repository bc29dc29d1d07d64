import { pointAt, type RoadPoint } from './road-network/corridors.ts'
import { WORLD_START_MS } from './fleet.ts'
import { HOUR_MS } from './durations.ts'
import { type Leg } from './work-schedule.ts'
import { legAt, legNumberAt, type TimedLeg, type VehicleRoute } from './vehicle-route.ts'

/** What a vehicle does at a moment. */
export interface Motion {
  /** The leg that started last; null before the vehicle's first. */
  readonly leg: TimedLeg | null
  readonly moving: boolean
  readonly speedMph: number
  /** Driven since the world began. */
  readonly miles: number
}

export interface Position extends RoadPoint {
  /** Compass course, degrees. */
  readonly heading: number
}

/** A time of driving or of standing still, over which samples are evenly spaced. */
export interface MotionPeriod {
  readonly moving: boolean
  readonly startMs: number
  readonly endMs: number
}

/** How far the speed swings around a leg's mean, slowly and fast: 45 to 70 mph over all. */
const SLOW_SWING_MPH = 5
const FAST_SWING_MPH = 3.5

export function motionAt(track: VehicleRoute, timeMs: number): Motion {
  const number = legNumberAt(track, timeMs)
  if (number < 0) return { leg: null, moving: false, speedMph: 0, miles: 0 }
  const leg = legAt(track, number)
  if (timeMs >= leg.endMs) return { leg, moving: false, speedMph: 0, miles: leg.milesBefore + leg.miles }
  const ms = timeMs - leg.startMs
  return {
    leg,
    moving: true,
    speedMph: speedInLeg(leg.leg, ms) * track.pace,
    miles: leg.milesBefore + milesInLeg(leg.leg, ms) * track.pace,
  }
}

/** Where a vehicle is that has driven so far since the world began: up and down its beat, end to end. */
export function positionAfter(track: VehicleRoute, miles: number): Position {
  const { corridor, startMile, lengthMiles, headStartMiles } = track
  const along = (headStartMiles + miles) % (2 * lengthMiles)
  const outbound = along < lengthMiles
  const point = pointAt(corridor, startMile + (outbound ? along : 2 * lengthMiles - along))
  return { ...point, heading: outbound ? point.course : (point.course + 180) % 360 }
}

/** The drive or the stop that goes on at that time. */
export function motionPeriodAt(track: VehicleRoute, timeMs: number): MotionPeriod {
  const number = legNumberAt(track, timeMs)
  if (number < 0) return { moving: false, startMs: WORLD_START_MS, endMs: legAt(track, 0).startMs }
  const { startMs, endMs } = legAt(track, number)
  if (timeMs < endMs) return { moving: true, startMs, endMs }
  return { moving: false, startMs: endMs, endMs: legAt(track, number + 1).startMs }
}

/** The mean speed and two waves that fit whole into the leg, so that its length is mean speed times duration. */
function speedInLeg(leg: Leg, ms: number): number {
  const part = (2 * Math.PI * ms) / (leg.endMs - leg.startMs)
  const slow = SLOW_SWING_MPH * Math.sin(leg.slowWaves * part + leg.phase)
  const fast = FAST_SWING_MPH * Math.sin(leg.fastWaves * part + leg.phase)
  return leg.meanMph + slow + fast
}

/** The integral of the speed. */
function milesInLeg(leg: Leg, ms: number): number {
  const durationHours = (leg.endMs - leg.startMs) / HOUR_MS
  const part = (2 * Math.PI * ms) / (leg.endMs - leg.startMs)
  const swing = (mph: number, waves: number) =>
    ((mph * durationHours) / (2 * Math.PI * waves)) *
    (Math.cos(leg.phase) - Math.cos(waves * part + leg.phase))
  const slow = swing(SLOW_SWING_MPH, leg.slowWaves)
  return (leg.meanMph * ms) / HOUR_MS + slow + swing(FAST_SWING_MPH, leg.fastWaves)
}

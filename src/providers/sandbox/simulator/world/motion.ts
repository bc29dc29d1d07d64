import { pointAt, type RoadPoint } from './road-network/corridors.ts'
import { WORLD_START_MS } from './fleet.ts'
import { HOUR_MS } from './durations.ts'
import { type Leg } from './work-schedule.ts'
import { legAt, legNumberAt, type TimedLeg, type VehicleRoute } from './vehicle-route.ts'

/** Motion of a vehicle at a moment. */
export interface Motion {
  /** The leg that started last; null before the first leg of the vehicle. */
  readonly leg: TimedLeg | null
  /** Whether the leg has not ended yet. */
  readonly moving: boolean
  readonly speedMph: number
  /** Distance since the start of the world. */
  readonly miles: number
}

export interface Position extends RoadPoint {
  /** Direction of travel, in degrees from north. */
  readonly heading: number
}

/** A period in which a vehicle drives (a leg) or stands (a stop). */
export interface MotionPeriod {
  readonly moving: boolean
  readonly startMs: number
  readonly endMs: number
}

// Amplitudes of the two waves in which the speed varies around the mean of a leg. It stays between 45 and 70 mph.
const SLOW_SWING_MPH = 5
const FAST_SWING_MPH = 3.5

export function motionAt(route: VehicleRoute, timeMs: number): Motion {
  const number = legNumberAt(route, timeMs)
  if (number < 0) return { leg: null, moving: false, speedMph: 0, miles: 0 }
  const leg = legAt(route, number)
  if (timeMs >= leg.endMs) return { leg, moving: false, speedMph: 0, miles: leg.milesBefore + leg.miles }
  const ms = timeMs - leg.startMs
  return {
    leg,
    moving: true,
    speedMph: speedInLeg(leg.leg, ms) * route.pace,
    miles: leg.milesBefore + milesInLeg(leg.leg, ms) * route.pace,
  }
}

/**
 * Returns the position of a vehicle after a distance since the start of the world. It drives its route back
 * and forth.
 */
export function positionAfter(route: VehicleRoute, miles: number): Position {
  const { corridor, startMile, lengthMiles, headStartMiles } = route
  const along = (headStartMiles + miles) % (2 * lengthMiles)
  const outbound = along < lengthMiles
  const point = pointAt(corridor, startMile + (outbound ? along : 2 * lengthMiles - along))
  return { ...point, heading: outbound ? point.course : (point.course + 180) % 360 }
}

/** Returns the leg or stop at a moment. */
export function motionPeriodAt(route: VehicleRoute, timeMs: number): MotionPeriod {
  const number = legNumberAt(route, timeMs)
  if (number < 0) return { moving: false, startMs: WORLD_START_MS, endMs: legAt(route, 0).startMs }
  const { startMs, endMs } = legAt(route, number)
  if (timeMs < endMs) return { moving: true, startMs, endMs }
  return { moving: false, startMs: endMs, endMs: legAt(route, number + 1).startMs }
}

/**
 * Returns the speed at a time in a leg: the mean and two waves. A leg has whole waves, so they add no distance: its
 * length is the mean speed times the duration.
 */
function speedInLeg(leg: Leg, ms: number): number {
  const part = (2 * Math.PI * ms) / (leg.endMs - leg.startMs)
  const slow = SLOW_SWING_MPH * Math.sin(leg.slowWaves * part + leg.phase)
  const fast = FAST_SWING_MPH * Math.sin(leg.fastWaves * part + leg.phase)
  return leg.meanMph + slow + fast
}

/** Returns the distance driven up to a time in a leg: the integral of the speed. */
function milesInLeg(leg: Leg, ms: number): number {
  const durationHours = (leg.endMs - leg.startMs) / HOUR_MS
  const part = (2 * Math.PI * ms) / (leg.endMs - leg.startMs)
  const swing = (mph: number, waves: number) =>
    ((mph * durationHours) / (2 * Math.PI * waves)) *
    (Math.cos(leg.phase) - Math.cos(waves * part + leg.phase))
  const slow = swing(SLOW_SWING_MPH, leg.slowWaves)
  return (leg.meanMph * ms) / HOUR_MS + slow + swing(FAST_SWING_MPH, leg.fastWaves)
}

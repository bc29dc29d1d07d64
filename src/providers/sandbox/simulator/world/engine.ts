import type { VehicleModel } from './catalogue.ts'
import type { Motion } from './motion.ts'
import { MINUTE_MS } from './durations.ts'
import { between, dice } from './random.ts'
import { legAt, type TimedLeg, type VehicleRoute } from './vehicle-route.ts'

/** Time for which the engine idles before each leg. */
export const IDLE_BEFORE_MS = 4 * MINUTE_MS
/** Time for which the engine idles after each leg. */
export const IDLE_AFTER_MS = 3 * MINUTE_MS

/** Time between the end of a leg and a refill or recharge. */
export const REFILL_AFTER_MS = 10 * MINUTE_MS

const fillDice = dice('level after a refill')

export type EngineState = 'on' | 'idle' | 'off'

export function engineStateAt(route: VehicleRoute, motion: Motion, timeMs: number): EngineState {
  if (motion.moving) return 'on'
  return idlingIn(route, motion.leg, timeMs).isIdling ? 'idle' : 'off'
}

/** Returns the engine runtime since the start of the world. */
export function engineMsAt(route: VehicleRoute, { leg, moving }: Motion, timeMs: number): number {
  if (!leg) return idlingIn(route, null, timeMs).idledMs
  const before = leg.drivingMsBefore + leg.number * (IDLE_BEFORE_MS + IDLE_AFTER_MS) + IDLE_BEFORE_MS
  if (moving) return before + timeMs - leg.startMs
  return before + leg.endMs - leg.startMs + idlingIn(route, leg, timeMs).idledMs
}

/** Returns the driving time since the start of the world. */
export function drivingMsAt({ leg, moving }: Motion, timeMs: number): number {
  if (!leg) return 0
  return leg.drivingMsBefore + (moving ? timeMs : leg.endMs) - leg.startMs
}

/** Returns the level of the tank or the battery in percent. */
export function fuelPercentAt(
  route: VehicleRoute,
  model: VehicleModel,
  motion: Motion,
  timeMs: number,
): number {
  const { number, miles } = lastRefill(route, model, motion, timeMs)
  const full = between(95, 100, fillDice(route.fleet.seed, route.vehicle, number))
  return full - (100 * (motion.miles - miles)) / model.rangeMiles
}

/**
 * Returns whether the engine idles at a moment of the stop after a leg, and its idling time in the stop so far. The
 * engine idles at the start and at the end of a stop. Without a leg, the stop is that before the first leg.
 */
function idlingIn(
  route: VehicleRoute,
  leg: TimedLeg | null,
  timeMs: number,
): { isIdling: boolean; idledMs: number } {
  const next = legAt(route, leg ? leg.number + 1 : 0)
  const after = leg ? Math.min(IDLE_AFTER_MS, timeMs - leg.endMs) : 0
  const before = Math.max(0, timeMs - (next.startMs - IDLE_BEFORE_MS))
  return { isIdling: before > 0 || (leg !== null && after < IDLE_AFTER_MS), idledMs: after + before }
}

/** Returns the number of the leg after the last refill, and the distance before the refill. */
function lastRefill(
  route: VehicleRoute,
  model: VehicleModel,
  { leg, moving, miles }: Motion,
  timeMs: number,
) {
  if (!leg) return { number: 0, miles: 0 }
  const next = legAt(route, leg.number + 1)
  const refilled = !moving && timeMs - leg.endMs >= REFILL_AFTER_MS && startsWithFullTank(route, model, next)
  if (refilled) return { number: next.number, miles }
  let first = leg
  while (first.number > 0 && !startsWithFullTank(route, model, first)) first = legAt(route, first.number - 1)
  return { number: first.number, miles: first.milesBefore }
}

/**
 * Whether the tank is full at the start of a leg. Small tanks are filled at every stop, larger ones every night,
 * the largest every other night.
 */
function startsWithFullTank(
  route: VehicleRoute,
  { rangeMiles }: VehicleModel,
  { number, day }: TimedLeg,
): boolean {
  const { longestDayMiles } = route.schedule
  if (number === 0 || rangeMiles < 1.1 * longestDayMiles) return true
  const previousDay = legAt(route, number - 1).day
  const days = rangeMiles > 2.1 * longestDayMiles ? 2 : 1
  return Math.floor(previousDay / days) !== Math.floor(day / days)
}

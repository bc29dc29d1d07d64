import type { VehicleModel } from './catalogue.ts'
import type { Motion } from './motion.ts'
import { MINUTE_MS } from './durations.ts'
import { between, dice } from './random.ts'
import { legAt, type TimedLeg, type VehicleRoute } from './vehicle-route.ts'

/** An engine runs so long before a leg and after it. */
export const IDLE_BEFORE_MS = 4 * MINUTE_MS
export const IDLE_AFTER_MS = 3 * MINUTE_MS

/** The pump or the charger runs so long after a vehicle stopped. */
const REFILL_AFTER_MS = 10 * MINUTE_MS

const fillDice = dice('level after a refill')

export type EngineState = 'on' | 'idle' | 'off'

export function engineStateAt(track: VehicleRoute, motion: Motion, timeMs: number): EngineState {
  if (motion.moving) return 'on'
  return idledMs(track, motion.leg, timeMs).idles ? 'idle' : 'off'
}

/** Running time since the world began. */
export function engineMsAt(track: VehicleRoute, { leg, moving }: Motion, timeMs: number): number {
  if (!leg) return idledMs(track, null, timeMs).ms
  const before = leg.drivingMsBefore + leg.number * (IDLE_BEFORE_MS + IDLE_AFTER_MS) + IDLE_BEFORE_MS
  if (moving) return before + timeMs - leg.startMs
  return before + leg.endMs - leg.startMs + idledMs(track, leg, timeMs).ms
}

/** The part of it in which the vehicle moved. */
export function drivingMsAt({ leg, moving }: Motion, timeMs: number): number {
  if (!leg) return 0
  return leg.drivingMsBefore + (moving ? timeMs : leg.endMs) - leg.startMs
}

/** How full the tank or the battery is, in percent. */
export function fuelPercentAt(
  track: VehicleRoute,
  model: VehicleModel,
  motion: Motion,
  timeMs: number,
): number {
  const { number, miles } = lastRefill(track, model, motion, timeMs)
  const full = between(95, 100, fillDice(track.fleet.seed, track.vehicle, number))
  return full - (100 * (motion.miles - miles)) / model.rangeMiles
}

/** The idling of the stop after a leg: first before the engine is shut off, then before the next leg. */
function idledMs(track: VehicleRoute, leg: TimedLeg | null, timeMs: number): { idles: boolean; ms: number } {
  const next = legAt(track, leg ? leg.number + 1 : 0)
  const after = leg ? Math.min(IDLE_AFTER_MS, timeMs - leg.endMs) : 0
  const before = Math.max(0, timeMs - (next.startMs - IDLE_BEFORE_MS))
  return { idles: before > 0 || (leg !== null && after < IDLE_AFTER_MS), ms: after + before }
}

/** The leg before which the tank was last filled, and the miles driven until then. */
function lastRefill(
  track: VehicleRoute,
  model: VehicleModel,
  { leg, moving, miles }: Motion,
  timeMs: number,
) {
  if (!leg) return { number: 0, miles: 0 }
  const next = legAt(track, leg.number + 1)
  const refilled = !moving && timeMs - leg.endMs >= REFILL_AFTER_MS && startsTank(track, model, next)
  if (refilled) return { number: next.number, miles }
  let first = leg
  while (first.number > 0 && !startsTank(track, model, first)) first = legAt(track, first.number - 1)
  return { number: first.number, miles: first.milesBefore }
}

/** Small tanks are filled at every stop, larger ones every night, the largest every other night. */
function startsTank(track: VehicleRoute, { rangeMiles }: VehicleModel, { number, day }: TimedLeg): boolean {
  const { longestDayMiles } = track.plan
  if (number === 0 || rangeMiles < 1.1 * longestDayMiles) return true
  const previousDay = legAt(track, number - 1).day
  const days = rangeMiles > 2.1 * longestDayMiles ? 2 : 1
  return Math.floor(previousDay / days) !== Math.floor(day / days)
}

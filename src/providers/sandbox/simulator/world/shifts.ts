import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts'
import { between, dice } from './random.ts'

/** A drive without a stop, as generated for a schedule. Times count from the start of the schedule. */
export interface GeneratedLeg {
  readonly day: number
  /** 1 for the second driver of the day. */
  readonly shift: 0 | 1
  readonly startMs: number
  readonly endMs: number
  readonly meanMph: number
  /** Number of long waves in which the speed varies around the mean during the leg. */
  readonly slowWaves: number
  /** Number of short waves that are added to them. */
  readonly fastWaves: number
  /** Phase of both kinds of waves at the start of the leg, in radians. */
  readonly phase: number
}

/** Parameters of the work of one driver on one day. */
interface ShiftParams {
  readonly day: number
  readonly shift: 0 | 1
  readonly legCount: number
  readonly drivingHours: number
  /** Latest start, in minutes after the start of the day, or of its second half for a second driver. */
  readonly latestStartMinutes: number
  readonly stopMinutes: readonly [shortest: number, longest: number]
}

const legCountDice = dice('legs of a shift')
const drivingDice = dice('driving of a shift')
const startDice = dice('start of a shift')
const lengthDice = dice('length of a leg')
const stopDice = dice('stop after a leg')
const speedDice = dice('mean speed of a leg')
const waveDice = dice('waves of a leg')
const phaseDice = dice('phase of a leg')

/**
 * Returns the legs of a day, for one driver or for two who share the vehicle. After ten hours of rest, the US
 * duty rules allow 11 hours of driving within 14 hours. They require a break of 30 minutes. A lone driver
 * drives for most of the 11 hours. Two drivers have a shift of 12 hours each, one after the other. `seed` is the
 * seed of the schedule: vehicles with the same schedule have the same legs.
 */
export function legsOfDay(seed: number, day: number, shared: boolean): GeneratedLeg[] {
  if (!shared) return legsOf(seed, loneShift(seed, day))
  return [...legsOf(seed, sharedShift(seed, day, 0)), ...legsOf(seed, sharedShift(seed, day, 1))]
}

function loneShift(seed: number, day: number): ShiftParams {
  const hasShortLegs = legCountDice(seed, day) < 0.4
  return {
    day,
    shift: 0,
    legCount: hasShortLegs ? 4 : 3,
    drivingHours: between(10, 10.9, drivingDice(seed, day)),
    latestStartMinutes: 30,
    stopMinutes: hasShortLegs ? [15, 45] : [30, 60],
  }
}

function sharedShift(seed: number, day: number, shift: 0 | 1): ShiftParams {
  const drivingHours = between(9.6, 10.2, drivingDice(seed, day, shift))
  return { day, shift, legCount: 3, drivingHours, latestStartMinutes: 10, stopMinutes: [30, 40] }
}

function legsOf(seed: number, params: ShiftParams): GeneratedLeg[] {
  const { day, shift, latestStartMinutes } = params
  const shiftNumber = day * 2 + shift
  const startMinutes = between(0, latestStartMinutes, startDice(seed, shiftNumber))
  let startMs = day * DAY_MS + (shift * DAY_MS) / 2 + wholeSeconds(startMinutes * MINUTE_MS)
  return legDurations(seed, shiftNumber, params).map((durationMs, i) => {
    const leg = generateLeg(seed, shiftNumber * 4 + i, params, startMs, durationMs)
    startMs = leg.endMs + stopMs(seed, shiftNumber, i, params)
    return leg
  })
}

function legDurations(seed: number, shiftNumber: number, { legCount, drivingHours }: ShiftParams): number[] {
  const smallestShare = legCount === 3 ? 0.85 : 0.65
  const shares = Array.from({ length: legCount }, (_, i) =>
    between(smallestShare, 1.15, lengthDice(seed, shiftNumber, i)),
  )
  const sum = shares.reduce((total, share) => total + share)
  return shares.map((share) => wholeSeconds((drivingHours * HOUR_MS * share) / sum))
}

/** Returns the duration of a stop. The second stop of a shift is long enough for the required break. */
function stopMs(
  seed: number,
  shiftNumber: number,
  i: number,
  { stopMinutes: [shortest, longest] }: ShiftParams,
): number {
  const minutes = between(i === 1 ? 30 : shortest, longest, stopDice(seed, shiftNumber, i))
  return wholeSeconds(minutes * MINUTE_MS)
}

function generateLeg(
  seed: number,
  number: number,
  { day, shift }: ShiftParams,
  startMs: number,
  durationMs: number,
): GeneratedLeg {
  const hours = durationMs / HOUR_MS
  return {
    day,
    shift,
    startMs,
    endMs: startMs + durationMs,
    meanMph: between(55, 61, speedDice(seed, number)),
    slowWaves: Math.round(hours * between(1.5, 2.5, waveDice(seed, number))),
    fastWaves: Math.round(hours * between(8, 14, waveDice(seed, number, 1))),
    phase: 2 * Math.PI * phaseDice(seed, number),
  }
}

function wholeSeconds(ms: number): number {
  return Math.round(ms / 1000) * 1000
}

import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts'
import { between, dice } from './random.ts'

/** One drive without a stop, as a plan draws it. Times count from the start of the plan. */
export interface DrawnLeg {
  readonly day: number
  /** 1 for the second driver of the day. */
  readonly shift: 0 | 1
  readonly startMs: number
  readonly endMs: number
  readonly meanMph: number
  /** How often the speed swells and falls during the leg, slowly and fast. */
  readonly slowWaves: number
  readonly fastWaves: number
  readonly phase: number
}

/** One driver's work on one day. */
interface Shift {
  readonly day: number
  readonly shift: 0 | 1
  readonly legCount: number
  readonly drivingHours: number
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
 * The legs of a day, for a driver alone or for two who share the vehicle. The US duty rules allow 11 hours of
 * driving within 14 hours, with half an hour's break, after ten hours of rest: a lone driver takes most of that,
 * two fill half of the day each. The seed is the plan's.
 */
export function legsOfDay(seed: number, day: number, shared: boolean): DrawnLeg[] {
  if (!shared) return legsOf(seed, loneShift(seed, day))
  return [...legsOf(seed, sharedShift(seed, day, 0)), ...legsOf(seed, sharedShift(seed, day, 1))]
}

function loneShift(seed: number, day: number): Shift {
  const short = legCountDice(seed, day) < 0.4
  return {
    day,
    shift: 0,
    legCount: short ? 4 : 3,
    drivingHours: between(10, 10.9, drivingDice(seed, day)),
    latestStartMinutes: 30,
    stopMinutes: short ? [15, 45] : [30, 60],
  }
}

function sharedShift(seed: number, day: number, shift: 0 | 1): Shift {
  const drivingHours = between(9.6, 10.2, drivingDice(seed, day, shift))
  return { day, shift, legCount: 3, drivingHours, latestStartMinutes: 10, stopMinutes: [30, 40] }
}

function legsOf(seed: number, shift: Shift): DrawnLeg[] {
  const turn = shift.day * 2 + shift.shift
  const startMinutes = between(0, shift.latestStartMinutes, startDice(seed, turn))
  let startMs = shift.day * DAY_MS + (shift.shift * DAY_MS) / 2 + wholeSeconds(startMinutes * MINUTE_MS)
  return legDurations(seed, turn, shift).map((durationMs, i) => {
    const leg = drawLeg(seed, turn * 4 + i, shift, startMs, durationMs)
    startMs = leg.endMs + stopMs(seed, turn, i, shift)
    return leg
  })
}

function legDurations(seed: number, turn: number, { legCount, drivingHours }: Shift): number[] {
  const shortest = legCount === 3 ? 0.85 : 0.65
  const shares = Array.from({ length: legCount }, (_, i) =>
    between(shortest, 1.15, lengthDice(seed, turn, i)),
  )
  const sum = shares.reduce((total, share) => total + share)
  return shares.map((share) => wholeSeconds((drivingHours * HOUR_MS * share) / sum))
}

/** The second stop of a shift is never shorter than the break that the rules ask for. */
function stopMs(seed: number, turn: number, i: number, { stopMinutes: [shortest, longest] }: Shift): number {
  const minutes = between(i === 1 ? 30 : shortest, longest, stopDice(seed, turn, i))
  return wholeSeconds(minutes * MINUTE_MS)
}

function drawLeg(
  seed: number,
  number: number,
  { day, shift }: Shift,
  startMs: number,
  durationMs: number,
): DrawnLeg {
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

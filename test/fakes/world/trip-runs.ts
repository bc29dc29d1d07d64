import { HOUR, MINUTE, SECOND } from './calendar.ts'
import type { Day, Drive, Stage } from './day.ts'
import { about, between, drawsOf, wholeBetween } from './draws.ts'
import { type Counters, type Logbook, plus } from './duty/logbook.ts'
import type { Seeded } from './options.ts'
import type { Road } from './roads/road.ts'
import type { Ms } from './truth.ts'
import { type Build, builtAs } from './roster/vehicles.ts'

/** A complete trip, with the values that determine its state at a time. */
export interface Run {
  readonly number: number
  readonly vehicle: number
  readonly driver: number | null
  readonly drive: Drive
  readonly before: Counters
  readonly build: Build
  readonly road: Road
  /** Returns the arrival of a fix. */
  arrivalOf(at: Ms): Ms
  /** Time of the correction, after the end; Infinity for most. */
  readonly correctedAt: Ms
}

export function runsOf(vehicle: number, day: number, logbook: Logbook, seeded: Seeded): Run[] {
  const work = logbook.dayOf(vehicle, day)
  if (!work) return []
  const build = builtAs(seeded.seed, vehicle)
  let before = logbook.before(vehicle, day)
  return work.drives.map((drive, index) => {
    const run = runOf(work, drive, vehicle, vehicle * 1_000_000 + day * 100 + index, seeded)
    const whole = { ...run, before, build, road: logbook.roadOf(vehicle) }
    before = countersAt(whole, drive.endsAt)
    return whole
  })
}

function runOf({ driver }: Day, drive: Drive, vehicle: number, number: number, { seed, options }: Seeded) {
  const upload = drawsOf(seed, about.upload, number)
  const isLate = upload() < options.lateShare
  const latency = wholeBetween(upload, 2 * SECOND, 15 * SECOND)
  const landed = drive.endsAt + Math.floor(between(upload, 0.5, 20) * HOUR)
  const correction = drawsOf(seed, about.correction, number)
  const isCorrected = driver !== null && correction() < options.correctedShare
  const arrived = isLate ? landed : drive.endsAt + latency
  return {
    number,
    vehicle,
    driver,
    drive,
    arrivalOf: (at: Ms) => (isLate ? landed : at + latency),
    correctedAt: isCorrected ? arrived + Math.floor(between(correction, 30 * MINUTE, 30 * HOUR)) : Infinity,
  }
}

export const stageAt = ({ drive }: Run, at: Ms): Stage =>
  drive.stages.find(({ endsAt }) => at < endsAt) ?? (drive.stages.at(-1) as Stage)

export function countersAt({ before, drive, build }: Run, at: Ms): Counters {
  let counters = before
  for (const { startsAt, endsAt, metersPerSecond } of drive.stages) {
    if (at <= startsAt) break
    const milliseconds = Math.min(at, endsAt) - startsAt
    counters = plus(counters, (milliseconds / SECOND) * metersPerSecond, milliseconds, build)
  }
  return counters
}

/** Yields fix times: at the start, at a fixed interval, and at the end. */
export function* fixTimesOf({ drive }: Run, every: number): Generator<Ms> {
  for (let at = drive.startsAt; at < drive.endsAt; at += every) yield at
  yield drive.endsAt
}

/** Returns the time of the newest arrived fix; null before the first. */
export function knownUntil(run: Run, every: number, now: Ms): Ms | null {
  let known: Ms | null = null
  for (const at of fixTimesOf(run, every)) if (run.arrivalOf(at) <= now) known = at
  return known
}

import { HOUR, MINUTE, SECOND } from './calendar.ts'
import type { Day, Drive, Stage } from './day.ts'
import { drawPurpose, between, drawsOf, wholeBetween } from './draws.ts'
import { type Counters, type VehicleHistory, plus } from './duty/vehicle-history.ts'
import type { Seeded } from './options.ts'
import type { Road } from './roads/road.ts'
import type { Ms } from './truth.ts'
import { type VehicleSpec, specOf } from './roster/vehicles.ts'

/** A trip from start to end, also the part that has not arrived yet. `Trip` is the part that has. */
export interface Run {
  readonly number: number
  readonly vehicle: number
  readonly driver: number | null
  readonly drive: Drive
  readonly before: Counters
  readonly spec: VehicleSpec
  readonly road: Road
  /** Returns when the fix of a time arrives at the provider. */
  arrivalOf(at: Ms): Ms
  /** When the provider gets the missing driver; Infinity if none is missing. */
  readonly correctedAt: Ms
}

export function runsOf(vehicle: number, day: number, history: VehicleHistory, seeded: Seeded): Run[] {
  const work = history.dayOf(vehicle, day)
  if (!work) return []
  const spec = specOf(seeded.seed, vehicle)
  let before = history.countersBefore(vehicle, day)
  return work.drives.map((drive, index) => {
    const run = runOf(work, drive, vehicle, vehicle * 1_000_000 + day * 100 + index, seeded)
    const whole = { ...run, before, spec, road: history.roadOf(vehicle) }
    before = countersAt(whole, drive.endsAt)
    return whole
  })
}

function runOf({ driver }: Day, drive: Drive, vehicle: number, number: number, { seed, options }: Seeded) {
  const upload = drawsOf(seed, drawPurpose.upload, number)
  const isLate = upload() < options.lateShare
  const latency = wholeBetween(upload, 2 * SECOND, 15 * SECOND)
  const uploadedAt = drive.endsAt + Math.floor(between(upload, ...options.lateTripHours) * HOUR)
  const correction = drawsOf(seed, drawPurpose.correction, number)
  const isCorrected = driver !== null && correction() < options.correctedShare
  const arrived = isLate ? uploadedAt : drive.endsAt + latency
  return {
    number,
    vehicle,
    driver,
    drive,
    arrivalOf: (at: Ms) => (isLate ? uploadedAt : at + latency),
    correctedAt: isCorrected ? arrived + Math.floor(between(correction, 30 * MINUTE, 30 * HOUR)) : Infinity,
  }
}

export const stageAt = ({ drive }: Run, at: Ms): Stage =>
  drive.stages.find(({ endsAt }) => at < endsAt) ?? (drive.stages.at(-1) as Stage)

export function countersAt({ before, drive, spec }: Run, at: Ms): Counters {
  let counters = before
  for (const { startsAt, endsAt, metersPerSecond } of drive.stages) {
    if (at <= startsAt) break
    const milliseconds = Math.min(at, endsAt) - startsAt
    counters = plus(counters, (milliseconds / SECOND) * metersPerSecond, milliseconds, spec)
  }
  return counters
}

/** Yields the times of fixes: at a fixed interval from the start, and at the end. */
export function* fixTimesOf({ drive }: Run, every: number): Generator<Ms> {
  for (let at = drive.startsAt; at < drive.endsAt; at += every) yield at
  yield drive.endsAt
}

/** Returns the time of the newest arrived fix; null before the first. */
export function arrivedFixTime(run: Run, every: number, now: Ms): Ms | null {
  let known: Ms | null = null
  for (const at of fixTimesOf(run, every)) if (run.arrivalOf(at) <= now) known = at
  return known
}

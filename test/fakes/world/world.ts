import { Calendar } from './calendar.ts'
import { DutySchedule } from './duty/duty.ts'
import { faultsOf, MAX_FAULT_DURATION } from './faults.ts'
import { groupsOf } from './roster/groups.ts'
import { Hours } from './duty/hours.ts'
import { distancesIn } from './roads/jurisdictions.ts'
import { VehicleHistory } from './duty/vehicle-history.ts'
import { accountOf, driverAt, trailerAt } from './roster/members.ts'
import { Motion } from './roads/motion.ts'
import { type Seeded, defaultOptions, type WorldOptions } from './options.ts'
import { Roster } from './roster/roster.ts'
import { safetyEventsOf } from './safety.ts'
import { trailerFixesOf } from './roster/trailers.ts'
import type { Ms, World } from './truth.ts'
import { vehicleAt } from './roster/vehicles.ts'

export interface WorldSeed {
  readonly seed: number
  /** Initial number of vehicles. Over time, some are added and some removed. */
  readonly vehicles: number
  readonly startsAt: Ms
  readonly now: () => Ms
  readonly options?: Partial<WorldOptions>
}

/** Creates a world. It keeps no state: each result is computed from the seed and the time. */
export function worldOf({ now, ...given }: WorldSeed): World {
  const seeded: Seeded = { ...given, options: { ...defaultOptions, ...given.options } }
  const { seed, startsAt } = seeded
  const calendar = new Calendar(startsAt, seeded.options.timeZone)
  const roster = new Roster(seeded)
  const history = new VehicleHistory(seeded, roster, calendar)
  const motion = new Motion(seeded, history, now)
  const hours = new Hours(new DutySchedule(seeded, roster, history, motion), roster, history, now)
  return {
    account: accountOf(seeded),
    startsAt,
    get now() {
      return now()
    },
    groups: () => groupsOf(seeded),
    drivers: cachedUntilClockMoves(now, () =>
      roster.driversAddedBy(now()).map((driver) => driverAt(driver, roster, seeded, now())),
    ),
    vehicles: cachedUntilClockMoves(now, () =>
      roster.vehiclesAddedBy(now()).map((vehicle) => vehicleAt(vehicle, roster, seeded, now())),
    ),
    trailers: () => roster.trailersAddedBy(now()).map((trailer) => trailerAt(trailer, roster, seeded, now())),
    fixes: (vehicle, from, to) => motion.fixes(vehicle, from, to),
    trailerFixes: (trailer, from, to) => trailerFixesOf(motion, roster, trailer, from, to),
    lastFix: (vehicle) => motion.lastFix(vehicle),
    trips: (vehicle, from, to) => motion.trips(vehicle, from, to),
    safetyEvents: (vehicle, from, to) =>
      motion
        .runsBetween(vehicle, from - MAX_TRIP_DURATION, to)
        .flatMap((run) => safetyEventsOf(run, seed, now()))
        .filter(({ startedAt }) => startedAt >= from && startedAt < to),
    faults: (vehicle, from, to) =>
      faultsOf(
        motion.runsBetween(vehicle, from - MAX_TRIP_DURATION - MAX_FAULT_DURATION, to),
        seeded,
        now(),
      ).filter(({ openedAt }) => openedAt >= from && openedAt < to),
    dutyChanges: (driver, from, to) => hours.changes(driver, from, to),
    clocks: (driver) => hours.clocks(driver),
    jurisdictionDistances: (month) => distancesIn(month, roster.vehiclesAddedBy(now()), motion, calendar),
  }
}

const MAX_TRIP_DURATION = 86_400_000

/** Caches a value until the clock moves. */
function cachedUntilClockMoves<T>(now: () => Ms, compute: () => T): () => T {
  let known: { at: Ms; value: T } | undefined
  return () => {
    if (known?.at !== now()) known = { at: now(), value: compute() }
    return known.value
  }
}

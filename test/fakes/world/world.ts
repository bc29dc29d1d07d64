import { Calendar } from './calendar.ts'
import { DutyBook } from './duty/duty.ts'
import { faultsOf, LONGEST_FAULT } from './faults.ts'
import { groupsOf } from './roster/groups.ts'
import { Hours } from './duty/hours.ts'
import { distancesIn } from './roads/jurisdictions.ts'
import { Logbook } from './duty/logbook.ts'
import { accountOf, driverAt, trailerAt } from './roster/members.ts'
import { Motion } from './roads/motion.ts'
import { type Seeded, usual, type WorldOptions } from './options.ts'
import { Roster } from './roster/roster.ts'
import { safetyEventsOf } from './safety.ts'
import { trailerFixesOf } from './roster/trailers.ts'
import type { Ms, World } from './truth.ts'
import { vehicleAt } from './roster/vehicles.ts'

export interface WorldSeed {
  readonly seed: number
  /** Initial number of vehicles; more come and some go. */
  readonly vehicles: number
  readonly startsAt: Ms
  /** The clock, which may move forward at any time. */
  readonly now: () => Ms
  readonly options?: Partial<WorldOptions>
}

/** Creates a world without simulation state: each result is computed on demand from the seed. */
export function worldOf({ now, ...given }: WorldSeed): World {
  const seeded: Seeded = { ...given, options: { ...usual, ...given.options } }
  const { seed, startsAt } = seeded
  const calendar = new Calendar(startsAt, seeded.options.timeZone)
  const roster = new Roster(seeded)
  const logbook = new Logbook(seeded, roster, calendar)
  const motion = new Motion(seeded, logbook, now)
  const hours = new Hours(new DutyBook(seeded, roster, logbook, motion), roster, logbook, now)
  return {
    account: accountOf(seeded),
    startsAt,
    get now() {
      return now()
    },
    groups: () => groupsOf(seeded),
    drivers: whileItIs(now, () =>
      roster.driversBy(now()).map((driver) => driverAt(driver, roster, seeded, now())),
    ),
    vehicles: whileItIs(now, () =>
      roster.vehiclesBy(now()).map((vehicle) => vehicleAt(vehicle, roster, seeded, now())),
    ),
    trailers: () => roster.trailersBy(now()).map((trailer) => trailerAt(trailer, roster, seeded, now())),
    fixes: (vehicle, from, to) => motion.fixes(vehicle, from, to),
    trailerFixes: (trailer, from, to) => trailerFixesOf(motion, roster, trailer, from, to),
    lastFix: (vehicle) => motion.lastFix(vehicle),
    trips: (vehicle, from, to) => motion.trips(vehicle, from, to),
    safetyEvents: (vehicle, from, to) =>
      motion
        .runsBetween(vehicle, from - LONGEST_TRIP, to)
        .flatMap((run) => safetyEventsOf(run, seed, now()))
        .filter(({ startedAt }) => startedAt >= from && startedAt < to),
    faults: (vehicle, from, to) =>
      faultsOf(motion.runsBetween(vehicle, from - LONGEST_TRIP - LONGEST_FAULT, to), seed, now()).filter(
        ({ openedAt }) => openedAt >= from && openedAt < to,
      ),
    dutyChanges: (driver, from, to) => hours.changes(driver, from, to),
    clocks: (driver) => hours.clocks(driver),
    jurisdictionDistances: (month) => distancesIn(month, roster.vehiclesBy(now()), motion, calendar),
  }
}

const LONGEST_TRIP = 86_400_000

/** Caches a value until the clock moves. */
function whileItIs<T>(now: () => Ms, compute: () => T): () => T {
  let known: { at: Ms; value: T } | undefined
  return () => {
    if (known?.at !== now()) known = { at: now(), value: compute() }
    return known.value
  }
}

import type { Calendar } from '../calendar.ts'
import { type Day, type Drive, dayOf, metersOf } from '../day.ts'
import { about, between, drawsOf } from '../draws.ts'
import type { Seeded } from '../options.ts'
import { Recent } from '../recent.ts'
import type { Road } from '../roads/road.ts'
import { roads } from '../roads/roads.ts'
import type { Roster } from '../roster/roster.ts'
import { type Build, builtAs } from '../roster/vehicles.ts'

/** Counters of a vehicle at the start of a day. */
export interface Counters {
  readonly odometerMeters: number
  readonly engineMilliseconds: number
  readonly fuelLiters: number
  /** 0 to 1. */
  readonly fuel: number
}

/** Below this level it is filled before the day begins. */
const FILLED_BELOW = 0.62
const DAYS_KNOWN = 4096

/** Days of vehicles, and their counters before each. Days are computed on demand. */
export class Logbook {
  private readonly days = new Recent<Day | null>(DAYS_KNOWN)
  private readonly counters = new Map<number, Counters[]>()

  constructor(
    private readonly seeded: Seeded,
    private readonly roster: Roster,
    readonly calendar: Calendar,
  ) {}

  dayOf(vehicle: number, day: number): Day | null {
    return this.days.get(vehicle * 100_000 + day, () =>
      dayOf(vehicle, day, this.seeded, this.roster, this.calendar),
    )
  }

  before(vehicle: number, day: number): Counters {
    const known = this.counters.get(vehicle) ?? [this.atFirst(vehicle)]
    this.counters.set(vehicle, known)
    const build = builtAs(this.seeded.seed, vehicle)
    for (let next = known.length; next <= day; next++) {
      const drives = this.dayOf(vehicle, next - 1)?.drives ?? []
      known.push(
        filled(
          drives.reduce((counters, drive) => after(counters, drive, build), known[next - 1] as Counters),
        ),
      )
    }
    return known[Math.max(0, day)] as Counters
  }

  roadOf(vehicle: number): Road {
    const draw = drawsOf(this.seeded.seed, about.corridor)
    const first = Math.floor(draw() * roads.length)
    return roads[(first + vehicle) % roads.length] as Road
  }

  /** Returns the initial counters. The odometer is the distance that the vehicle has driven along its road. */
  private atFirst(vehicle: number): Counters {
    const draw = drawsOf(this.seeded.seed, about.corridor, vehicle)
    return {
      odometerMeters: Math.floor(between(draw, 20_000_000, 900_000_000)),
      engineMilliseconds: Math.floor(between(draw, 1_000, 15_000)) * 3_600_000,
      fuelLiters: Math.floor(between(draw, 10_000, 200_000)),
      fuel: 1,
    }
  }
}

const filled = (counters: Counters): Counters =>
  counters.fuel < FILLED_BELOW ? { ...counters, fuel: 1 } : counters

function after(counters: Counters, drive: Drive, build: Build): Counters {
  return drive.stages.reduce((counters, harness) => {
    const meters = metersOf(harness)
    return plus(counters, meters, harness.endsAt - harness.startsAt, build)
  }, counters)
}

/** Returns the counters after a distance, or after idling. */
export function plus(counters: Counters, meters: number, milliseconds: number, build: Build): Counters {
  const idle = meters === 0 ? milliseconds : 0
  return {
    odometerMeters: counters.odometerMeters + meters,
    engineMilliseconds: counters.engineMilliseconds + milliseconds,
    fuelLiters: counters.fuelLiters + meters * build.litersPerMeter + idle * build.idleLitersPerMillisecond,
    fuel: counters.fuel - meters * build.fuelPerMeter - idle * build.fuelPerIdleMillisecond,
  }
}

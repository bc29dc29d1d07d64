import type { Calendar } from '../calendar.ts'
import { type Day, type Drive, dayOf, metersOf } from '../day.ts'
import { drawPurpose, between, drawsOf } from '../draws.ts'
import type { Seeded } from '../options.ts'
import { LruCache } from '../lru-cache.ts'
import type { Road } from '../roads/road.ts'
import { roads } from '../roads/roads.ts'
import type { Roster } from '../roster/roster.ts'
import { type VehicleSpec, specOf } from '../roster/vehicles.ts'

/** Counters of a vehicle at the start of a day. */
export interface Counters {
  readonly odometerMeters: number
  readonly engineMilliseconds: number
  readonly fuelLiters: number
  /** 0 to 1. */
  readonly fuel: number
}

/** A vehicle with less fuel is refueled before the day begins. */
const REFUEL_BELOW = 0.62
const CACHED_DAYS = 4096

/** Work days of vehicles, and their counters before each day. Both are computed on demand. */
export class VehicleHistory {
  private readonly days = new LruCache<Day | null>(CACHED_DAYS)
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

  countersBefore(vehicle: number, day: number): Counters {
    const known = this.counters.get(vehicle) ?? [this.initialCounters(vehicle)]
    this.counters.set(vehicle, known)
    const spec = specOf(this.seeded.seed, vehicle)
    for (let next = known.length; next <= day; next++) {
      const drives = this.dayOf(vehicle, next - 1)?.drives ?? []
      known.push(
        refueled(
          drives.reduce((counters, drive) => after(counters, drive, spec), known[next - 1] as Counters),
        ),
      )
    }
    return known[Math.max(0, day)] as Counters
  }

  roadOf(vehicle: number): Road {
    const draw = drawsOf(this.seeded.seed, drawPurpose.corridor)
    const first = Math.floor(draw() * roads.length)
    return roads[(first + vehicle) % roads.length] as Road
  }

  /** Returns the initial counters. The odometer also determines the position on the road. */
  private initialCounters(vehicle: number): Counters {
    const draw = drawsOf(this.seeded.seed, drawPurpose.corridor, vehicle)
    return {
      odometerMeters: Math.floor(between(draw, 20_000_000, 900_000_000)),
      engineMilliseconds: Math.floor(between(draw, 1_000, 15_000)) * 3_600_000,
      fuelLiters: Math.floor(between(draw, 10_000, 200_000)),
      fuel: 1,
    }
  }
}

const refueled = (counters: Counters): Counters =>
  counters.fuel < REFUEL_BELOW ? { ...counters, fuel: 1 } : counters

function after(counters: Counters, drive: Drive, spec: VehicleSpec): Counters {
  return drive.stages.reduce((counters, stage) => {
    const meters = metersOf(stage)
    return plus(counters, meters, stage.endsAt - stage.startsAt, spec)
  }, counters)
}

/** Adds a distance to counters; without a distance, the time counts as idling. */
export function plus(counters: Counters, meters: number, milliseconds: number, spec: VehicleSpec): Counters {
  const idle = meters === 0 ? milliseconds : 0
  return {
    odometerMeters: counters.odometerMeters + meters,
    engineMilliseconds: counters.engineMilliseconds + milliseconds,
    fuelLiters: counters.fuelLiters + meters * spec.litersPerMeter + idle * spec.idleLitersPerMillisecond,
    fuel: counters.fuel - meters * spec.fuelPerMeter - idle * spec.fuelPerIdleMillisecond,
  }
}

import { DAY } from '../calendar.ts'
import type { VehicleHistory } from '../duty/vehicle-history.ts'
import type { Seeded } from '../options.ts'
import { LruCache } from '../lru-cache.ts'
import { countersAt, fixTimesOf, arrivedFixTime, type Run, runsOf, stageAt } from '../trip-runs.ts'
import type { Fix, Ms, Trip } from '../truth.ts'

const CACHED_DAYS = 512

/** Positions and trips of vehicles, without the data that has not yet arrived at the provider. */
export class Motion {
  private readonly runs = new LruCache<readonly Run[]>(CACHED_DAYS * 4)
  private readonly fixesByDay = new LruCache<readonly Fix[]>(CACHED_DAYS)

  constructor(
    private readonly seeded: Seeded,
    private readonly history: VehicleHistory,
    private readonly now: () => Ms,
  ) {}

  private get fixInterval(): number {
    return this.seeded.options.fixEveryMilliseconds
  }

  fixes(vehicle: number, from: Ms, to: Ms): Fix[] {
    const now = this.now()
    return this.daysOf(from, to).flatMap((day) =>
      this.fixesOf(vehicle, day).filter(({ at, arrivedAt }) => at >= from && at < to && arrivedAt <= now),
    )
  }

  /** Returns the newest arrived fix. */
  lastFix(vehicle: number): Fix | null {
    const now = this.now()
    for (let day = this.history.calendar.dayOf(now); day >= 0; day--) {
      const last = this.fixesOf(vehicle, day).findLast(({ arrivedAt }) => arrivedAt <= now)
      if (last) return last
    }
    return null
  }

  trips(vehicle: number, from: Ms, to: Ms): Trip[] {
    return this.runsBetween(vehicle, from, to).flatMap((run) => this.tripOf(run) ?? [])
  }

  /** Returns the trips that began in the period, also those that have not arrived yet. */
  runsBetween(vehicle: number, from: Ms, to: Ms): Run[] {
    return this.daysOf(from, to)
      .flatMap((day) => [...this.runsOn(vehicle, day)])
      .filter(({ drive }) => drive.startsAt >= from && drive.startsAt < to)
  }

  /** Returns the arrived fixes of a trip. */
  fixesOfRun(run: Run): Fix[] {
    const now = this.now()
    return [...fixTimesOf(run, this.fixInterval)]
      .map((at) => fixAt(run, at))
      .filter(({ arrivedAt }) => arrivedAt <= now)
  }

  /** Returns the time of the newest arrived fix of a trip; null before the first. */
  arrivedUntil(run: Run): Ms | null {
    return arrivedFixTime(run, this.fixInterval, this.now())
  }

  runsOn(vehicle: number, day: number): readonly Run[] {
    return this.runs.get(vehicle * 100_000 + day, () => runsOf(vehicle, day, this.history, this.seeded))
  }

  /** Returns the days whose shifts can overlap a period. Evening shifts continue after midnight. */
  private daysOf(from: Ms, to: Ms): number[] {
    const { calendar } = this.history
    const first = Math.max(0, calendar.dayOf(Math.max(from, this.seeded.startsAt)) - 1)
    const last = calendar.dayOf(Math.min(to, this.now() + DAY))
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  }

  private fixesOf(vehicle: number, day: number): readonly Fix[] {
    return this.fixesByDay.get(vehicle * 100_000 + day, () =>
      this.runsOn(vehicle, day).flatMap((run) =>
        [...fixTimesOf(run, this.fixInterval)].map((at) => fixAt(run, at)),
      ),
    )
  }

  private tripOf(run: Run): Trip | null {
    const now = this.now()
    const lastFixAt = this.arrivedUntil(run)
    if (lastFixAt === null) return null
    const { drive, before, number, vehicle } = run
    const counters = countersAt(run, lastFixAt)
    const stages = drive.stages.filter(({ startsAt }) => startsAt < lastFixAt)
    const driving = stages
      .filter(({ metersPerSecond }) => metersPerSecond > 0)
      .reduce((sum, { startsAt, endsAt }) => sum + Math.min(endsAt, lastFixAt) - startsAt, 0)
    const isCorrected = run.correctedAt <= now
    const arrivedAt = run.arrivalOf(drive.startsAt)
    return {
      number,
      vehicle,
      driver: run.correctedAt > now && run.correctedAt !== Infinity ? null : run.driver,
      arrivedAt,
      updatedAt: isCorrected ? run.correctedAt : run.arrivalOf(lastFixAt),
      startedAt: drive.startsAt,
      endedAt: lastFixAt === drive.endsAt ? lastFixAt : null,
      start: run.road.placeAt(before.odometerMeters),
      end: run.road.placeAt(counters.odometerMeters),
      meters: counters.odometerMeters - before.odometerMeters,
      drivingMilliseconds: driving,
      idlingMilliseconds: lastFixAt - drive.startsAt - driving,
      maxMetersPerSecond: Math.max(0, ...stages.map(({ metersPerSecond }) => metersPerSecond)),
      startOdometerMeters: before.odometerMeters,
      fuelLiters: counters.fuelLiters - before.fuelLiters,
    }
  }
}

export function fixAt(run: Run, at: Ms): Fix {
  const { odometerMeters, engineMilliseconds, fuel } = countersAt(run, at)
  const stage = stageAt(run, at)
  const isOver = at >= run.drive.endsAt
  return {
    at,
    arrivedAt: run.arrivalOf(at),
    ...run.road.placeAt(odometerMeters),
    metersPerSecond: isOver ? 0 : stage.metersPerSecond,
    headingDegrees: run.road.headingAt(odometerMeters),
    odometerMeters,
    engine: isOver ? 'off' : stage.metersPerSecond === 0 ? 'idle' : 'on',
    engineRunMilliseconds: engineMilliseconds,
    fuel: Math.max(0.02, fuel),
    driver: run.driver,
  }
}

import { HOUR, MINUTE } from '../calendar.ts'
import { drawPurpose, between, chance, type Draw, drawsOf } from '../draws.ts'
import { isActive } from '../lifetimes.ts'
import type { VehicleHistory } from './vehicle-history.ts'
import type { Motion } from '../roads/motion.ts'
import type { Seeded } from '../options.ts'
import type { Roster } from '../roster/roster.ts'
import { countersAt, type Run } from '../trip-runs.ts'
import type { Duty, Ms, Place } from '../truth.ts'

/** Start of a duty status. The next one ends it. */
export interface DutyStart {
  readonly number: number
  readonly vehicle: number | null
  readonly codriver: number | null
  readonly duty: Duty
  readonly startedAt: Ms
  readonly arrivedAt: Ms
  readonly place: Place | null
  readonly remark: string | null
}

type Step = Pick<DutyStart, 'duty' | 'startedAt' | 'place' | 'remark'>

/** Duty statuses of drivers, which follow the trips. A codriver sleeps while the main driver drives. */
export class DutySchedule {
  constructor(
    private readonly seeded: Seeded,
    private readonly roster: Roster,
    private readonly history: VehicleHistory,
    private readonly motion: Motion,
  ) {}

  /** Returns the duty statuses that start on a work day, also those that have not arrived yet. */
  dutyStartsOn(driver: number, day: number): DutyStart[] {
    const mainDriver = this.roster.mainDriverOf(driver)
    const vehicle = this.roster.partnerOn(mainDriver ?? driver, day)
    if (this.history.dayOf(vehicle, day)?.driver !== (mainDriver ?? driver)) return []
    const runs = this.motion.runsOn(vehicle, day)
    const first = runs[0]
    if (!first || (mainDriver !== null && !isActive(this.roster.driverLife(driver), first.drive.startsAt)))
      return []
    const other = mainDriver ?? this.codriverOn(driver, first.drive.startsAt)
    const number = driver * 1_000_000 + day * 100
    return this.stepsOf(driver, day, runs).map((step, index) => ({
      ...step,
      number: number + index,
      duty: mainDriver !== null && step.duty === 'driving' ? 'sleeper' : step.duty,
      vehicle: step.duty === 'off' ? null : vehicle,
      codriver: step.duty === 'off' ? null : other,
      arrivedAt: step.startedAt + this.delayOf(number + index),
    }))
  }

  private codriverOn(driver: number, at: Ms): number | null {
    const codriver = this.roster.codriverOf(driver)
    return codriver !== null && isActive(this.roster.driverLife(codriver), at) ? codriver : null
  }

  private delayOf(number: number): number {
    const { seed, options } = this.seeded
    const draw = drawsOf(seed, drawPurpose.upload, number, 1)
    return chance(draw, options.lateShare / 2)
      ? Math.floor(between(draw, ...options.lateDutyHours) * HOUR)
      : Math.floor(between(draw, 2_000, 20_000))
  }

  private stepsOf(driver: number, day: number, runs: readonly Run[]): Step[] {
    const draw = drawsOf(this.seeded.seed, drawPurpose.duty, driver, day)
    const first = runs[0] as Run
    const start = placeAt(first, first.drive.startsAt)
    const steps: Step[] = [
      {
        duty: 'on',
        startedAt: first.drive.startsAt - 15 * MINUTE,
        place: start,
        remark: 'Pre-trip inspection',
      },
    ]
    for (const [index, run] of runs.entries()) steps.push(...stepsOfRun(draw, run, index === runs.length - 1))
    return steps
  }
}

function stepsOfRun(draw: Draw, run: Run, isLast: boolean): Step[] {
  const { startsAt, endsAt } = run.drive
  const end = placeAt(run, endsAt)
  const duty = isLast && chance(draw, 0.03) ? 'personal' : 'driving'
  const driving: Step = { duty, startedAt: startsAt, place: placeAt(run, startsAt), remark: null }
  if (!isLast) return [driving, breakOf(draw, endsAt, end)]
  const yard: Step[] = chance(draw, 0.2)
    ? [{ duty: 'yard', startedAt: endsAt, place: end, remark: null }]
    : []
  const after = endsAt + yard.length * 5 * MINUTE
  const post: Step = { duty: 'on', startedAt: after, place: end, remark: 'Post-trip inspection' }
  const rest = chance(draw, 0.4) ? 'sleeper' : 'off'
  return [driving, ...yard, post, { duty: rest, startedAt: after + 15 * MINUTE, place: end, remark: null }]
}

function breakOf(draw: Draw, startedAt: Ms, place: Place): Step {
  if (chance(draw, 0.3)) return { duty: 'on', startedAt, place, remark: 'Unloading' }
  return { duty: chance(draw, 0.1) ? 'waiting' : 'off', startedAt, place, remark: null }
}

const placeAt = (run: Run, at: Ms): Place => run.road.placeAt(countersAt(run, at).odometerMeters)

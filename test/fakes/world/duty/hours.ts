import { DAY, HOUR, MINUTE } from '../calendar.ts'
import type { DutySchedule, DutyStart } from './duty.ts'
import type { VehicleHistory } from './vehicle-history.ts'
import type { Roster } from '../roster/roster.ts'
import type { Clocks, Duty, DutyChange, Ms } from '../truth.ts'

/** Most days until the next duty status of a driver. */
const MAX_DAYS_OF_REST = 60
const CYCLE_DAYS = 8

/** Duty statuses that have arrived, and the remaining hours of drivers. */
export class Hours {
  constructor(
    private readonly schedule: DutySchedule,
    private readonly roster: Roster,
    private readonly history: VehicleHistory,
    private readonly now: () => Ms,
  ) {}

  changes(driver: number, from: Ms, to: Ms): DutyChange[] {
    const { calendar } = this.history
    const first = calendar.dayOf(Math.max(from, calendar.startOf(0))) - 1
    const last = Math.min(calendar.dayOf(to), calendar.dayOf(this.now()))
    return this.arrivedChanges(driver, first, last, to).filter(
      ({ startedAt }) => startedAt >= from && startedAt < to,
    )
  }

  clocks(driver: number): Clocks {
    const now = this.now()
    const changes = this.changes(driver, now - (CYCLE_DAYS + 1) * DAY, now + 1)
    const shift = sinceRest(changes, 10 * HOUR, now)
    return {
      driver,
      duty: changes.at(-1)?.duty ?? 'off',
      driveMilliseconds: remaining(11 * HOUR, timeIn(shift, isDriving, now)),
      shiftMilliseconds: remaining(14 * HOUR, shift[0] ? now - shift[0].startedAt : 0),
      cycleMilliseconds: remaining(
        70 * HOUR,
        timeIn(
          changes.filter(({ startedAt }) => startedAt >= now - CYCLE_DAYS * DAY),
          isOnDuty,
          now,
        ),
      ),
      breakMilliseconds: remaining(8 * HOUR, timeIn(sinceBreak(shift, now), isDriving, now)),
    }
  }

  /** Returns the arrived duty statuses. Each ends when the next one begins, even many days later. */
  private arrivedChanges(driver: number, first: number, last: number, to: Ms): DutyChange[] {
    const now = this.now()
    const initial = this.initialDuty(driver)
    const starts: DutyStart[] = this.history.calendar.dayOf(initial.startedAt) >= first ? [initial] : []
    const newest = Math.min(last + MAX_DAYS_OF_REST, this.history.calendar.dayOf(now))
    for (let day = Math.max(0, first); day <= newest; day++) {
      starts.push(...this.schedule.dutyStartsOn(driver, day))
      if (day > last && starts.some(({ startedAt, arrivedAt }) => startedAt >= to && arrivedAt <= now)) break
    }
    return closed(
      starts.filter(({ arrivedAt }) => arrivedAt <= now),
      driver,
    )
  }

  private initialDuty(driver: number): DutyStart {
    const { createdAt } = this.roster.driverLife(driver)
    const nothing = { vehicle: null, codriver: null, place: null, remark: null }
    return {
      ...nothing,
      number: driver * 1_000_000 + 99,
      duty: 'off',
      startedAt: createdAt,
      arrivedAt: createdAt,
    }
  }
}

const closed = (starts: readonly DutyStart[], driver: number): DutyChange[] =>
  starts.map((start, index) => {
    const next = starts[index + 1]
    return {
      ...start,
      driver,
      updatedAt: Math.max(start.arrivedAt, next?.arrivedAt ?? 0),
      endedAt: next?.startedAt ?? null,
    }
  })

const isDriving = (duty: Duty): boolean => duty === 'driving'
const isOnDuty = (duty: Duty): boolean =>
  duty === 'driving' || duty === 'on' || duty === 'yard' || duty === 'waiting'
const isAtRest = (duty: Duty): boolean => duty === 'off' || duty === 'sleeper' || duty === 'personal'

const durationOf = ({ startedAt, endedAt }: DutyChange, now: Ms): number => (endedAt ?? now) - startedAt

const remaining = (limit: number, used: number): number => Math.max(0, limit - used)

const timeIn = (changes: readonly DutyChange[], counts: (duty: Duty) => boolean, now: Ms): number =>
  changes.filter(({ duty }) => counts(duty)).reduce((sum, change) => sum + durationOf(change, now), 0)

function sinceRest(changes: readonly DutyChange[], milliseconds: number, now: Ms): readonly DutyChange[] {
  const rest = changes.findLastIndex(
    (change) => isAtRest(change.duty) && durationOf(change, now) >= milliseconds,
  )
  return changes.slice(rest + 1)
}

function sinceBreak(changes: readonly DutyChange[], now: Ms): readonly DutyChange[] {
  const pause = changes.findLastIndex(
    (change) => !isDriving(change.duty) && durationOf(change, now) >= 30 * MINUTE,
  )
  return changes.slice(pause + 1)
}

import { DAY, HOUR, MINUTE } from '../calendar.ts'
import type { DutyBook, Turn } from './duty.ts'
import type { Logbook } from './logbook.ts'
import type { Roster } from '../roster/roster.ts'
import type { Clocks, Duty, DutyChange, Ms } from '../truth.ts'

/** Maximum duration of a duty in days: no driver rests longer without a log entry. */
const DAYS_OF_REST = 60
const CYCLE_DAYS = 8

/** Duties of drivers that have arrived by now. */
export class Hours {
  constructor(
    private readonly book: DutyBook,
    private readonly roster: Roster,
    private readonly logbook: Logbook,
    private readonly now: () => Ms,
  ) {}

  changes(driver: number, from: Ms, to: Ms): DutyChange[] {
    const { calendar } = this.logbook
    const first = calendar.dayOf(Math.max(from, calendar.startOf(0))) - 1
    const last = Math.min(calendar.dayOf(to), calendar.dayOf(this.now()))
    return this.reported(driver, first, last, to).filter(
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
      driveMilliseconds: left(11 * HOUR, spent(shift, isAtWheel, now)),
      shiftMilliseconds: left(14 * HOUR, shift[0] ? now - shift[0].startedAt : 0),
      cycleMilliseconds: left(
        70 * HOUR,
        spent(
          changes.filter(({ startedAt }) => startedAt >= now - CYCLE_DAYS * DAY),
          isOnDuty,
          now,
        ),
      ),
      breakMilliseconds: left(8 * HOUR, spent(sinceBreak(shift, now), isAtWheel, now)),
    }
  }

  /** Returns the duties. Each ends when the next known one begins, any number of days later. */
  private reported(driver: number, first: number, last: number, to: Ms): DutyChange[] {
    const now = this.now()
    const hired = this.atFirst(driver)
    const turns: Turn[] = this.logbook.calendar.dayOf(hired.startedAt) >= first ? [hired] : []
    const newest = Math.min(last + DAYS_OF_REST, this.logbook.calendar.dayOf(now))
    for (let day = Math.max(0, first); day <= newest; day++) {
      turns.push(...this.book.turnsOn(driver, day))
      if (day > last && turns.some(({ startedAt, arrivedAt }) => startedAt >= to && arrivedAt <= now)) break
    }
    return closed(
      turns.filter(({ arrivedAt }) => arrivedAt <= now),
      driver,
    )
  }

  private atFirst(driver: number): Turn {
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

const closed = (turns: readonly Turn[], driver: number): DutyChange[] =>
  turns.map((turn, index) => {
    const next = turns[index + 1]
    return {
      ...turn,
      driver,
      updatedAt: Math.max(turn.arrivedAt, next?.arrivedAt ?? 0),
      endedAt: next?.startedAt ?? null,
    }
  })

const isAtWheel = (duty: Duty): boolean => duty === 'driving'
const isOnDuty = (duty: Duty): boolean =>
  duty === 'driving' || duty === 'on' || duty === 'yard' || duty === 'waiting'
const isAtRest = (duty: Duty): boolean => duty === 'off' || duty === 'sleeper' || duty === 'personal'

const lasted = ({ startedAt, endedAt }: DutyChange, now: Ms): number => (endedAt ?? now) - startedAt

const left = (limit: number, used: number): number => Math.max(0, limit - used)

const spent = (changes: readonly DutyChange[], counts: (duty: Duty) => boolean, now: Ms): number =>
  changes.filter(({ duty }) => counts(duty)).reduce((sum, change) => sum + lasted(change, now), 0)

function sinceRest(changes: readonly DutyChange[], milliseconds: number, now: Ms): readonly DutyChange[] {
  const rest = changes.findLastIndex((change) => isAtRest(change.duty) && lasted(change, now) >= milliseconds)
  return changes.slice(rest + 1)
}

function sinceBreak(changes: readonly DutyChange[], now: Ms): readonly DutyChange[] {
  const pause = changes.findLastIndex(
    (change) => !isAtWheel(change.duty) && lasted(change, now) >= 30 * MINUTE,
  )
  return changes.slice(pause + 1)
}

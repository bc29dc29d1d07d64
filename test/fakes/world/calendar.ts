import type { Ms } from './truth.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Days of a time zone, numbered from the first day of the fleet. */
export class Calendar {
  private readonly starts = new Map<number, Ms>()
  private readonly wallClock: Intl.DateTimeFormat
  private readonly firstDate: number

  constructor(startsAt: Ms, timeZone: string) {
    this.wallClock = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    this.firstDate = Math.floor(this.wallTimeOf(startsAt) / DAY) * DAY
  }

  /** Returns the instant at which a day begins. */
  startOf(day: number): Ms {
    const known = this.starts.get(day)
    if (known !== undefined) return known
    const start = this.instantOf(this.firstDate + day * DAY)
    this.starts.set(day, start)
    return start
  }

  dayOf(at: Ms): number {
    const guess = Math.floor((at - this.startOf(0)) / DAY)
    if (at < this.startOf(guess)) return guess - 1
    return at >= this.startOf(guess + 1) ? guess + 1 : guess
  }

  /** YYYY-MM-DD */
  dateOf(day: number): string {
    return new Date(this.firstDate + day * DAY).toISOString().slice(0, 10)
  }

  /** 0 is Sunday. */
  weekdayOf(day: number): number {
    return new Date(this.firstDate + day * DAY).getUTCDay()
  }

  /** Returns start and end of a month, given as YYYY-MM. */
  monthOf(month: string): { from: Ms; to: Ms } {
    const [year = 0, number = 0] = month.split('-').map(Number)
    return { from: this.instantOf(Date.UTC(year, number - 1)), to: this.instantOf(Date.UTC(year, number)) }
  }

  private instantOf(wallTime: number): Ms {
    const guess = wallTime - this.offsetAt(wallTime)
    return wallTime - this.offsetAt(guess)
  }

  private offsetAt(at: Ms): number {
    return this.wallTimeOf(at) - Math.floor(at / SECOND) * SECOND
  }

  /** Returns local time as if it were UTC. */
  private wallTimeOf(at: Ms): number {
    const parts = this.wallClock.formatToParts(at)
    const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
    return Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    )
  }
}

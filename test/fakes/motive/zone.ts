import { Calendar, DAY } from '../world/calendar.ts'
import type { Ms } from '../world/truth.ts'

export interface Day {
  /** YYYY-MM-DD */
  readonly date: string
  readonly from: Ms
  readonly to: Ms
}

/** Days of a time zone. */
export class Zone {
  private readonly calendar: Calendar

  constructor(
    readonly name: string,
    startsAt: Ms,
  ) {
    this.calendar = new Calendar(startsAt, name)
  }

  startOf(date: string): Ms {
    return this.calendar.startOf(this.numberOf(date))
  }

  endOf(date: string): Ms {
    return this.calendar.startOf(this.numberOf(date) + 1)
  }

  dateAt(at: Ms): string {
    return this.calendar.dateOf(this.calendar.dayOf(at))
  }

  /** Returns the days of a range, both inclusive. */
  days(first: string, last: string): Day[] {
    const [from, to] = [this.numberOf(first), this.numberOf(last)]
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => ({
      date: this.calendar.dateOf(from + index),
      from: this.calendar.startOf(from + index),
      to: this.calendar.startOf(from + index + 1),
    }))
  }

  month(month: string): { from: Ms; to: Ms } {
    return this.calendar.monthOf(month)
  }

  private numberOf(date: string): number {
    return Math.round((Date.parse(date) - Date.parse(this.calendar.dateOf(0))) / DAY)
  }
}

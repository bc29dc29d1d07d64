import { DayOfWeek, findCalendar, type TimeOfWeek } from '../../../domain/calendar.ts'
import { passIf, type Rule, unknown } from './rule.ts'

export interface WorkingHoursLimits {
  /** Hour of the day at which the work begins. */
  readonly fromHour: number
  /** Hour at which it ends. If it is not after `fromHour`, on the next day. */
  readonly untilHour: number
  /** Days on which the work begins. */
  readonly days: readonly DayOfWeek[]
  /** Null for the time zone of the fleet. */
  readonly timeZone: string | null
}

export const daysOfWeek: readonly DayOfWeek[] = Object.values(DayOfWeek)

const HOUR_MINUTES = 60
const DAY_MINUTES = 24 * HOUR_MINUTES

/** The purchase is within the working hours of a policy. It applies if the policy has any. */
export const workingHours: Rule<WorkingHoursLimits> = {
  unit: null,
  evaluate({ purchase, vehicle }, limits) {
    if (areAlways(limits)) return null
    const timeZone = limits.timeZone ?? vehicle?.timeZone ?? null
    const calendar = timeZone === null ? null : findCalendar(timeZone)
    if (!calendar) return unknown('The time zone of the fleet is unknown. A policy can set it.')
    const time = calendar.timeOfWeekAt(purchase.purchasedAt)
    return passIf(
      isWithin(time, limits),
      `The purchase was on ${nameOf(time.day)} at ${clockOf(time.minute)} in ${timeZone}. Working hours are ${textOf(limits)}.`,
    )
  },
}

const areAlways = ({ fromHour, untilHour, days }: WorkingHoursLimits): boolean =>
  fromHour === 0 && untilHour === 24 && isEveryDay(days)

const isEveryDay = (days: readonly DayOfWeek[]): boolean => daysOfWeek.every((day) => days.includes(day))

function isWithin({ day, minute }: TimeOfWeek, { fromHour, untilHour, days }: WorkingHoursLimits): boolean {
  const [from, until] = [fromHour * HOUR_MINUTES, untilHour * HOUR_MINUTES]
  if (until > from) return days.includes(day) && minute >= from && minute < until
  const isEvening = days.includes(day) && minute >= from
  return isEvening || (days.includes(dayBefore(day)) && minute < until)
}

const dayBefore = (day: DayOfWeek): DayOfWeek => daysOfWeek.at(daysOfWeek.indexOf(day) - 1)!

const textOf = ({ fromHour, untilHour, days }: WorkingHoursLimits): string => {
  const hours = `${clockOf(fromHour * HOUR_MINUTES)} to ${clockOf(untilHour * HOUR_MINUTES)}`
  return isEveryDay(days) ? `${hours} every day` : `${hours} on ${days.map(nameOf).join(', ')}`
}

const nameOf = (day: DayOfWeek): string => `${day.charAt(0).toUpperCase()}${day.slice(1)}`

/** Returns minutes as a time of the day, such as 06:30. */
const clockOf = (minutes: number): string => {
  const whole = Math.min(DAY_MINUTES, Math.round(minutes))
  const [hour, minute] = [Math.floor(whole / HOUR_MINUTES), whole % HOUR_MINUTES]
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

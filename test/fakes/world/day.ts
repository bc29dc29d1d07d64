import { type Calendar, HOUR, MINUTE, SECOND } from './calendar.ts'
import { drawPurpose, between, type Draw, drawsOf, oneOf, wholeBetween } from './draws.ts'
import { isActive } from './lifetimes.ts'
import type { Seeded } from './options.ts'
import type { Roster } from './roster/roster.ts'
import type { Ms } from './truth.ts'
import { specOf } from './roster/vehicles.ts'

/** A part of a trip at constant speed. At speed 0 the vehicle stands with the engine on. */
export interface Stage {
  readonly startsAt: Ms
  readonly endsAt: Ms
  readonly metersPerSecond: number
  /** Distance that the vehicle drives on this day before the stage. */
  readonly fromMeters: number
  /** Whether the vehicle exceeds the speed limit. */
  readonly isSpeeding: boolean
}

export interface Drive {
  readonly startsAt: Ms
  readonly endsAt: Ms
  readonly stages: readonly Stage[]
}

/** Work day of a vehicle. The driver is null if nobody signed in. */
export interface Day {
  readonly driver: number | null
  readonly drives: readonly Drive[]
}

export const metersOf = ({ startsAt, endsAt, metersPerSecond }: Stage): number =>
  ((endsAt - startsAt) / SECOND) * metersPerSecond

/** Returns the work day of a vehicle; null on a day off, and while vehicle or driver are inactive. */
export function dayOf(
  vehicle: number,
  day: number,
  seeded: Seeded,
  roster: Roster,
  calendar: Calendar,
): Day | null {
  const { seed } = seeded
  if (day < 0) return null
  const draw = drawsOf(seed, drawPurpose.day, vehicle, day)
  const startsAt = calendar.startOf(day) + shiftStart(seed, vehicle, draw)
  if (isDayOff(seed, vehicle, calendar.weekdayOf(day)) || startsAt < seeded.startsAt) return null
  if (!isActive(roster.vehicleLife(vehicle), startsAt)) return null
  const driver = roster.partnerOn(vehicle, day)
  const isUnknown = draw() < 0.03
  if (!isUnknown && !isActive(roster.driverLife(driver), startsAt)) return null
  return {
    driver: isUnknown ? null : driver,
    drives: drivesOf(draw, startsAt, specOf(seed, vehicle).isTruck),
  }
}

/**
 * Returns when the shift starts, after midnight. Two drivers who swap vehicles have the same hours, so that both get
 * their rest. Some work at night.
 */
function shiftStart(seed: number, vehicle: number, draw: Draw): number {
  const shift = drawsOf(seed, drawPurpose.shift, (vehicle - 1) >> 1)
  const hour = shift() < 0.1 ? between(shift, 18, 20) : between(shift, 5, 8.5)
  const jitter = between(draw, -20, 20)
  return Math.round(hour * 60 + jitter) * MINUTE + wholeBetween(draw, 0, 59_999)
}

function isDayOff(seed: number, vehicle: number, weekday: number): boolean {
  const week = drawsOf(seed, drawPurpose.shift, vehicle, 1)()
  if (week < 0.75) return weekday === 0 || weekday === 6
  return week < 0.9 ? weekday === 5 || weekday === 6 : weekday === 0
}

/** Returns at most 9 hours of driving within 13 hours, with breaks of more than half an hour. */
function drivesOf(draw: Draw, shiftStartsAt: Ms, isTruck: boolean): Drive[] {
  const count = wholeBetween(draw, 2, 4)
  const hours = (isTruck ? between(draw, 5, 9) : between(draw, 2, 4.5)) / count
  const drives: Drive[] = []
  let [at, meters] = [shiftStartsAt + 15 * MINUTE, 0]
  for (let index = 0; index < count; index++) {
    const stages = stagesOf(draw, at, meters, hours, isTruck)
    const last = stages.at(-1) as Stage
    drives.push({ startsAt: at, endsAt: last.endsAt, stages })
    meters = last.fromMeters + metersOf(last)
    at = last.endsAt + wholeBetween(draw, 31 * 60, 55 * 60) * SECOND
  }
  return drives
}

function stagesOf(draw: Draw, startsAt: Ms, fromMeters: number, hours: number, isTruck: boolean): Stage[] {
  const legs = wholeBetween(draw, 1, 3)
  const stages: Stage[] = []
  let [at, meters] = [startsAt, fromMeters]
  const add = (milliseconds: number, metersPerSecond: number, isSpeeding = false) => {
    const endsAt = at + Math.floor(milliseconds / SECOND) * SECOND
    const stage = { startsAt: at, endsAt, metersPerSecond, fromMeters: meters, isSpeeding }
    stages.push(stage)
    at = endsAt
    meters += metersOf(stage)
  }
  for (let leg = 0; leg < legs; leg++) {
    const idle = between(draw, 1, leg === 0 ? 4 : 9) * MINUTE
    const isSpeeding = isTruck && draw() < 0.04
    add(idle, 0)
    add((hours * HOUR) / legs - idle, speedOf(draw, isTruck, isSpeeding), isSpeeding)
  }
  return stages
}

function speedOf(draw: Draw, isTruck: boolean, isSpeeding: boolean): number {
  if (isSpeeding) return between(draw, 31.5, 34.5)
  return isTruck ? between(draw, 19, 28.5) : oneOf(draw, [between(draw, 8, 14), between(draw, 14, 24)])
}

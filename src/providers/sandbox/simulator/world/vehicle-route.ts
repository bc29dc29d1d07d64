import type { Corridor } from './road-network/corridors.ts'
import { type Fleet, vehicleIsShared, WORLD_START_MS } from './fleet.ts'
import { DAY_MS } from './durations.ts'
import {
  CYCLE_DAYS,
  CYCLE_MS,
  type Leg,
  type WorkSchedule,
  SCHEDULE_VARIANTS,
  workScheduleOf,
} from './work-schedule.ts'
import { between, dice } from './random.ts'
import { terminalOf } from './road-network/terminals.ts'

/** Schedule of a vehicle, and the section of a road that it drives back and forth. */
export interface VehicleRoute {
  readonly fleet: Fleet
  readonly vehicle: number
  readonly schedule: WorkSchedule
  /** Start of the vehicle's first day. Its days begin with its work, not at midnight. */
  readonly originMs: number
  /** Factor for the speeds of the schedule. Vehicles with the same schedule thus drive at different speeds. */
  readonly pace: number
  readonly corridor: Corridor
  /** Start of the section, in miles from the start of the corridor. */
  readonly startMile: number
  /** Length of the section. */
  readonly lengthMiles: number
  /** Distance that the vehicle has driven in its round trip at the start of the world. */
  readonly headStartMiles: number
}

/** A leg of one vehicle in real time. Legs are numbered from the start of the world. */
export interface TimedLeg {
  readonly number: number
  readonly leg: Leg
  /** Day of the vehicle; its first day is 0. */
  readonly day: number
  readonly startMs: number
  readonly endMs: number
  /** Distance from the start of the world to the start of the leg. */
  readonly milesBefore: number
  readonly miles: number
  /** Driving time from the start of the world to the start of the leg. */
  readonly drivingMsBefore: number
}

/**
 * Steps from one vehicle to the next. They spread shifts over the day and days off over the week: the multiples of
 * both numbers, modulo 1, cover a square evenly.
 */
const SHIFT_STEP = 0.7548776662466927
const DAY_OFF_STEP = 0.5698402909980532

const shiftDice = dice('first shift')
const dayOffDice = dice('first day off')
const variantDice = dice('plan of a vehicle')
const paceDice = dice('pace of a vehicle')
const reachDice = dice('reach of a vehicle')
const headStartDice = dice('head start of a vehicle')

export function vehicleRouteOf(fleet: Fleet, vehicle: number): VehicleRoute {
  const { seed } = fleet
  const shift = (shiftDice(seed, 0) + vehicle * SHIFT_STEP) % 1
  const terminal = terminalOf(fleet, vehicle)
  const [from, to] = serviceSection(terminal.corridor, terminal.placeIndex, seed, vehicle)
  return {
    fleet,
    vehicle,
    schedule: workScheduleOf(
      Math.floor(variantDice(seed, vehicle) * SCHEDULE_VARIANTS),
      dayOffAt((dayOffDice(seed, 0) + vehicle * DAY_OFF_STEP) % 1),
      vehicleIsShared(fleet, vehicle),
    ),
    originMs: WORLD_START_MS + Math.floor((shift * DAY_MS) / 1000) * 1000,
    pace: between(0.97, 1, paceDice(seed, vehicle)),
    corridor: terminal.corridor,
    startMile: from,
    lengthMiles: to - from,
    headStartMiles: 2 * (to - from) * headStartDice(seed, vehicle),
  }
}

/** Returns the number of the last leg that started at or before a time; -1 before the first. */
export function legNumberAt({ schedule, originMs }: VehicleRoute, timeMs: number): number {
  const sinceOrigin = timeMs - originMs
  if (sinceOrigin < 0) return -1
  const cycle = Math.floor(sinceOrigin / CYCLE_MS)
  const inCycle = sinceOrigin - cycle * CYCLE_MS
  const day = Math.floor(inCycle / DAY_MS)
  let index = schedule.firstLegOfDay[day + 1]! - 1
  while (index >= 0 && schedule.legs[index]!.startMs > inCycle) index--
  return cycle * schedule.legs.length + index
}

export function legAt({ schedule, originMs, pace }: VehicleRoute, number: number): TimedLeg {
  const cycle = Math.floor(number / schedule.legs.length)
  const leg = schedule.legs[number - cycle * schedule.legs.length]!
  const cycleStartMs = originMs + cycle * CYCLE_MS
  return {
    number,
    leg,
    day: cycle * CYCLE_DAYS + leg.day,
    startMs: cycleStartMs + leg.startMs,
    endMs: cycleStartMs + leg.endMs,
    milesBefore: (cycle * schedule.miles + leg.milesBefore) * pace,
    miles: leg.miles * pace,
    drivingMsBefore: cycle * schedule.drivingMs + leg.drivingMsBefore,
  }
}

/**
 * Returns the weekly day off; 0 is Monday. One fifth of the vehicles has Saturday off, one fifth Sunday, the others
 * a day from Monday to Friday.
 */
function dayOffAt(place: number): number {
  if (place < 0.4) return place < 0.2 ? 5 : 6
  return Math.floor((place - 0.4) / 0.12)
}

/**
 * Returns the section of the corridor, in miles, that a vehicle serves around its terminal. Two vehicles in
 * five have a long section.
 */
function serviceSection(
  corridor: Corridor,
  home: number,
  seed: number,
  vehicle: number,
): [from: number, to: number] {
  const reach = reachDice(seed, vehicle) < 0.4 ? 12 : 3
  const back = 1 + Math.floor(reach * reachDice(seed, vehicle, 1))
  const ahead = 1 + Math.floor(reach * reachDice(seed, vehicle, 2))
  const last = corridor.places.length - 1
  const first = Math.min(Math.max(0, home - back), last - 2)
  const furthest = Math.max(Math.min(last, home + ahead), first + 2)
  return [corridor.places[first]!.mile, corridor.places[furthest]!.mile]
}

import type { Corridor } from './road-network/corridors.ts'
import { type Fleet, vehicleIsShared, WORLD_START_MS } from './fleet.ts'
import { DAY_MS } from './durations.ts'
import {
  CYCLE_DAYS,
  CYCLE_MS,
  type Leg,
  type WorkSchedule,
  PLAN_VARIANTS,
  workScheduleOf,
} from './work-schedule.ts'
import { between, dice } from './random.ts'
import { terminalOf } from './road-network/terminals.ts'

/** Where a vehicle's life takes place: its plan, when its days begin, and the road it goes up and down. */
export interface VehicleRoute {
  readonly fleet: Fleet
  readonly vehicle: number
  readonly plan: WorkSchedule
  readonly originMs: number
  /** Scales the plan's speeds, so that vehicles of one plan drift apart. */
  readonly pace: number
  readonly corridor: Corridor
  readonly startMile: number
  readonly lengthMiles: number
  /** How far into its first round trip the vehicle was when the world began. */
  readonly headStartMiles: number
}

/** A leg of one vehicle at its real time. Its number counts the vehicle's legs since the world began. */
export interface TimedLeg {
  readonly number: number
  readonly leg: Leg
  /** Counts the vehicle's days since the world began. */
  readonly day: number
  readonly startMs: number
  readonly endMs: number
  /** Driven since the world began when the leg starts. */
  readonly milesBefore: number
  readonly miles: number
  readonly drivingMsBefore: number
}

/** Multiples of these, modulo 1, cover a square evenly: shifts spread over the day, days off over the week. */
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
  const [from, to] = beat(terminal.corridor, terminal.placeIndex, seed, vehicle)
  return {
    fleet,
    vehicle,
    plan: workScheduleOf(
      Math.floor(variantDice(seed, vehicle) * PLAN_VARIANTS),
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

/** Which leg started last at that time; -1 before the vehicle's first. */
export function legNumberAt({ plan, originMs }: VehicleRoute, timeMs: number): number {
  const sinceOrigin = timeMs - originMs
  if (sinceOrigin < 0) return -1
  const cycle = Math.floor(sinceOrigin / CYCLE_MS)
  const inCycle = sinceOrigin - cycle * CYCLE_MS
  const day = Math.floor(inCycle / DAY_MS)
  let index = plan.firstLegOfDay[day + 1]! - 1
  while (index >= 0 && plan.legs[index]!.startMs > inCycle) index--
  return cycle * plan.legs.length + index
}

export function legAt({ plan, originMs, pace }: VehicleRoute, number: number): TimedLeg {
  const cycle = Math.floor(number / plan.legs.length)
  const leg = plan.legs[number - cycle * plan.legs.length]!
  const cycleStartMs = originMs + cycle * CYCLE_MS
  return {
    number,
    leg,
    day: cycle * CYCLE_DAYS + leg.day,
    startMs: cycleStartMs + leg.startMs,
    endMs: cycleStartMs + leg.endMs,
    milesBefore: (cycle * plan.miles + leg.milesBefore) * pace,
    miles: leg.miles * pace,
    drivingMsBefore: cycle * plan.drivingMs + leg.drivingMsBefore,
  }
}

/** The fifth of the fleet that rests on a Saturday, the fifth that rests on a Sunday, and the others. */
function dayOffAt(chance: number): number {
  if (chance < 0.4) return chance < 0.2 ? 5 : 6
  return Math.floor((chance - 0.4) / 0.12)
}

/** The part of the corridor a vehicle serves around its terminal, in miles: two in five go far. */
function beat(corridor: Corridor, home: number, seed: number, vehicle: number): [from: number, to: number] {
  const reach = reachDice(seed, vehicle) < 0.4 ? 12 : 3
  const back = 1 + Math.floor(reach * reachDice(seed, vehicle, 1))
  const ahead = 1 + Math.floor(reach * reachDice(seed, vehicle, 2))
  const last = corridor.places.length - 1
  const first = Math.min(Math.max(0, home - back), last - 2)
  const furthest = Math.max(Math.min(last, home + ahead), first + 2)
  return [corridor.places[first]!.mile, corridor.places[furthest]!.mile]
}

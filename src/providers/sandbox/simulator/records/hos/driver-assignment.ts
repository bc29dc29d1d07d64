import { DAY_MS } from '../../world/durations.ts'
import {
  driverCount,
  driverIsActive,
  driverOf,
  type Fleet,
  vehicleIsShared,
  vehicleIsSilent,
  vehicleOfDriver,
} from '../../world/fleet.ts'
import { CYCLE_DAYS } from '../../world/work-schedule.ts'
import { legAt, type TimedLeg, type VehicleRoute, vehicleRouteOf } from '../../world/vehicle-route.ts'

/** Assignment of a driver to a vehicle and to a shift of this vehicle. */
export interface DriverAssignment {
  readonly driver: number
  readonly route: VehicleRoute
  /** Shift whose legs the driver drives: 0 for the first driver of the vehicle, 1 for the second. */
  readonly shift: 0 | 1
  /** Whether the driver sleeps in the truck, because the route is long. */
  readonly sleepsInTruck: boolean
  /** The other driver of a team, who is also in the truck; null for a driver without a team. */
  readonly codriver: number | null
  /** Whether the vehicle never reports. Its driver then has a single log: off duty. */
  readonly neverReports: boolean
}

/** Length of a route above which drivers sleep in the truck, and two drivers of a vehicle drive as a team. */
const FAR_MILES = 500

/** Returns the assignment of a driver; undefined for an inactive driver. */
export function assignmentOf(fleet: Fleet, driver: number): DriverAssignment | undefined {
  if (driver >= driverCount(fleet) || !driverIsActive(fleet, driver)) return undefined
  const vehicle = vehicleOfDriver(fleet, driver)
  const route = vehicleRouteOf(fleet, vehicle)
  const shift = driver < fleet.size ? 0 : 1
  const isFar = route.lengthMiles > FAR_MILES
  const isTeam = isFar && vehicleIsShared(fleet, vehicle)
  return {
    driver,
    route,
    shift,
    sleepsInTruck: isFar,
    codriver: isTeam ? driverOf(fleet, vehicle, shift === 0 ? 1 : 0) : null,
    neverReports: vehicleIsSilent(vehicle),
  }
}

/**
 * Returns the legs of a driver on a day of the vehicle, counted as in `TimedLeg`. Empty on a day off.
 */
export function driverLegsOfDay({ route, shift }: DriverAssignment, day: number): TimedLeg[] {
  const { schedule } = route
  const cycle = Math.floor(day / CYCLE_DAYS)
  const inCycle = day - cycle * CYCLE_DAYS
  const legs: TimedLeg[] = []
  for (let i = schedule.firstLegOfDay[inCycle]!; i < schedule.firstLegOfDay[inCycle + 1]!; i++)
    if (schedule.legs[i]!.shift === shift) legs.push(legAt(route, cycle * schedule.legs.length + i))
  return legs
}

/** Returns the day of the vehicle at a moment, counted as in `TimedLeg`; negative before its first day. */
export function dayOf({ route }: DriverAssignment, timeMs: number): number {
  return Math.floor((timeMs - route.originMs) / DAY_MS)
}

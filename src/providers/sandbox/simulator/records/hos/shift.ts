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

/** The work of one driver: which legs of a vehicle are his or hers. */
export interface Shift {
  readonly driver: number
  readonly track: VehicleRoute
  readonly number: 0 | 1
  /** Far from home a driver sleeps in the truck. */
  readonly sleepsInTruck: boolean
  /** The other driver of a team, who is in the truck as well. */
  readonly codriver: number | null
  /** A driver whose vehicle never reported records no driving. */
  readonly silent: boolean
}

const FAR_MILES = 500

/** The shift of a driver; undefined for one who has left the company or never worked for it. */
export function shiftOf(fleet: Fleet, driver: number): Shift | undefined {
  if (driver >= driverCount(fleet) || !driverIsActive(fleet, driver)) return undefined
  const vehicle = vehicleOfDriver(fleet, driver)
  const track = vehicleRouteOf(fleet, vehicle)
  const number = driver < fleet.size ? 0 : 1
  const far = track.lengthMiles > FAR_MILES
  const team = far && vehicleIsShared(fleet, vehicle)
  return {
    driver,
    track,
    number,
    sleepsInTruck: far,
    codriver: team ? driverOf(fleet, vehicle, number === 0 ? 1 : 0) : null,
    silent: vehicleIsSilent(vehicle),
  }
}

/** What a driver drives on a day of the vehicle, counted since the world began: nothing on a day off. */
export function legsOfDay({ track, number }: Shift, day: number): TimedLeg[] {
  const { plan } = track
  const cycle = Math.floor(day / CYCLE_DAYS)
  const inCycle = day - cycle * CYCLE_DAYS
  const legs: TimedLeg[] = []
  for (let i = plan.firstLegOfDay[inCycle]!; i < plan.firstLegOfDay[inCycle + 1]!; i++)
    if (plan.legs[i]!.shift === number) legs.push(legAt(track, cycle * plan.legs.length + i))
  return legs
}

/** The day of the vehicle that a moment falls on; below 0 before its first. */
export function dayOf({ track }: Shift, timeMs: number): number {
  return Math.floor((timeMs - track.originMs) / DAY_MS)
}

import type { Clocks } from '../../world/truth.ts'
import { MINUTE } from '../times.ts'
import { type Entity, timespan, userId } from '../formats.ts'
import type { Fleet } from '../fleet/fleet.ts'

/**
 * Returns the remaining hours of a driver. The shift ends with the workday or the duty limit, whichever is first.
 */
export function availabilityOf(fleet: Fleet, driver: number): Entity {
  const clocks = fleet.world.clocks(driver)
  return {
    ...shiftOf(clocks),
    cycle: timespan(clocks.cycleMilliseconds),
    cycleAvailabilities: [],
    cycleRest: '1.10:00:00',
    driver: { id: userId(driver), isDriver: true },
    driving: timespan(clocks.driveMilliseconds),
    dutySinceCycleRest: '00:00:00',
    is16HourExemptionAvailable: false,
    isAdverseDrivingExemptionAvailable: false,
    isOffDutyDeferralExemptionAvailable: false,
    recap: [],
    rest: timespan(clocks.breakMilliseconds),
  }
}

function shiftOf({ driver, shiftMilliseconds }: Clocks) {
  const [ends, later] = [timespan(shiftMilliseconds), timespan(shiftMilliseconds + 45 * MINUTE)]
  return driver % 2 === 0 ? { workday: ends, duty: later } : { workday: later, duty: ends }
}

/** Returns the active drivers. */
export const driversWithHours = (fleet: Fleet): number[] =>
  fleet.world
    .drivers()
    .filter(({ isActive, removedAt }) => isActive && removedAt === null)
    .map(({ number }) => number)

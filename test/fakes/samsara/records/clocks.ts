import { listed, type Asked } from '../call.ts'
import { id } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { nameOf } from '../roster/drivers.ts'
import { hosWords } from './hos-logs.ts'

const EVERY = 3

/** Whether a driver's app is not there, so that the duty status is an empty text: some, if the switch says so. */
export const isOffline = (driver: number, appOffline: boolean) => appOffline && driver % EVERY === 0

/** `/fleet/hos/clocks`: what is left, now. */
export function hosClocks(asked: Asked): object {
  const { organization, query, switches } = asked
  const drivers = organization.driversOf(listed(query, 'driverIds')).filter(({ isActive }) => isActive)
  const { items, pagination } = pageOf(asked, drivers, ({ number }) => [number])
  const data = items.map((driver) => {
    const clocks = organization.world.clocks(driver.number)
    return {
      driver: { id: id('driver', driver.number), name: nameOf(driver) },
      currentDutyStatus: {
        hosStatusType: isOffline(driver.number, switches.appOffline === 'yes') ? '' : hosWords[clocks.duty],
      },
      clocks: {
        drive: { driveRemainingDurationMs: clocks.driveMilliseconds },
        shift: { shiftRemainingDurationMs: clocks.shiftMilliseconds },
        cycle: { cycleRemainingDurationMs: clocks.cycleMilliseconds },
        break: { timeUntilBreakDurationMs: clocks.breakMilliseconds },
      },
      violations: { cycleViolationDurationMs: 0, shiftDrivingViolationDurationMs: 0 },
    }
  })
  return { data, pagination }
}

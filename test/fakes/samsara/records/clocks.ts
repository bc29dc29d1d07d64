import { listed, type FakeRequest } from '../http/call.ts'
import { id } from '../ids.ts'
import { pageOf } from '../http/pages.ts'
import { nameOf } from '../roster/drivers.ts'
import { hosStatusTypes } from './hos-logs.ts'

const OFFLINE_EVERY = 3

/** Whether the app of a driver is offline, so that the duty status is empty. */
export const isOffline = (driver: number, appOffline: boolean) => appOffline && driver % OFFLINE_EVERY === 0

/** `/fleet/hos/clocks`: remaining hours of drivers. */
export function hosClocks(request: FakeRequest): object {
  const { organization, query, switches } = request
  const drivers = organization.driversOf(listed(query, 'driverIds')).filter(({ isActive }) => isActive)
  const { items, pagination } = pageOf(request, drivers, ({ number }) => [number])
  const data = items.map((driver) => {
    const clocks = organization.world.clocks(driver.number)
    return {
      driver: { id: id('driver', driver.number), name: nameOf(driver) },
      currentDutyStatus: {
        hosStatusType: isOffline(driver.number, switches.appOffline === 'yes')
          ? ''
          : hosStatusTypes[clocks.duty],
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

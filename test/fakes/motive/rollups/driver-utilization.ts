import type { FakeRequest } from '../fake-request.ts'
import { pageOf } from '../pages.ts'
import { toDriverSummary } from '../roster/people.ts'
import { rounded, toSeconds, toVolume } from '../formats.ts'
import { byDates } from './period.ts'
import { sumsOf } from './sums.ts'

/** `/v1/driver_utilization` and `/v2`. An extra row has the trips without a driver. */
export function driverUtilization(request: FakeRequest): object {
  const period = byDates(request)
  const wanted = request.ids('user', 'driver_ids')
  const drivers = request.company.drivers().filter(({ number }) => wanted?.has(number) ?? true)
  const rows = [...drivers, ...(wanted ? [] : [undefined])]
  return pageOf(request, { list: 'driver_idle_rollups', item: 'driver_idle_rollup' }, rows, (driver) => {
    const trips = request.company.trips().filter((trip) => trip.driver === (driver?.number ?? null))
    const sums = sumsOf(trips, period)
    const isMetric = request.isMetric(false)
    return {
      driver: toDriverSummary(driver),
      utilization: rounded((sums.drivingMilliseconds / (period.to - period.from)) * 100, 2),
      idle_time: toSeconds(sums.idlingMilliseconds),
      driving_time: toSeconds(sums.drivingMilliseconds),
      idle_fuel: 0,
      driving_fuel: toVolume(sums.fuelLiters, isMetric),
    }
  })
}

import type { Ms, Vehicle } from '../../world/truth.ts'
import type { Asked, Period } from '../asked.ts'
import { isMetricVehicle } from '../company.ts'
import { pageOf } from '../pages.ts'
import { toVehicleSummary } from '../roster/people.ts'
import { rounded, toDistance, toSeconds, toTime, toVolume } from '../wording.ts'
import { byDates, rollupPeriod } from './period.ts'
import { emptySums, type Sums, sumsOf } from './sums.ts'

const SILENT_AFTER = 3 * 86_400_000

/** What a vehicle did in a time; unknown where nothing was heard of it for long. */
export interface Utilization {
  readonly vehicle: Vehicle
  readonly period: Period
  readonly sums: Sums
  readonly heardAt: Ms | null
  readonly isUnknown: boolean
}

export function utilizationOf(asked: Asked, vehicle: Vehicle, period: Period): Utilization {
  const { company } = asked
  const until = Math.min(period.to, company.now + 1)
  const heardAt = company.world.fixes(vehicle.number, until - SILENT_AFTER, until).at(-1)?.at ?? null
  const isUnknown = heardAt === null
  const trips = company.tripsOf(vehicle.number)
  return { vehicle, period, sums: isUnknown ? emptySums : sumsOf(trips, period), heardAt, isUnknown }
}

/** `/v2/vehicle_utilization`: zeros with a message are not zeros. */
export function vehicleUtilization(asked: Asked): object {
  const period = rollupPeriod(asked)
  const names = { list: 'vehicle_utilizations', item: 'vehicle_utilization' }
  return pageOf(asked, names, asked.vehicles(), (vehicle) => {
    const one = utilizationOf(asked, vehicle, period)
    return {
      message: one.isUnknown ? 'Vehicle has not communicated in the selected period' : '',
      last_located_at: one.heardAt === null ? null : toTime(one.heardAt),
      utilization_percentage: percentOf(one),
      ...toTold(asked, one),
      vehicle: toVehicleSummary(asked, vehicle),
    }
  })
}

/** `/v1/vehicle_utilization`: without a distance, and by other names. */
export function vehicleIdleRollups(asked: Asked): object {
  const period = byDates(asked)
  const names = { list: 'vehicle_idle_rollups', item: 'vehicle_idle_rollup' }
  return pageOf(asked, names, asked.vehicles(), (vehicle) => {
    const one = utilizationOf(asked, vehicle, period)
    const { total_distance: _, total_fuel: __, ...told } = toTold(asked, one)
    return { vehicle: toVehicleSummary(asked, vehicle), utilization: percentOf(one), ...told }
  })
}

const percentOf = ({ sums, period }: Utilization): number =>
  rounded((sums.drivingMilliseconds / (period.to - period.from)) * 100, 2)

function toTold(asked: Asked, { vehicle, sums }: Utilization) {
  const isMetric = asked.isMetric(isMetricVehicle(vehicle.number))
  const ran = sums.drivingMilliseconds + sums.idlingMilliseconds
  const idle = ran === 0 ? 0 : (sums.fuelLiters * sums.idlingMilliseconds) / ran / 10
  return {
    idle_time: toSeconds(sums.idlingMilliseconds),
    idle_fuel: toVolume(idle, isMetric),
    driving_time: toSeconds(sums.drivingMilliseconds),
    driving_fuel: toVolume(sums.fuelLiters - idle, isMetric),
    total_fuel: toVolume(sums.fuelLiters, isMetric),
    total_distance: toDistance(sums.meters, isMetric),
  }
}

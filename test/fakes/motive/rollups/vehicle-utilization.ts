import type { Ms, Vehicle } from '../../world/truth.ts'
import type { FakeRequest, Period } from '../fake-request.ts'
import { isMetricVehicle } from '../company.ts'
import { pageOf } from '../pages.ts'
import { toVehicleSummary } from '../roster/people.ts'
import { rounded, toDistance, toSeconds, toTime, toVolume } from '../formats.ts'
import { byDates, rollupPeriod } from './period.ts'
import { emptySums, type Sums, sumsOf } from './sums.ts'

const UNKNOWN_AFTER = 3 * 86_400_000

/** Utilization of a vehicle in a period. It is unknown if the vehicle has sent nothing for long. */
export interface Utilization {
  readonly vehicle: Vehicle
  readonly period: Period
  readonly sums: Sums
  readonly lastFixAt: Ms | null
  readonly isUnknown: boolean
}

export function utilizationOf(request: FakeRequest, vehicle: Vehicle, period: Period): Utilization {
  const { company } = request
  const until = Math.min(period.to, company.now + 1)
  const lastFixAt = company.world.fixes(vehicle.number, until - UNKNOWN_AFTER, until).at(-1)?.at ?? null
  const isUnknown = lastFixAt === null
  const trips = company.tripsOf(vehicle.number)
  return { vehicle, period, sums: isUnknown ? emptySums : sumsOf(trips, period), lastFixAt, isUnknown }
}

/** `/v2/vehicle_utilization`. In a row with a message, 0 means unknown. */
export function vehicleUtilization(request: FakeRequest): object {
  const period = rollupPeriod(request)
  const names = { list: 'vehicle_utilizations', item: 'vehicle_utilization' }
  return pageOf(request, names, request.vehicles(), (vehicle) => {
    const one = utilizationOf(request, vehicle, period)
    return {
      message: one.isUnknown ? 'Vehicle has not communicated in the selected period' : '',
      last_located_at: one.lastFixAt === null ? null : toTime(one.lastFixAt),
      utilization_percentage: percentOf(one),
      ...toRollup(request, one),
      vehicle: toVehicleSummary(request, vehicle),
    }
  })
}

/** `/v1/vehicle_utilization`: without a distance, and with other names. */
export function vehicleIdleRollups(request: FakeRequest): object {
  const period = byDates(request)
  const names = { list: 'vehicle_idle_rollups', item: 'vehicle_idle_rollup' }
  return pageOf(request, names, request.vehicles(), (vehicle) => {
    const one = utilizationOf(request, vehicle, period)
    const { total_distance: _, total_fuel: __, ...reported } = toRollup(request, one)
    return { vehicle: toVehicleSummary(request, vehicle), utilization: percentOf(one), ...reported }
  })
}

const percentOf = ({ sums, period }: Utilization): number =>
  rounded((sums.drivingMilliseconds / (period.to - period.from)) * 100, 2)

function toRollup(request: FakeRequest, { vehicle, sums }: Utilization) {
  const isMetric = request.isMetric(isMetricVehicle(vehicle.number))
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

import type { FakeRequest } from '../fake-request.ts'
import { isMetricVehicle } from '../company.ts'
import { id } from '../ids.ts'
import { distancesOf, monthsIn } from '../rollups/ifta.ts'
import { utilizationOf } from '../rollups/vehicle-utilization.ts'
import { toDistance, toSeconds, toVolume } from '../formats.ts'
import type { Day } from '../zone.ts'
import { type NormalizedRecord, kilometersOf, litersOf, millisecondsOf } from './conversions.ts'

/** Returns a row for each day that begins in the period, except unknown ones. */
export function utilization(request: FakeRequest, from: number, to: number): NormalizedRecord[] {
  const { company } = request
  const days = company.zone
    .days(company.zone.dateAt(from), company.zone.dateAt(to - 1))
    .filter((day) => day.from >= from && day.from < to && day.from <= company.now)
  return company.vehicles().flatMap((vehicle) =>
    days.flatMap((day) => {
      const { sums, isUnknown } = utilizationOf(request, vehicle, day)
      return isUnknown ? [] : [toUtilization(vehicle.number, day, sums)]
    }),
  )
}

type Sums = ReturnType<typeof utilizationOf>['sums']

function toUtilization(vehicle: number, { date }: Day, sums: Sums): NormalizedRecord {
  const isMetric = isMetricVehicle(vehicle)
  const sourceId = String(id('vehicle', vehicle))
  return {
    sourceId: `${sourceId}:${date}`,
    vehicleSourceId: sourceId,
    date,
    distanceKilometers: kilometersOf(toDistance(sums.meters, isMetric), isMetric),
    fuelConsumedLiters: litersOf(toVolume(sums.fuelLiters, isMetric), isMetric),
    drivingMilliseconds: millisecondsOf(toSeconds(sums.drivingMilliseconds)),
    idlingMilliseconds: millisecondsOf(toSeconds(sums.idlingMilliseconds)),
  }
}

/** Returns the rows of all months that overlap the period. */
export const ifta = ({ company }: FakeRequest, from: number, to: number): NormalizedRecord[] =>
  monthsIn(company, from, to)
    .flatMap((month) => distancesOf(company, month))
    .map(({ vehicle, month, jurisdiction, meters }) => {
      const isMetric = isMetricVehicle(vehicle)
      const sourceId = String(id('vehicle', vehicle))
      return {
        sourceId: `${sourceId}:${month}:${jurisdiction}`,
        vehicleSourceId: sourceId,
        month,
        jurisdiction,
        distanceKilometers: kilometersOf(toDistance(meters, isMetric), isMetric),
      }
    })

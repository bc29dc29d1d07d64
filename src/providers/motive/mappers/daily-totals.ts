import type { z } from 'zod'
import type { NormalizedIftaMonth } from '../../../domain/models/ifta-summary.ts'
import type { NormalizedUtilizationDay } from '../../../domain/models/vehicle-utilization.ts'
import { toStateCode } from '../../mapping/state-codes.ts'
import type * as records from '../schemas/daily-totals.ts'
import { secondsToDuration, toKilometers, toLiters } from './conversions.ts'

export function toUtilizationDay({
  date,
  row,
}: z.infer<typeof records.utilization>): NormalizedUtilizationDay {
  const { id, metric_units: isMetric } = row.vehicle
  return {
    sourceId: utilizationIdOf(id, date),
    vehicleSourceId: id,
    date,
    distanceKilometers: toKilometers(row.total_distance, isMetric),
    fuelConsumedLiters: toLiters(row.total_fuel, isMetric),
    drivingMilliseconds: secondsToDuration(row.driving_time),
    idlingMilliseconds: secondsToDuration(row.idle_time),
  }
}

export const utilizationIdOf = (vehicleId: string, date: string): string => `${vehicleId}:${date}`

export function toIftaMonth({ month, row }: z.infer<typeof records.ifta>): NormalizedIftaMonth {
  const { id, metric_units: isMetric } = row.vehicle
  return {
    sourceId: `${id}:${month}:${row.jurisdiction ?? ''}`,
    vehicleSourceId: id,
    month,
    jurisdiction: toStateCode(row.jurisdiction),
    distanceKilometers: toKilometers(row.distance, isMetric) ?? 0,
  }
}

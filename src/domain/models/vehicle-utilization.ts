import { defineModel } from './define-model.ts'
import { lookbackDays } from './lookback.ts'
import { liters, milliseconds } from './value-ranges.ts'

/** Utilization of one vehicle on one day. */
export interface NormalizedUtilizationDay {
  readonly sourceId: string
  readonly vehicleSourceId: string
  /** YYYY-MM-DD in the fleet's time zone. */
  readonly date: string
  readonly distanceKilometers: number | null
  readonly fuelConsumedLiters: number | null
  readonly drivingMilliseconds: number | null
  readonly idlingMilliseconds: number | null
}

export const vehicleUtilizationModel = defineModel<NormalizedUtilizationDay>()({
  name: 'VehicleUtilization',
  read: 'sync',
  id: { kind: 'vehicleDay', prefix: 'vcl_day' },
  types: ['VehicleUtilization'],
  queryFields: ['vehicleUtilization'],
  scope: 'utilization:read',
  sessionScope: 'READ_RECORDS',
  consentCategory: 'trips',
  owner: 'vehicle',
  lookback: lookbackDays(3),
  ranges: { fuelConsumedLiters: liters, idlingMilliseconds: milliseconds },
  required: {},
  columns: (normalized, resolveId) => ({
    vehicleId: resolveId('vehicle', normalized.vehicleSourceId),
    date: normalized.date,
    distance: normalized.distanceKilometers,
    fuelConsumed: normalized.fuelConsumedLiters,
    driving: normalized.drivingMilliseconds,
    idling: normalized.idlingMilliseconds,
  }),
})

import type { Instant } from '../time.ts'
import { defineModel } from './define-model.ts'
import { type Point, pointColumns } from './point.ts'
import { lookbackDays } from './lookback.ts'
import { milliseconds } from './value-ranges.ts'

export interface NormalizedTrip {
  readonly sourceId: string
  readonly vehicleSourceId: string
  readonly driverSourceId: string | null
  readonly startedAt: Instant
  readonly endedAt: Instant
  readonly startLocation: Point | null
  readonly endLocation: Point | null
  readonly distanceKilometers: number | null
  readonly durationMilliseconds: number
}

export const tripModel = defineModel<NormalizedTrip>()({
  name: 'Trip',
  read: 'sync',
  id: { kind: 'trip', prefix: 'trp' },
  node: { typeName: 'Trip', table: 'trips' },
  roots: ['trip', 'trips'],
  scope: 'trips:read',
  sessionScope: 'READ_RECORDS',
  share: 'trips',
  owner: 'vehicle',
  lookback: lookbackDays(1),
  ranges: { durationMilliseconds: milliseconds },
  required: { startedAt: true, endedAt: true, durationMilliseconds: true },
  columns: (normalized, resolveId) => ({
    vehicleId: resolveId('vehicle', normalized.vehicleSourceId),
    driverId: resolveId('driver', normalized.driverSourceId),
    startedAt: normalized.startedAt,
    endedAt: normalized.endedAt,
    ...pointColumns('start', normalized.startLocation),
    ...pointColumns('end', normalized.endLocation),
    distance: normalized.distanceKilometers,
    duration: normalized.durationMilliseconds,
  }),
})

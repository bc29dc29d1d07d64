import type { Instant } from '../time.ts'
import { defineModel, exampleId } from './define-model.ts'
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
  queryFields: ['trip', 'trips'],
  scope: 'trips:read',
  sessionScope: 'READ_RECORDS',
  consentCategory: 'trips',
  owner: 'vehicle',
  lookback: lookbackDays(1),
  events: {
    prefix: 'trip',
    member: 'trip',
    types: { removed: { description: 'The provider no longer has a trip.', optIn: true } },
    example: {
      vehicle: exampleId('vcl'),
      driver: exampleId('drv'),
      startedAt: '2026-01-31T11:00:00.000Z',
      endedAt: '2026-01-31T11:30:00.000Z',
      startLocation: { longitude: -97.7431, latitude: 30.2672 },
      distance: 41.2,
      duration: 1_800_000,
    },
  },
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

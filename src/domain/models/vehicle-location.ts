import type { Instant } from '../time.ts'
import { defineModel, exampleId } from './define-model.ts'
import type { Point } from './point.ts'
import { TIME_SERIES_LOOKBACK } from './lookback.ts'
import { engineRuntime, odometer, percent } from './value-ranges.ts'

export interface NormalizedLocation {
  readonly vehicleSourceId: string
  readonly sourceId?: string | null
  readonly driverSourceId: string | null
  readonly locatedAt: Instant
  readonly location: Point
  readonly address: string | null
  readonly headingDegrees: number | null
  readonly speedKph: number | null
}

export const vehicleLocationModel = defineModel<NormalizedLocation>()({
  name: 'VehicleLocation',
  read: 'sync',
  id: { kind: 'vehicleLocation', prefix: 'vcl_loc' },
  types: ['VehicleLocation'],
  scope: 'locations:read',
  sessionScope: 'READ_TELEMETRY',
  consentCategory: 'locations',
  owner: 'vehicle',
  lookback: TIME_SERIES_LOOKBACK,
  ranges: {},
  required: { locatedAt: true, location: true },
})

export interface NormalizedLatestLocation extends NormalizedLocation {
  readonly odometerKilometers: number | null
  readonly fuelPrimaryPercentage: number | null
  readonly fuelSecondaryPercentage: number | null
  readonly engineState: 'on' | 'off' | 'idle' | null
  readonly engineRuntimeMilliseconds: number | null
}

export const latestVehicleLocationModel = defineModel<NormalizedLatestLocation>()({
  name: 'LatestVehicleLocation',
  read: 'poll',
  types: ['LatestVehicleLocation', 'VehicleTrack', 'TrackSegment', 'NearbyVehicles', 'NearbyVehicle'],
  queryFields: ['vehicleLocations', 'vehiclesNear'],
  scope: 'locations:read',
  sessionScope: 'READ_TELEMETRY',
  consentCategory: 'locations',
  owner: 'vehicle',
  events: {
    prefix: 'vehicle',
    member: 'location',
    types: {
      location_updated: {
        description: 'A poll or a live request found a newer position of a vehicle.',
        optIn: true,
      },
    },
    example: {
      vehicle: exampleId('vcl'),
      driver: exampleId('drv'),
      locatedAt: '2026-01-31T12:00:00.000Z',
      location: { longitude: -97.7431, latitude: 30.2672 },
      heading: 90,
      speed: 88.5,
    },
  },
  ranges: {
    odometerKilometers: odometer,
    fuelPrimaryPercentage: percent,
    fuelSecondaryPercentage: percent,
    engineRuntimeMilliseconds: engineRuntime,
  },
  required: { locatedAt: true, location: true },
})

import type { z } from 'zod'
import { milesToKilometers, rounded, secondsToMilliseconds, usGallonsToLiters } from '../../../units.ts'
import type {
  IftaMonthDraft,
  LatestLocationDraft,
  LocationDraft,
  TrailerLocationDraft,
  TripDraft,
  UtilizationDayDraft,
} from '../../drafts.ts'
import { stateOf } from '../../states.ts'
import type * as records from '../records/travel.ts'
import { engineStates } from './engine.ts'
import { converted, toKilometers, toPoint, toSpeed } from './conversions.ts'

export const toTrip = (record: z.infer<typeof records.trip>): TripDraft => ({
  sourceId: record.id,
  vehicleSourceId: record.vehicleId,
  driverSourceId: record.driverId,
  startedAt: record.startedAt,
  endedAt: record.endedAt,
  startLocation: toPoint(record.startLocation),
  endLocation: toPoint(record.endLocation),
  distanceKilometers: converted(record.distanceMiles, milesToKilometers, 3),
  durationMilliseconds: secondsToMilliseconds(record.durationSeconds),
})

export const toLocation = (record: z.infer<typeof records.crumb>): LocationDraft => ({
  vehicleSourceId: record.vehicleId,
  driverSourceId: record.driverId,
  locatedAt: record.time,
  location: { longitude: record.lng, latitude: record.lat },
  address: record.address,
  headingDegrees: record.heading,
  speedKph: toSpeed(record.speedMph),
})

const states = engineStates('LatestVehicleLocation.engineState')

export const toLatestLocation = (record: z.infer<typeof records.latest>): LatestLocationDraft => ({
  ...toLocation(record),
  odometerKilometers: converted(record.odometerMiles, milesToKilometers, 3),
  fuelPrimaryPercentage: record.fuelPercent,
  fuelSecondaryPercentage: null,
  engineState: states.maybe(record.engineState),
  engineRuntimeMilliseconds:
    record.engineSeconds === null ? null : secondsToMilliseconds(record.engineSeconds),
})

export const toTrailerLocation = (record: z.infer<typeof records.trailerLocation>): TrailerLocationDraft => ({
  trailerSourceId: record.trailerId,
  locatedAt: record.time,
  location: { longitude: record.lng, latitude: record.lat },
  address: record.address,
  headingDegrees: record.heading,
  speedKph: toSpeed(record.speedMph),
})

export const toUtilizationDay = (record: z.infer<typeof records.utilization>): UtilizationDayDraft => ({
  sourceId: record.id,
  vehicleSourceId: record.vehicleId,
  date: record.date,
  distanceKilometers: rounded(milesToKilometers(record.miles), 3),
  fuelConsumedLiters: converted(record.fuelGallons, usGallonsToLiters, 3),
  drivingMilliseconds: secondsToMilliseconds(record.drivingSeconds),
  idlingMilliseconds: secondsToMilliseconds(record.idlingSeconds),
})

export const toIftaMonth = (record: z.infer<typeof records.ifta>): IftaMonthDraft => ({
  sourceId: record.id,
  vehicleSourceId: record.vehicleId,
  month: record.month,
  jurisdiction: stateOf(record.jurisdiction),
  distanceKilometers: toKilometers(record.miles),
})

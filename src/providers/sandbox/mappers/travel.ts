import type { z } from 'zod'
import {
  milesToKilometers,
  rounded,
  secondsToMilliseconds,
  usGallonsToLiters,
} from '../../../domain/units.ts'
import type { NormalizedIftaMonth } from '../../../domain/models/ifta-summary.ts'
import type { NormalizedTrailerLocation } from '../../../domain/models/trailer-location.ts'
import type { NormalizedTrip } from '../../../domain/models/trip.ts'
import type { NormalizedLatestLocation, NormalizedLocation } from '../../../domain/models/vehicle-location.ts'
import type { NormalizedUtilizationDay } from '../../../domain/models/vehicle-utilization.ts'
import { toStateCode } from '../../mapping/state-codes.ts'
import type * as records from '../schemas/travel.ts'
import { engineStates } from './engine.ts'
import { converted, toKilometers, toPoint, toSpeed } from './conversions.ts'

export const toTrip = (record: z.infer<typeof records.trip>): NormalizedTrip => ({
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

export const toLocation = (record: z.infer<typeof records.breadcrumb>): NormalizedLocation => ({
  vehicleSourceId: record.vehicleId,
  driverSourceId: record.driverId,
  locatedAt: record.time,
  location: { longitude: record.lng, latitude: record.lat },
  address: record.address,
  headingDegrees: record.heading,
  speedKph: toSpeed(record.speedMph),
})

const states = engineStates('LatestVehicleLocation.engineState')

export const toLatestLocation = (record: z.infer<typeof records.latest>): NormalizedLatestLocation => ({
  ...toLocation(record),
  odometerKilometers: converted(record.odometerMiles, milesToKilometers, 3),
  fuelPrimaryPercentage: record.fuelPercent,
  fuelSecondaryPercentage: null,
  engineState: states.orNull(record.engineState),
  engineRuntimeMilliseconds:
    record.engineSeconds === null ? null : secondsToMilliseconds(record.engineSeconds),
})

export const toTrailerLocation = (
  record: z.infer<typeof records.trailerLocation>,
): NormalizedTrailerLocation => ({
  trailerSourceId: record.trailerId,
  locatedAt: record.time,
  location: { longitude: record.lng, latitude: record.lat },
  address: record.address,
  headingDegrees: record.heading,
  speedKph: toSpeed(record.speedMph),
})

export const toUtilizationDay = (record: z.infer<typeof records.utilization>): NormalizedUtilizationDay => ({
  sourceId: record.id,
  vehicleSourceId: record.vehicleId,
  date: record.date,
  distanceKilometers: rounded(milesToKilometers(record.miles), 3),
  fuelConsumedLiters: converted(record.fuelGallons, usGallonsToLiters, 3),
  drivingMilliseconds: secondsToMilliseconds(record.drivingSeconds),
  idlingMilliseconds: secondsToMilliseconds(record.idlingSeconds),
})

export const toIftaMonth = (record: z.infer<typeof records.ifta>): NormalizedIftaMonth => ({
  sourceId: record.id,
  vehicleSourceId: record.vehicleId,
  month: record.month,
  jurisdiction: toStateCode(record.jurisdiction),
  distanceKilometers: toKilometers(record.miles),
})

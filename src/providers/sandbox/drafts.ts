import type { z } from 'zod'
import {
  milesPerHourToKilometersPerHour,
  milesToKilometers,
  rounded,
  secondsToMilliseconds,
  usGallonsToLiters,
} from '../../units.ts'
import type {
  DeviceDraft,
  DriverDraft,
  FuelType,
  GroupDraft,
  LatestLocationDraft,
  LocationDraft,
  Point,
  SafetyEventDraft,
  SafetyEventType,
  TripDraft,
  VehicleDraft,
} from '../drafts.ts'
import type * as records from './records.ts'

/** From the sandbox provider's records to ours: pure functions, no I/O. */

const PHONE = /^\+?\d{10,14}$/

export const toGroup = (record: z.infer<typeof records.group>): GroupDraft => ({
  sourceId: record.id,
  name: record.name,
  description: record.description,
  parentSourceId: record.parentId,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
})

export const toDriver = (record: z.infer<typeof records.driver>): DriverDraft => ({
  sourceId: record.id,
  status: record.status,
  firstName: record.firstName,
  middleName: record.middleName,
  lastName: record.lastName,
  email: record.email,
  phone: toPhone(record.phone),
  username: record.username,
  license: record.license,
  groupSourceIds: record.groupIds,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
})

/** Digits with an optional plus, or nothing. */
function toPhone(phone: string | null): string | null {
  const digits = phone?.replace(/[^\d+]/g, '') ?? ''
  return PHONE.test(digits) ? digits : null
}

const fuelTypes: Readonly<Record<string, FuelType>> = {
  diesel: 'diesel',
  gasoline: 'gasoline',
  electric: 'electric',
  propane: 'propane',
}

export const toVehicle = (record: z.infer<typeof records.vehicle>): VehicleDraft => ({
  sourceId: record.id,
  status: record.status,
  vin: record.vin,
  name: record.name,
  make: record.make,
  model: record.model,
  year: record.year,
  groupSourceIds: record.groupIds,
  licensePlate: record.licensePlate,
  fuelType: fuelTypes[record.fuelType ?? ''] ?? null,
  fuelTankCapacityLiters: converted(record.fuelTankGallons, usGallonsToLiters, 1),
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
})

export const toDevice = (record: z.infer<typeof records.device>): DeviceDraft => ({
  sourceId: record.id,
  type: record.type,
  vehicleSourceId: record.vehicleId,
  description: record.description,
  serialNumber: record.serialNumber,
  lastConnectedAt: record.lastConnectedAt,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
})

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

const safetyTypes: Readonly<Record<string, SafetyEventType>> = {
  harsh_brake: 'harsh_brake',
  harsh_acceleration: 'harsh_acceleration',
  harsh_turn: 'harsh_turn',
  speeding: 'speeding',
  severe_speeding: 'speeding',
  tailgating: 'tailgating',
  lane_departure: 'unsafe_lane_change',
  distracted_driving: 'distracted',
  phone_use: 'cell_phone',
  drowsiness: 'drowsiness',
  no_seat_belt: 'seat_belt_violation',
  rolling_stop: 'rolling_stop',
  near_collision: 'near_crash',
  crash: 'crash',
}

/** Throws on a type that the table does not know: such an event cannot be told as something it is not. */
export function toSafetyEvent(record: z.infer<typeof records.safetyEvent>): SafetyEventDraft {
  const type = safetyTypes[record.type]
  if (!type) throw new Error(`unknown safety event type ${record.type}`)
  return {
    sourceId: record.id,
    type,
    vehicleSourceId: record.vehicleId,
    driverSourceId: record.driverId,
    startedAt: record.occurredAt,
    endedAt: record.endedAt,
    startLocation: toPoint(record.location),
    sourceType: record.label,
    maximumSpeedKph: toSpeed(record.maxSpeedMph),
    averageSpeedKph: toSpeed(record.avgSpeedMph),
    roadSpeedLimitKph: toSpeed(record.speedLimitMph),
    gForceForwardBackward: record.gForceForward,
    gForceSideToSide: record.gForceSideways,
    headingDegrees: record.heading,
  }
}

export const toLocation = (record: z.infer<typeof records.crumb>): LocationDraft => ({
  vehicleSourceId: record.vehicleId,
  driverSourceId: record.driverId,
  locatedAt: record.time,
  location: { longitude: record.lng, latitude: record.lat },
  address: null,
  headingDegrees: record.heading,
  speedKph: toSpeed(record.speedMph),
})

export const toLatestLocation = (record: z.infer<typeof records.latest>): LatestLocationDraft => ({
  ...toLocation(record),
  address: record.address,
  odometerKilometers: converted(record.odometerMiles, milesToKilometers, 3),
  fuelPrimaryPercentage: record.fuelPercent,
  fuelSecondaryPercentage: null,
  engineState: record.engineState,
  engineRuntimeMilliseconds:
    record.engineSeconds === null ? null : secondsToMilliseconds(record.engineSeconds),
})

const toPoint = (place: { lat: number; lng: number } | null): Point | null =>
  place && { longitude: place.lng, latitude: place.lat }

const toSpeed = (milesPerHour: number | null) => converted(milesPerHour, milesPerHourToKilometersPerHour, 2)

const converted = (
  value: number | null,
  convert: (value: number) => number,
  decimals: number,
): number | null => (value === null ? null : rounded(convert(value), decimals))

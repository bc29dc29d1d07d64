import type { Instant } from '../domain/time.ts'

/**
 * Provider record with our names, units and enums, but with source ids. Sync replaces them with our ids. A
 * field that the provider may omit is nullable.
 */
interface NormalizedRecord {
  readonly sourceId: string
  /** Removal time that the provider reports. Absence from a full list is the other sign of a removal. */
  readonly deletedAt?: Instant | null
  readonly createdAt: Instant | null
  readonly updatedAt: Instant | null
}

export interface Point {
  readonly longitude: number
  readonly latitude: number
}

export interface NormalizedPlate {
  readonly state: string | null
  readonly number: string | null
}

export interface NormalizedGroup extends NormalizedRecord {
  readonly name: string | null
  readonly description: string | null
  readonly parentSourceId: string | null
}

export interface NormalizedDriver extends NormalizedRecord {
  readonly status: 'active' | 'inactive'
  readonly firstName: string | null
  readonly middleName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly username: string | null
  readonly license: NormalizedPlate | null
  readonly groupSourceIds: readonly string[]
}

export type NormalizedFuelType =
  'gasoline' | 'diesel' | 'propane' | 'electric' | 'hybrid_gasoline' | 'hybrid_diesel'

export interface NormalizedVehicle extends NormalizedRecord {
  readonly status: 'active' | 'inactive'
  readonly vin: string | null
  readonly name: string | null
  readonly make: string | null
  readonly model: string | null
  readonly year: number | null
  readonly groupSourceIds: readonly string[]
  readonly licensePlate: NormalizedPlate | null
  readonly fuelType: NormalizedFuelType | null
  readonly fuelTankCapacityLiters: number | null
  readonly fuelEfficiencyLitersPer100Kilometers?: number | null
}

export interface NormalizedTrailer extends NormalizedRecord {
  readonly status: 'active' | 'inactive'
  readonly name: string | null
  readonly vin: string | null
  readonly serialNumber: string | null
  readonly make: string | null
  readonly model: string | null
  readonly year: number | null
  readonly groupSourceIds: readonly string[]
  readonly licensePlate: NormalizedPlate | null
}

export interface NormalizedDevice extends NormalizedRecord {
  readonly type: 'tracker' | 'camera'
  readonly vehicleSourceId: string | null
  readonly description: string | null
  readonly serialNumber: string | null
  readonly lastConnectedAt: Instant | null
}

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

export const safetyEventTypes = [
  'harsh_brake',
  'harsh_acceleration',
  'harsh_turn',
  'speeding',
  'crash',
  'near_crash',
  'tailgating',
  'cell_phone',
  'distracted',
  'drowsiness',
  'smoking',
  'seat_belt_violation',
  'stop_sign_violation',
  'red_light_violation',
  'unsafe_lane_change',
  'camera_obstruction',
  'eating_and_drinking',
  'rolling_stop',
  'unsafe_parking',
] as const

export type SafetyEventType = (typeof safetyEventTypes)[number]

export interface NormalizedSafetyEvent {
  readonly sourceId: string
  readonly type: SafetyEventType
  readonly vehicleSourceId: string
  readonly driverSourceId: string | null
  readonly startedAt: Instant
  readonly endedAt: Instant | null
  readonly startLocation: Point | null
  readonly endLocation: Point | null
  readonly sourceType: string | null
  readonly maximumSpeedKph: number | null
  readonly averageSpeedKph: number | null
  readonly roadSpeedLimitKph: number | null
  readonly gForceForwardBackward: number | null
  readonly gForceSideToSide: number | null
  readonly headingDegrees: number | null
  /** Camera recordings of the event; null if no camera faces this way. */
  readonly frontCamera: NormalizedCameraFile | null
  readonly rearCamera: NormalizedCameraFile | null
  /** Data of enrichment providers by name, in the terms of the specification (2.6). */
  readonly extensions: Readonly<Record<string, unknown>> | null
}

export interface NormalizedCameraFile {
  readonly sourceId: string | null
  readonly available: boolean
}

/** Files of one safety event, as the provider currently serves them. */
export interface NormalizedCameraMedia {
  readonly frontFacing: NormalizedCameraMediaFile | null
  readonly rearFacing: NormalizedCameraMediaFile | null
}

export interface NormalizedCameraMediaFile {
  readonly sourceId: string | null
  /** URL at the provider. Callers get a URL of this service instead. */
  readonly url: string
}

export const hosStatuses = [
  'off_duty',
  'sleeper_bed',
  'driving',
  'on_duty',
  'yard_move',
  'personal_conveyance',
  'waiting_time',
] as const

export type HosStatus = (typeof hosStatuses)[number]

interface NormalizedHosRemark {
  readonly notes: string
  readonly sourceId: string | null
  readonly submittedAt: Instant | null
}

export interface NormalizedHosLog {
  readonly sourceId: string
  readonly status: HosStatus
  readonly driverSourceId: string
  readonly vehicleSourceId: string | null
  readonly codriverSourceIds: readonly string[]
  readonly startedAt: Instant
  readonly endedAt: Instant | null
  readonly location: Point | null
  readonly remarks: readonly NormalizedHosRemark[]
}

export interface NormalizedHosDailyLog {
  readonly sourceId: string
  readonly driverSourceId: string
  /** YYYY-MM-DD in the time zone of the driver's home terminal. */
  readonly date: string
  readonly onDutyMilliseconds: number | null
  readonly offDutyMilliseconds: number | null
  readonly drivingMilliseconds: number | null
  readonly waitingMilliseconds: number | null
  readonly sleeperBedMilliseconds: number | null
  readonly personalConveyanceMilliseconds: number | null
  readonly yardMoveMilliseconds: number | null
  readonly totalKilometers: number | null
  readonly drivingKilometers: number | null
  readonly personalConveyanceKilometers: number | null
  readonly yardMoveKilometers: number | null
}

/** Remaining hours of service of a driver, as of now. */
export interface NormalizedHosAvailableTime {
  readonly driverSourceId: string
  readonly currentStatus: HosStatus | null
  readonly cycleMilliseconds: number | null
  readonly shiftMilliseconds: number | null
  readonly driveMilliseconds: number | null
  readonly breakMilliseconds: number | null
}

interface NormalizedFaultCode {
  readonly sourceId: string
  /** Set for a fault that late data proved wrong. */
  readonly deletedAt?: Instant | null
  readonly vehicleSourceId: string
  readonly status: 'open' | 'pending' | 'closed'
  /** For example P0087 or SPN100-FMI1. */
  readonly code: string
  readonly description: string | null
  readonly observedAt: Instant
  readonly milStatus: 'on' | 'off' | null
}

export interface NormalizedJ1939 extends NormalizedFaultCode {
  readonly protocol: 'j1939'
  readonly spn: number
  readonly spnDescription: string | null
  /** 0 to 31. */
  readonly fmi: number | null
  readonly fmiDescription: string | null
  readonly occurrenceCount: number | null
  readonly sourceAddress: number | null
}

interface NormalizedObdii extends NormalizedFaultCode {
  readonly protocol: 'obdii'
}

export type NormalizedFaultCodeEvent = NormalizedJ1939 | NormalizedObdii

/** Utilization of one vehicle on one day. */
export interface NormalizedUtilizationDay {
  readonly sourceId: string
  readonly vehicleSourceId: string
  /** YYYY-MM-DD in the fleet's time zone. */
  readonly date: string
  readonly distanceKilometers: number
  readonly fuelConsumedLiters: number | null
  readonly drivingMilliseconds: number | null
  readonly idlingMilliseconds: number | null
}

/** Distance of one vehicle in one jurisdiction and month. */
export interface NormalizedIftaMonth {
  readonly sourceId: string
  readonly vehicleSourceId: string
  /** YYYY-MM in the fleet's time zone. */
  readonly month: string
  /** Two-letter code of a US state or Canadian province; null if unknown. */
  readonly jurisdiction: string | null
  readonly distanceKilometers: number
}

export const statTypes = [
  'engine_state',
  'odometer',
  'total_fuel_consumption',
  'fuel_level',
  'engine_runtime',
  'engine_rpm',
  'engine_oil_percentage',
  'engine_oil_pressure',
  'engine_oil_temperature',
  'engine_coolant_temperature',
  'coolant_percentage',
  'battery_voltage',
] as const

export type StatType = (typeof statTypes)[number]

/**
 * Measurement of a vehicle. The type defines the unit of `value`: kilometers, liters, percent, milliseconds,
 * revolutions per minute, PSI, degrees Celsius, or volts. An engine state has a `state` and no value.
 */
export interface NormalizedStatLog {
  readonly vehicleSourceId: string
  readonly type: StatType
  readonly timestamp: Instant
  readonly sourceId: string | null
  readonly value: number | null
  readonly state: 'on' | 'off' | 'idle' | null
}

export interface NormalizedTrailerLocation {
  readonly trailerSourceId: string
  readonly locatedAt: Instant
  readonly location: Point
  readonly address: string | null
  readonly headingDegrees: number | null
  readonly speedKph: number | null
}

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

export interface NormalizedLatestLocation extends NormalizedLocation {
  readonly odometerKilometers: number | null
  readonly fuelPrimaryPercentage: number | null
  readonly fuelSecondaryPercentage: number | null
  readonly engineState: 'on' | 'off' | 'idle' | null
  readonly engineRuntimeMilliseconds: number | null
}

/** Normalized records of the models that sync reads. */
export interface NormalizedRecords {
  Group: NormalizedGroup
  Driver: NormalizedDriver
  Vehicle: NormalizedVehicle
  Device: NormalizedDevice
  Trailer: NormalizedTrailer
  Trip: NormalizedTrip
  SafetyEvent: NormalizedSafetyEvent
  FaultCodeEvent: NormalizedFaultCodeEvent
  HOSLog: NormalizedHosLog
  HOSDailyLog: NormalizedHosDailyLog
  VehicleUtilization: NormalizedUtilizationDay
  VehicleLocation: NormalizedLocation
  VehicleStatLog: NormalizedStatLog
  IFTASummary: NormalizedIftaMonth
}

/** Normalized records of the latest-state models, read by managed polling. */
export interface NormalizedLatestRecords {
  LatestVehicleLocation: NormalizedLatestLocation
  LatestTrailerLocation: NormalizedTrailerLocation
  HOSAvailableTime: NormalizedHosAvailableTime
}

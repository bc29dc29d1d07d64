import type { Instant } from '../time.ts'

/**
 * A provider's record in our shape: our names, units and enums, but its own ids. The sync engine gives them ours.
 * Every fact that a provider may not tell is null.
 */
interface SourcedDraft {
  readonly sourceId: string
  readonly createdAt: Instant | null
  readonly updatedAt: Instant | null
}

export interface Point {
  readonly longitude: number
  readonly latitude: number
}

interface PlateDraft {
  readonly state: string | null
  readonly number: string | null
}

export interface GroupDraft extends SourcedDraft {
  readonly name: string | null
  readonly description: string | null
  readonly parentSourceId: string | null
}

export interface DriverDraft extends SourcedDraft {
  readonly status: 'active' | 'inactive'
  readonly firstName: string | null
  readonly middleName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly username: string | null
  readonly license: PlateDraft | null
  readonly groupSourceIds: readonly string[]
}

export type FuelType = 'gasoline' | 'diesel' | 'propane' | 'electric' | 'hybrid_gasoline' | 'hybrid_diesel'

export interface VehicleDraft extends SourcedDraft {
  readonly status: 'active' | 'inactive'
  readonly vin: string | null
  readonly name: string | null
  readonly make: string | null
  readonly model: string | null
  readonly year: number | null
  readonly groupSourceIds: readonly string[]
  readonly licensePlate: PlateDraft | null
  readonly fuelType: FuelType | null
  readonly fuelTankCapacityLiters: number | null
}

export interface DeviceDraft extends SourcedDraft {
  readonly type: 'tracker' | 'camera'
  readonly vehicleSourceId: string | null
  readonly description: string | null
  readonly serialNumber: string | null
  readonly lastConnectedAt: Instant | null
}

export interface TripDraft {
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

export interface SafetyEventDraft {
  readonly sourceId: string
  readonly type: SafetyEventType
  readonly vehicleSourceId: string
  readonly driverSourceId: string | null
  readonly startedAt: Instant
  readonly endedAt: Instant | null
  readonly startLocation: Point | null
  readonly sourceType: string | null
  readonly maximumSpeedKph: number | null
  readonly averageSpeedKph: number | null
  readonly roadSpeedLimitKph: number | null
  readonly gForceForwardBackward: number | null
  readonly gForceSideToSide: number | null
  readonly headingDegrees: number | null
}

export interface LocationDraft {
  readonly vehicleSourceId: string
  readonly driverSourceId: string | null
  readonly locatedAt: Instant
  readonly location: Point
  readonly address: string | null
  readonly headingDegrees: number | null
  readonly speedKph: number | null
}

export interface LatestLocationDraft extends LocationDraft {
  readonly odometerKilometers: number | null
  readonly fuelPrimaryPercentage: number | null
  readonly fuelSecondaryPercentage: number | null
  readonly engineState: 'on' | 'off' | 'idle' | null
  readonly engineRuntimeMilliseconds: number | null
}

/** What a reader of each model gives. */
export interface Drafts {
  Group: GroupDraft
  Driver: DriverDraft
  Vehicle: VehicleDraft
  Device: DeviceDraft
  Trip: TripDraft
  SafetyEvent: SafetyEventDraft
  VehicleLocation: LocationDraft
}

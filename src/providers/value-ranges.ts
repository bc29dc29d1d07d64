import type { NormalizedLatestRecords, NormalizedRecords, Point, StatType } from './normalized-records.ts'

/**
 * Range of a number in a normalized record. Values outside have no meaning or cannot be represented in the
 * API.
 */
export interface ValueRange {
  readonly min: number
  readonly max: number
  readonly isInteger?: boolean
  /** Values within the range that mean "not available". */
  readonly sentinels?: readonly number[]
}

type Models = NormalizedRecords & NormalizedLatestRecords

type NumberFields<T> = T extends unknown
  ? { [K in keyof T]-?: number extends T[K] ? K : never }[keyof T]
  : never

const between = (min: number, max: number): ValueRange => ({ min, max })
const integer = (min: number, max: number): ValueRange => ({ min, max, isInteger: true })

/** GraphQL's Int has 32 bits. */
const count = integer(0, 2 ** 31 - 1)
/** Milliseconds since 1970, up to the year 9999: the API writes years with four digits. */
const instant = integer(0, 253_402_300_799_999)
const kilometers = between(0, 10_000_000)
/** A counter of meters with all bits set means "not available", as in SAE J1939. */
const odometer: ValueRange = { ...kilometers, sentinels: [(2 ** 32 - 1) / 1000, (2 ** 31 - 1) / 1000] }
const liters = between(0, 1_000_000_000)
const milliseconds = between(0, Number.MAX_SAFE_INTEGER)
/** Up to 50 years, which is below a counter of seconds with all bits set. */
const engineRuntime = between(0, 1_577_836_800_000)
const percent = between(0, 100)
const kph = between(0, 1000)
const gForce = between(-100, 100)

/** Range of every number field. A field has the same unit, and so the same range, in every model. */
export const valueRanges: Readonly<
  Record<NumberFields<Models[keyof Models] | Models['HOSLog']['remarks'][number] | Point>, ValueRange>
> = {
  createdAt: instant,
  updatedAt: instant,
  deletedAt: instant,
  startedAt: instant,
  endedAt: instant,
  observedAt: instant,
  locatedAt: instant,
  timestamp: instant,
  lastConnectedAt: instant,
  submittedAt: instant,
  longitude: between(-180, 180),
  latitude: between(-90, 90),
  headingDegrees: between(0, 360),
  speedKph: kph,
  maximumSpeedKph: kph,
  averageSpeedKph: kph,
  roadSpeedLimitKph: kph,
  gForceForwardBackward: gForce,
  gForceSideToSide: gForce,
  year: integer(1900, 2100),
  fuelTankCapacityLiters: between(0, 100_000),
  fuelEfficiencyLitersPer100Kilometers: between(0, 100_000),
  fuelConsumedLiters: liters,
  fuelPrimaryPercentage: percent,
  fuelSecondaryPercentage: percent,
  distanceKilometers: kilometers,
  totalKilometers: kilometers,
  drivingKilometers: kilometers,
  personalConveyanceKilometers: kilometers,
  yardMoveKilometers: kilometers,
  odometerKilometers: odometer,
  durationMilliseconds: milliseconds,
  engineRuntimeMilliseconds: engineRuntime,
  onDutyMilliseconds: milliseconds,
  offDutyMilliseconds: milliseconds,
  drivingMilliseconds: milliseconds,
  waitingMilliseconds: milliseconds,
  sleeperBedMilliseconds: milliseconds,
  personalConveyanceMilliseconds: milliseconds,
  yardMoveMilliseconds: milliseconds,
  idlingMilliseconds: milliseconds,
  cycleMilliseconds: milliseconds,
  shiftMilliseconds: milliseconds,
  driveMilliseconds: milliseconds,
  breakMilliseconds: milliseconds,
  spn: count,
  fmi: integer(0, 31),
  occurrenceCount: count,
  sourceAddress: integer(0, 255),
  value: between(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
}

/** Range of a measurement's value, in the unit of its type. An engine state has no value. */
export const statRanges: Readonly<Record<Exclude<StatType, 'engine_state'>, ValueRange>> = {
  odometer,
  total_fuel_consumption: liters,
  fuel_level: percent,
  engine_runtime: engineRuntime,
  engine_rpm: between(0, 100_000),
  engine_oil_percentage: percent,
  engine_oil_pressure: between(0, 100_000),
  engine_oil_temperature: between(-273.15, 10_000),
  engine_coolant_temperature: between(-273.15, 10_000),
  coolant_percentage: percent,
  battery_voltage: between(0, 100_000),
}

/** Fields of a model that are never null. */
type RequiredFields<T> = T extends unknown
  ? {
      [K in keyof T]-?: number extends T[K]
        ? T[K] extends number
          ? K
          : never
        : T[K] extends Point
          ? K
          : never
    }[keyof T]
  : never

/** Numbers and locations that a record must have. A record without one of them is left out. */
export const requiredValues: {
  readonly [M in keyof Models]: Readonly<Record<RequiredFields<Models[M]>, true>>
} = {
  Group: {},
  Driver: {},
  Vehicle: {},
  Device: {},
  Trailer: {},
  Trip: { startedAt: true, endedAt: true, durationMilliseconds: true },
  SafetyEvent: { startedAt: true },
  FaultCodeEvent: { observedAt: true, spn: true },
  HOSLog: { startedAt: true },
  HOSDailyLog: {},
  VehicleUtilization: { distanceKilometers: true },
  VehicleLocation: { locatedAt: true, location: true },
  VehicleStatLog: { timestamp: true },
  IFTASummary: { distanceKilometers: true },
  LatestVehicleLocation: { locatedAt: true, location: true },
  LatestTrailerLocation: { locatedAt: true, location: true },
  HOSAvailableTime: {},
}

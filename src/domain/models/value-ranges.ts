/**
 * Range of a number in a normalized record. A value outside of it becomes null: it is impossible, or the API
 * cannot represent it.
 */
export interface ValueRange {
  readonly min: number
  readonly max: number
  readonly isInteger?: boolean
  /** Values within the range with which devices report that they have no value. */
  readonly sentinels?: readonly number[]
}

export const between = (min: number, max: number): ValueRange => ({ min, max })
export const integer = (min: number, max: number): ValueRange => ({ min, max, isInteger: true })

/** Up to the largest value of GraphQL's Int. */
export const count = integer(0, 2 ** 31 - 1)
/** Moment up to the year 9999, because the API writes years with four digits. */
const instant = integer(0, 253_402_300_799_999)
export const kilometers = between(0, 10_000_000)
/**
 * Values of control units and devices that mean "not available", as far as they lie within a range. In SAE J1939-71,
 * all bits of such a value are set. A value whose first byte is 0xFE means "error". `docs/providers.md` also lists the
 * values above the ranges.
 */
export const sentinels = {
  // Kilometers. Devices that count meters in 32 or 31 bits.
  odometer: [(2 ** 32 - 1) / 1000, (2 ** 31 - 1) / 1000],
  // Liters. SAE J1939-71, SPN 5054: 0.001 L, 32 bits.
  totalFuel: [(2 ** 32 - 1) / 1000],
  // Revolutions per minute. SAE J1939-71, SPN 190: 0.125 rpm, 16 bits. OBD-II cars reach those that mean "error".
  engineSpeed: [(2 ** 16 - 1) / 8],
  // Volts. SAE J1979 (OBD-II), PID 42: 1 mV, 16 bits.
  batteryVoltage: [(2 ** 16 - 1) / 1000],
} as const satisfies Readonly<Record<string, readonly number[]>>

export const odometer: ValueRange = { ...kilometers, sentinels: sentinels.odometer }
export const liters = between(0, 1_000_000_000)
export const milliseconds = between(0, Number.MAX_SAFE_INTEGER)
/** Milliseconds, up to 50 years. A counter of seconds with all its 31 or 32 bits set is above this range. */
export const engineRuntime = between(0, 1_577_836_800_000)
export const percent = between(0, 100)
export const kph = between(0, 1000)
export const gForce = between(-100, 100)

/** Ranges of numbers by name, for names that several models have. A name has the same unit in every model. */
export const commonRanges = {
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
  distanceKilometers: kilometers,
  drivingMilliseconds: milliseconds,
  year: integer(1900, 2100),
} as const satisfies Readonly<Record<string, ValueRange>>

export type CommonField = keyof typeof commonRanges

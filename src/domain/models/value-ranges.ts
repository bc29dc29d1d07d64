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

export const between = (min: number, max: number): ValueRange => ({ min, max })
export const integer = (min: number, max: number): ValueRange => ({ min, max, isInteger: true })

/** GraphQL's Int has 32 bits. */
export const count = integer(0, 2 ** 31 - 1)
/** Milliseconds since 1970, up to the year 9999: the API writes years with four digits. */
const instant = integer(0, 253_402_300_799_999)
export const kilometers = between(0, 10_000_000)
/** A counter of meters with all bits set means "not available", as in SAE J1939. */
export const odometer: ValueRange = {
  ...kilometers,
  sentinels: [(2 ** 32 - 1) / 1000, (2 ** 31 - 1) / 1000],
}
export const liters = between(0, 1_000_000_000)
export const milliseconds = between(0, Number.MAX_SAFE_INTEGER)
/** Up to 50 years, which is below a counter of seconds with all bits set. */
export const engineRuntime = between(0, 1_577_836_800_000)
export const percent = between(0, 100)
export const kph = between(0, 1000)
export const gForce = between(-100, 100)

/** Ranges of numbers that several models have. A name has the same unit, and so the same range, in all of them. */
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

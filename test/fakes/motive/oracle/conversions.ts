const KILOMETERS_IN_MILE = 1.609344
const LITERS_IN_GALLON = 3.785411784

/** Normalized record that an adapter should return. */
export type NormalizedRecord = Readonly<Record<string, unknown>>

const METERS = 1000
const HUNDREDTHS = 100

const roundedTo = (parts: number, value: number): number => Math.round(value * parts) / parts

/** Converts a distance; rounds to meters. */
export const kilometersOf = (distance: number, isMetric: boolean): number =>
  roundedTo(METERS, isMetric ? distance : distance * KILOMETERS_IN_MILE)

/** Converts a speed as a distance per hour. */
export const kphOf = (speed: number, isMetric: boolean): number =>
  roundedTo(HUNDREDTHS, isMetric ? speed : speed * KILOMETERS_IN_MILE)

export const litersOf = (volume: number, isMetric: boolean): number =>
  isMetric ? volume : volume * LITERS_IN_GALLON

export const millisecondsOfHours = (hours: number): number => Math.round(hours * 3_600_000)
export const millisecondsOf = (seconds: number): number => seconds * 1000

export const sourceId = (id: number | null): string | null => (id === null ? null : String(id))

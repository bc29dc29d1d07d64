// Unit conversions. Names of values in code contain the unit. The API uses metric units, except PSI.

const METERS_PER_MILE = 1609.344
const LITERS_PER_US_GALLON = 3.785411784

export const milesToKilometers = (miles: number) => (miles * METERS_PER_MILE) / 1000
export const kilometersToMiles = (kilometers: number) => (kilometers * 1000) / METERS_PER_MILE
export const metersToKilometers = (meters: number) => meters / 1000
export const milesPerHourToKilometersPerHour = milesToKilometers
export const knotsToKilometersPerHour = (knots: number) => knots * 1.852
export const usGallonsToLiters = (gallons: number) => gallons * LITERS_PER_US_GALLON
export const litersToUsGallons = (liters: number) => liters / LITERS_PER_US_GALLON
/** `milesPerGallon` must be greater than 0. */
export const milesPerUsGallonToLitersPer100Kilometers = (milesPerGallon: number) =>
  (100 * LITERS_PER_US_GALLON) / milesToKilometers(milesPerGallon)
export const fahrenheitToCelsius = (degrees: number) => ((degrees - 32) * 5) / 9
export const millilitersToLiters = (milliliters: number) => milliliters / 1000
export const secondsToMilliseconds = (seconds: number) => Math.round(seconds * 1000)
export const hoursToMilliseconds = (hours: number) => Math.round(hours * 3_600_000)

/** Rounds a value to a number of decimals. Ties round away from zero. */
export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals
  const magnitude = Math.round(Math.abs(value) * scale) / scale
  return value < 0 && magnitude > 0 ? -magnitude : magnitude
}

import type { Place } from '../world/truth.ts'
import type { Switches } from './behaviours.ts'

/** Formats and units of Samsara. */

const METERS_PER_MILE = 1609.344
export const MILLISECONDS_PER_HOUR = 3_600_000
export const MILLISECONDS_PER_DAY = 86_400_000
const OFFSET_HOURS = 4

export function rounded(value: number, decimals: number): number {
  const factor = 10 ** decimals
  return Math.round(value * factor) / factor
}

/** Formats RFC 3339 without zero milliseconds; with an offset if the switch is on. */
export function toTime(at: number, { times }: Pick<Switches, 'times'>): string {
  const shifted = times === 'offset' ? at - OFFSET_HOURS * MILLISECONDS_PER_HOUR : at
  const text = new Date(shifted).toISOString().replace('.000Z', 'Z')
  return times === 'offset' ? text.replace('Z', `-0${OFFSET_HOURS}:00`) : text
}

/** Returns an optional list under its name. */
export const toList = (
  name: string,
  items: readonly object[],
  { emptyLists }: Pick<Switches, 'emptyLists'>,
) => (items.length === 0 && emptyLists === 'omitted' ? {} : { [name]: items })

export const toMilesPerHour = (metersPerSecond: number) =>
  rounded((metersPerSecond * (MILLISECONDS_PER_HOUR / 1000)) / METERS_PER_MILE, 3)

export const toKilometersPerHour = (metersPerSecond: number) =>
  metersPerSecond * (MILLISECONDS_PER_HOUR / 1000 / 1000)

export const milesToKilometers = (miles: number) => (miles * METERS_PER_MILE) / 1000

export const toPlace = ({ latitude, longitude }: Place): Place => ({
  latitude: rounded(latitude, 6),
  longitude: rounded(longitude, 6),
})

/** Rounds a heading; 360 becomes 0. */
export const toHeading = (degrees: number) => Math.round(degrees) % 360

export const toFineHeading = (degrees: number) => rounded(degrees, 1) % 360

/** Returns an address that names the position: the world has no streets. */
export const toAddress = ({ latitude, longitude }: Place) =>
  `${Math.abs(Math.round(latitude * 1000)) % 9000} Milepost Rd, ${rounded(latitude, 2)} ${rounded(longitude, 2)}`

import type { Place } from '../world/truth.ts'
import type { Switches } from './behaviours.ts'

const METERS_PER_MILE = 1609.344
export const MILLISECONDS_PER_HOUR = 3_600_000
export const MILLISECONDS_PER_DAY = 86_400_000
const OFFSET_HOURS = 4

export function rounded(value: number, decimals: number): number {
  const factor = 10 ** decimals
  return Math.round(value * factor) / factor
}

/** Formats a time, depending on a switch with an offset. Milliseconds are omitted if they are 0. */
export function toTime(at: number, { times }: Pick<Switches, 'times'>): string {
  const shifted = times === 'offset' ? at - OFFSET_HOURS * MILLISECONDS_PER_HOUR : at
  const text = new Date(shifted).toISOString().replace('.000Z', 'Z')
  return times === 'offset' ? text.replace('Z', `-0${OFFSET_HOURS}:00`) : text
}

/** Returns an object with a list. Depending on a switch, an empty list is omitted. */
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

/** Returns an invented address that identifies the position. */
export const toAddress = ({ latitude, longitude }: Place) =>
  `${Math.abs(Math.round(latitude * 1000)) % 9000} Milepost Rd, ${rounded(latitude, 2)} ${rounded(longitude, 2)}`

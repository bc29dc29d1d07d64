import type { Point } from '../../../src/domain/models/point.ts'
import { dayBounds, instantOf, isDay } from '../vehicle/day-bounds.ts'

/** What the address of the page holds. */
export interface WhereSearch {
  /** Latitude and longitude, such as `30.2672,-97.7431`. */
  readonly place?: string
  /** In meters. */
  readonly radius?: number
  readonly day?: string
  /** Time since the start of the day, such as 14:00. */
  readonly time?: string
  /** Minutes before and after the time. */
  readonly minutes?: number
}

export const RADII: readonly number[] = [100, 250, 500, 1000, 2500, 5000]
export const MINUTES: readonly number[] = [5, 10, 30, 60, 180, 720]
export const DEFAULTS = { radius: 500, minutes: 10 }

/** Reads the search parameters of an address. Unknown and invalid ones are left out. */
export function whereSearch(parameters: Readonly<Record<string, unknown>>): WhereSearch {
  const { place, day, time } = parameters
  const radius = RADII.find((known) => known === parameters['radius'])
  const minutes = MINUTES.find((known) => known === parameters['minutes'])
  return {
    ...(typeof place === 'string' && placeOf(place) && { place }),
    ...(radius !== undefined && { radius }),
    ...(isDay(day) && { day }),
    ...(typeof time === 'string' && TIME.test(time) && { time }),
    ...(minutes !== undefined && { minutes }),
  }
}

const TIME = /^([01]\d|2[0-4]):[0-5]\d$/

/** Returns the place of a text such as `30.2672, -97.7431`; null if it is none. */
export function placeOf(text: string | undefined): Point | null {
  const parts = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text ?? '')
  if (!parts) return null
  const [latitude, longitude] = [Number(parts[1]), Number(parts[2])]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { longitude, latitude } : null
}

/** Writes a place to about a meter. */
export const placeText = ({ longitude, latitude }: Point): string =>
  `${latitude.toFixed(5)},${longitude.toFixed(5)}`

/** Question that an address asks. */
export interface WhereQuestion {
  readonly place: Point
  readonly radius: number
  readonly startAt: number
  readonly endAt: number
}

/** Returns the question of an address; null if it names no place or no time. */
export function questionOf(search: WhereSearch, today: string, zone: string): WhereQuestion | null {
  const place = placeOf(search.place)
  const at = search.time === undefined ? null : instantOf(search.time, dayBounds(search.day ?? today, zone))
  if (place === null || at === null) return null
  const around = (search.minutes ?? DEFAULTS.minutes) * 60_000
  return { place, radius: search.radius ?? DEFAULTS.radius, startAt: at - around, endAt: at + around }
}

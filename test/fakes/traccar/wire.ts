import { type Answer, ok } from '../kit/http.ts'
import type { Switches } from '../kit/behaviours.ts'
import type { behaviours } from './behaviours.ts'

export type TraccarSwitches = Switches<typeof behaviours>

const KNOTS_IN_METER_PER_SECOND = 3600 / 1852

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

export const toKnots = (metersPerSecond: number): number =>
  rounded(metersPerSecond * KNOTS_IN_METER_PER_SECOND, 4)
export const toDegrees = (degrees: number): number => rounded(degrees, 6)
export const toCourse = (degrees: number): number => rounded(degrees, 1) % 360
export const toMeters = (meters: number): number => Math.round(meters)
export const toPercent = (share: number): number => rounded(share * 100, 1)
export const toLiters = (liters: number): number => rounded(liters, 2)

/** Returns a time as a date, which `formatted` converts to the format of the server. */
export const toDate = (at: number): Date => new Date(at)

/** Applies the switches to a response: the format of times, and whether an unknown value is null or absent. */
export function formatted(value: unknown, switches: TraccarSwitches): unknown {
  if (value instanceof Date) {
    const offset = switches.is('timeFormat', 'colon') ? '+00:00' : '+0000'
    return value.toISOString().replace('Z', offset)
  }
  if (Array.isArray(value)) return value.map((each) => formatted(each, switches))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([, each]) => each !== null || switches.is('nulls', 'null'))
  return Object.fromEntries(kept.map(([name, each]) => [name, formatted(each, switches)]))
}

export const answerOf = (value: unknown, switches: TraccarSwitches): Answer => ok(formatted(value, switches))

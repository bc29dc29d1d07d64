import type { Place } from '../../world/truth.ts'
import { toPlace } from '../formats.ts'

/** Normalized record that an adapter should return. */
export type NormalizedRecord = Readonly<Record<string, unknown>>

export const toPoint = (place: Place) => {
  const { latitude, longitude } = toPlace(place)
  return { longitude, latitude }
}

const METERS = 1000
export const toKilometers = (meters: number) => meters / METERS

/** Returns the id of a record that has none at Samsara: its owner and its start. */
export const keyOf = (owner: string, at: number): string => `${owner}:${new Date(at).toISOString()}`

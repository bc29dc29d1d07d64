/** The words in which a reader is to tell what it read: names and units as the service stores them. */

import type { Place } from '../../world/truth.ts'
import { toPlace } from '../wording.ts'

export type Draft = Readonly<Record<string, unknown>>

export const toPoint = (place: Place) => {
  const { latitude, longitude } = toPlace(place)
  return { longitude, latitude }
}

const METERS = 1000
export const toKilometers = (meters: number) => meters / METERS

/** What has no id at Samsara is known by whose it is and when it began. */
export const keyOf = (owner: string, at: number): string => `${owner}:${new Date(at).toISOString()}`

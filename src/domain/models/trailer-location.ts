import type { Instant } from '../time.ts'
import { defineModel } from './define-model.ts'
import type { Point } from './point.ts'

export interface NormalizedTrailerLocation {
  readonly trailerSourceId: string
  readonly locatedAt: Instant
  readonly location: Point
  readonly address: string | null
  readonly headingDegrees: number | null
  readonly speedKph: number | null
}

export const latestTrailerLocationModel = defineModel<NormalizedTrailerLocation>()({
  name: 'LatestTrailerLocation',
  read: 'poll',
  types: ['LatestTrailerLocation'],
  queryFields: ['trailerLocations'],
  scope: 'locations:read',
  sessionScope: 'READ_TELEMETRY',
  owner: 'trailer',
  ranges: {},
  required: { locatedAt: true, location: true },
})

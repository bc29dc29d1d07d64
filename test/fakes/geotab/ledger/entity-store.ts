import type { Ms } from '../../world/truth.ts'
import type { Entity } from '../formats.ts'

/** Records of one type at the provider, in order of arrival. */
export interface EntityStore {
  /** Version of the last arrival. */
  readonly head: number
  /** Returns the version before the arrivals at or after a time. */
  before(at: Ms): number
  /** Returns current records with their version; superseded ones are left out. */
  after(version: number): Iterable<{ readonly version: number; readonly entity: Entity }>
  all(search: Search): Iterable<Entity>
}

/** Search parameters, by common names. */
export interface Search {
  readonly id?: string
  readonly device?: string
  readonly user?: string
  readonly rule?: string
  readonly diagnostic?: string
  readonly diagnostics?: readonly string[]
  readonly isDriver?: boolean
  readonly from?: Ms
  readonly to?: Ms
  readonly includeHourlyData?: boolean
  readonly includeBoundaries?: boolean
}

/** Versions and ids share a counter, which started before this fleet. */
export const FIRST_VERSION = 0x1000

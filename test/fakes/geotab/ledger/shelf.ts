import type { Ms } from '../../world/truth.ts'
import type { Entity } from '../words.ts'

/** What the provider knows of one type, in the order in which it came to know it. */
export interface Shelf {
  /** The version of what came last. */
  readonly head: number
  /** The version after which comes what arrived at a time and later. */
  before(at: Ms): number
  /** Each as it is now, with its version; what was superseded is not told again. */
  after(version: number): Iterable<{ readonly version: number; readonly entity: Entity }>
  all(search: Search): Iterable<Entity>
}

/** What is asked for, whatever the type calls it. */
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

/** Versions and ids come of one counter, which did not begin with this fleet. */
export const FIRST_VERSION = 0x1000

import type { Ms } from '../../world/truth.ts'
import type { Entity } from '../formats.ts'

/** Records of one type, in the order of their arrival at the provider. */
export interface EntityStore {
  /** Newest version. */
  readonly head: number
  /** Returns the newest version before a time. */
  before(at: Ms): number
  /** Returns the newest version of each record that changed after a version. */
  after(version: number): Iterable<{ readonly version: number; readonly entity: Entity }>
  all(search: Search): Iterable<Entity>
}

/** Parameters of a search. */
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

/** Versions and ids share a counter. Earlier numbers belong to other fleets. */
export const FIRST_VERSION = 0x1000

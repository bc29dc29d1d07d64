import type { Instant } from '../time.ts'

/**
 * Provider record with our names, units and enum values. Its ids are those of the provider (source ids); syncs
 * replace them by our ids. A field that the provider may omit is nullable.
 */
export interface NormalizedEntity {
  readonly sourceId: string
  /** Removal time that the provider reports. A record that is missing from a full list was also removed. */
  readonly deletedAt?: Instant | null
  readonly createdAt: Instant | null
  readonly updatedAt: Instant | null
}

/** License plate, or license of a driver, with the state that issued it. */
export interface NormalizedLicense {
  readonly state: string | null
  readonly number: string | null
}

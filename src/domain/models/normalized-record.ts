import type { Instant } from '../time.ts'

/**
 * Provider record with our names, units and enums, but with source ids. Sync replaces them with our ids. A
 * field that the provider may omit is nullable.
 */
export interface NormalizedEntity {
  readonly sourceId: string
  /** Removal time that the provider reports. Absence from a full list is the other sign of a removal. */
  readonly deletedAt?: Instant | null
  readonly createdAt: Instant | null
  readonly updatedAt: Instant | null
}

export interface NormalizedPlate {
  readonly state: string | null
  readonly number: string | null
}

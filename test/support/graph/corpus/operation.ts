import type { Party } from '../../factories.ts'

/** One operation of the corpus, and who asks. */
export interface Operation {
  readonly name: string
  readonly text: string
  readonly party: Party
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
  /** Several resolvers refuse for one place, and nothing says which of them is heard first. */
  readonly race?: boolean
  /** The one code of its errors; without it, it may fail only if its name says so. */
  readonly code?: string
}

/** Cursors that the lists of application A gave out, in their order. */
export interface Cursors {
  readonly vehicles: readonly string[]
  readonly trips: readonly string[]
  readonly syncs: readonly string[]
  readonly connections: readonly string[]
  readonly track: readonly string[]
  readonly hosLogs: readonly string[]
  readonly faultCodeEvents: readonly string[]
  readonly vehicleUtilization: readonly string[]
  readonly iftaSummary: readonly string[]
  readonly stats: readonly string[]
  readonly someStats: readonly string[]
  readonly path: readonly string[]
}

export type Case = readonly [name: string, text: string, more?: Omit<Partial<Operation>, 'name' | 'text'>]

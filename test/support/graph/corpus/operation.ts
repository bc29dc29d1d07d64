import type { ApiClient } from '../../factories.ts'

/** One operation of the corpus, with its caller. */
export interface Operation {
  readonly name: string
  readonly text: string
  readonly client: ApiClient
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
  /** Whether several resolvers fail for one position, in an undefined order. */
  readonly race?: boolean
  /** Code that all errors of the operation must have. Without it, an error is allowed only if the name announces it. */
  readonly code?: string
}

/** Cursors from the lists of application A, in list order. */
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

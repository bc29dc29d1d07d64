import type { Point } from './point.ts'
import type { CommonField, ValueRange } from './value-ranges.ts'

/** Maps the id of a record at the provider to our id. */
export type ResolveSourceId = (kind: 'vehicle' | 'driver' | 'group', sourceId: string | null) => string | null

/** Time before the last read that a sync reads again. */
export interface Depth {
  readonly ms: number
  /** Minimum time between two syncs that look back this far. Without it, every sync does. */
  readonly everyMs?: number
}

export type Owner = 'vehicle' | 'driver' | 'trailer'

/** Type of events in the log. */
export interface EventType {
  readonly description: string
  /** Other names of the type. A client that requests an alias receives events under this alias. */
  readonly aliases?: readonly string[]
  /** Only clients that name the type receive it: neither the default nor `*` includes it. */
  readonly optIn?: boolean
}

/** Names of the members that are numbers, in any variant of a record. */
type NumberFields<T> = T extends unknown
  ? { [K in keyof T]-?: number extends T[K] ? K : never }[keyof T]
  : never

/** Names of the numbers and locations that are never null. */
type RequiredFields<T> = T extends unknown
  ? {
      [K in keyof T]-?: number extends T[K]
        ? T[K] extends number
          ? K
          : never
        : T[K] extends Point
          ? K
          : never
    }[keyof T]
  : never

/** Everything that the service derives from a model. `Normalized` is the record that adapters produce. */
export interface ModelDeclaration<Normalized> {
  /** Name that `GET /providers` lists. */
  readonly name: string
  /**
   * How its records are read: stored by syncs, stored by polls as the latest state, or requested from the
   * provider for each query.
   */
  readonly read: 'sync' | 'poll' | 'query'
  /** Kind and prefix of its ids. Records without an id of their own have none. */
  readonly id?: { readonly kind: string; readonly prefix: string }
  /**
   * GraphQL type and table of its records, which `node(id:)` supports. If a model has several types, the
   * `protocol` of the row selects one.
   */
  readonly node?: {
    readonly typeName: string | Readonly<Record<string, string>>
    readonly table: string
  }
  /** Other GraphQL types with its data. */
  readonly types?: readonly string[]
  /** Root fields of the GraphQL API that read it. */
  readonly roots?: readonly string[]
  /** Scopes of keys and of sessions that may read it. */
  readonly scope: `${string}:read`
  readonly sessionScope: 'READ_FLEET' | 'READ_RECORDS' | 'READ_TELEMETRY'
  /** Data category that the link pages show to a fleet. Groups belong to none. */
  readonly share?: string
  /**
   * Kind of the record that this one is about; its member `<owner>SourceId` has the id. The filters of a
   * connection leave out the records of a hidden vehicle or driver.
   */
  readonly owner?: Owner
  /** Lookback depths of syncs. Records arrive late and change afterwards. */
  readonly lookback?: readonly Depth[]
  /** Additional history of the first sync, in ms. */
  readonly backfillMs?: number
  /** Event types by their part after the dot, the part before it, and the member of the detail. */
  readonly events?: {
    readonly prefix: string
    readonly member: string
    readonly types: Readonly<Record<string, EventType>>
    /** Members of a fictitious record in the format of `/tsp/v1`, besides id, source and time stamps. */
    readonly example: Readonly<Record<string, unknown>> & { readonly metadata?: object }
  }
  /** Ranges of the numbers whose names are not among the common ones. */
  readonly ranges: Readonly<Record<Exclude<NumberFields<Normalized>, CommonField>, ValueRange>>
  /** Numbers and locations that a record must have. A record without one of them is left out. */
  readonly required: Readonly<Record<RequiredFields<Normalized>, true>>
  /** Maps a record to the columns of its row. A change of any of them is a modification. */
  readonly columns?: (normalized: Normalized, resolveId: ResolveSourceId) => Readonly<Record<string, unknown>>
}

/** Returns the id of a fictitious record. */
export const exampleId = (prefix: string): string => `${prefix}_01J8ZQ4N5R8X2V6T3W1Y7K9M0P`

/** Declares a model. The member `record` is never set: its type is that of the records. */
export const defineModel =
  <Normalized>() =>
  <const Declaration extends ModelDeclaration<Normalized>>(
    declaration: Declaration,
  ): Declaration & { readonly record?: Normalized } =>
    declaration

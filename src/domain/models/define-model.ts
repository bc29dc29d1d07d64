import type { Point } from './point.ts'
import type { CommonField, ValueRange } from './value-ranges.ts'

/** Returns our id of a record, given its id at the provider; null for null. */
export type ResolveSourceId = (kind: 'vehicle' | 'driver' | 'group', sourceId: string | null) => string | null

/** Depth of a lookback: a sync also reads again this long before the end of the last read. */
export interface Depth {
  readonly ms: number
  /** Minimum time between two syncs that look back this far. Without it, every sync looks back this far. */
  readonly everyMs?: number
}

/** Kind of the record that a record is about. */
export type Owner = 'vehicle' | 'driver' | 'trailer'

/** Type of events in the event log. */
export interface EventType {
  readonly description: string
  /** Other names of the type. A client that requests an alias receives events under this alias. */
  readonly aliases?: readonly string[]
  /** Whether only clients that request the type by its name receive it. The default and `*` leave it out. */
  readonly optIn?: boolean
}

/** Names of the members that are numbers or null, in any variant of a record. */
type NumberFields<T> = T extends unknown
  ? { [K in keyof T]-?: number extends T[K] ? K : never }[keyof T]
  : never

/** Names of the numbers and points that are never null, in any variant of a record. */
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

/** Facts about a model, from which the service derives all code that depends on models. */
export interface ModelDeclaration<Normalized> {
  /** Name in `supportedModels` of `GET /providers`. */
  readonly name: string
  /**
   * How its records are read. `sync`: syncs store them. `poll`: polls store the latest state. `query`: each
   * GraphQL query requests them from the provider.
   */
  readonly read: 'sync' | 'poll' | 'query'
  /** Kind and prefix of its ids; absent if its records have no ids. */
  readonly id?: { readonly kind: string; readonly prefix: string }
  /**
   * GraphQL type and table of its records, if `node(id:)` supports them. If a model has several types, the `protocol`
   * of a row determines its type.
   */
  readonly node?: {
    readonly typeName: string | Readonly<Record<string, string>>
    readonly table: string
  }
  /** GraphQL types with its data, other than that of `node`. */
  readonly types?: readonly string[]
  /** Fields of GraphQL's `Query` that return its data. */
  readonly queryFields?: readonly string[]
  /** Scope that a key needs to read it. */
  readonly scope: `${string}:read`
  /** Scope that a session needs to read it. */
  readonly sessionScope: 'READ_FLEET' | 'READ_RECORDS' | 'READ_TELEMETRY'
  /** Data category that the link pages name when they ask a fleet for its consent; absent if they name none. */
  readonly consentCategory?: string
  /**
   * Kind of the record that each record is about. The member `<owner>SourceId` has its id. A connection whose
   * filters hide a vehicle or driver stores no records about it.
   */
  readonly owner?: Owner
  /** Lookback depths of syncs. They find records that reached the provider late, or changed after a read. */
  readonly lookback?: readonly Depth[]
  /** How much further into the past than requested a backfill reads this model. */
  readonly backfillMs?: number
  /** Event types about its records. */
  readonly events?: {
    /** Part of the type's name before the dot, such as `vehicle`. */
    readonly prefix: string
    /** Member of the event's detail that contains the record. */
    readonly member: string
    /** Event types by the part of the name after the dot, such as `added`. */
    readonly types: Readonly<Record<string, EventType>>
    /** Fictitious record for example events, in the format of `/tsp/v1`, without its ids and time stamps. */
    readonly example: Readonly<Record<string, unknown>> & { readonly metadata?: object }
  }
  /** Ranges of the record's numbers, except those in `commonRanges`. */
  readonly ranges: Readonly<Record<Exclude<NumberFields<Normalized>, CommonField>, ValueRange>>
  /** Numbers and points that a record must have. A record in which one is missing or impossible is rejected. */
  readonly required: Readonly<Record<RequiredFields<Normalized>, true>>
  /** Maps a record to the columns of its row. A record counts as modified if one of these columns changes. */
  readonly columns?: (normalized: Normalized, resolveId: ResolveSourceId) => Readonly<Record<string, unknown>>
}

/** Returns the id of a fictitious record, for example events. */
export const exampleId = (prefix: string): string => `${prefix}_01J8ZQ4N5R8X2V6T3W1Y7K9M0P`

/**
 * Declares a model. `Normalized` is the record that adapters produce. The member `record` only exists in the
 * type, from which `record-models.ts` derives the types of the records.
 */
export const defineModel =
  <Normalized>() =>
  <const Declaration extends ModelDeclaration<Normalized>>(
    declaration: Declaration,
  ): Declaration & { readonly record?: Normalized } =>
    declaration

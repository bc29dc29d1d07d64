import type { SyncedModel } from '../../../../src/domain/record-models.ts'
import type { LimiterFor } from '../../../../src/providers/rate-limit/rate-limiter.ts'
import type { ProviderAdapter, ProviderCredentials } from '../../../../src/providers/provider.ts'
import type { Clock } from '../../../../src/domain/time.ts'
import type { Fault } from '../../../fakes/kit/faults.ts'
import type { Dialect } from '../../../../src/storage/sql/dialect.ts'
import type { FakeOptions } from '../../../fakes/kit/start-fake.ts'
import type { Ending, ProviderFailure } from '../expected-endings.ts'

/**
 * An adapter, and the credentials for the fake of its provider. Tests compare its records with the truth of
 * the fake.
 */
export interface Subject {
  readonly provider: string
  /** Number of vehicles at which each model has a record. */
  readonly vehicles?: number
  /** Behaviours of the fake for a second read, each different from the default. */
  readonly behaviours?: Readonly<Record<string, string>>
  /** Creates the adapter. Without a limiter it does not wait. */
  adapter(url: string, clock: Clock, limiterFor?: LimiterFor): ProviderAdapter
  credentials(url: string): ProviderCredentials
}

/** An endpoint, or calls by their key. */
export type RequestMatcher = string | Pick<Fault, 'endpoint' | 'key'>

/** A subject that the real engine also syncs. */
export interface SyncedSubject extends Subject {
  readonly name: string
  /** Databases of its tests. One suffices for a subject, if all subjects together use both. */
  readonly databases: readonly Dialect[]
  /** The request for drivers, and a request that a sync repeats. */
  readonly drivers: RequestMatcher
  readonly repeatedRequest: RequestMatcher
  /** Model that the repeated request reads first. */
  readonly repeatedModel: SyncedModel
  /** Models that need drivers, in addition to drivers. */
  readonly needsDrivers?: readonly string[]
  /** Messages of a rate limit and an outage, if they are not the status. */
  readonly description?: { readonly limited: string; readonly down: string }
  /** Ending after a token expires during a sync. */
  readonly expired: Ending
  /** Failures that only this provider has. */
  readonly failures: readonly ProviderFailure[]
  /** Special fleets that must be read completely. */
  readonly fleets: readonly { readonly name: string; readonly options: FakeOptions }[]
  /** Members of a location that polling has and the location history has not. */
  readonly polledMembers?: readonly string[]
  /** Minimum number of calls that returns all data of a sync for this many vehicles. */
  minCalls(vehicles: number): number
}

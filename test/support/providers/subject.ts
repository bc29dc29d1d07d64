import type { SyncedModel } from '../../../src/domain/record-models.ts'
import type { LimiterFor } from '../../../src/providers/rate-limit/rate-limiter.ts'
import type { ProviderAdapter, ProviderCredentials } from '../../../src/providers/provider.ts'
import type { Clock } from '../../../src/domain/time.ts'
import type { Fault } from '../../fakes/kit/faults.ts'
import type { Dialect } from '../../../src/storage/sql/dialect.ts'
import type { FakeOptions } from '../../fakes/kit/start-fake.ts'
import type { Ending, ProviderFailure } from './expected-endings.ts'

/** An adapter, and how the fake of its provider is signed in to: what it reads is held against what is true. */
export interface Subject {
  readonly provider: string
  /** As many vehicles as it takes that each model has a record. */
  readonly vehicles?: number
  /** Where the switches of its fake stand when all is read once more, each as it does not usually stand. */
  readonly turned?: Readonly<Record<string, string>>
  /** Without turns it asks as fast as it can. */
  adapter(url: string, clock: Clock, turnsOf?: LimiterFor): ProviderAdapter
  credentials(url: string): ProviderCredentials
}

/** An endpoint, or whose calls of what. */
export type Asked = string | Pick<Fault, 'endpoint' | 'key'>

/** One that the real engine syncs too. */
export interface SyncedSubject extends Subject {
  readonly name: string
  /** Where what is read of it is stored: one of the two will do, as long as both have their turn. */
  readonly databases: readonly Dialect[]
  /** What tells of drivers alone, and what is asked many times. */
  readonly drivers: Asked
  readonly often: Asked
  /** What is read first of what is asked many times. */
  readonly oftenOf: SyncedModel
  /** What cannot be read without drivers, beside them. */
  readonly needsDrivers?: readonly string[]
  /** What is said of a limit and an outage, where that is not their status. */
  readonly says?: { readonly limited: string; readonly down: string }
  /** What a token that ends in the middle leads to. */
  readonly expired: Ending
  /** What only this provider does. */
  readonly troubles: readonly ProviderFailure[]
  /** Fleets of which something is special, of which all must be read all the same. */
  readonly fleets: readonly { readonly name: string; readonly options: FakeOptions }[]
  /** What polling tells of a place, and the history of places does not. */
  readonly pollingTells?: readonly string[]
  /** The fewest calls in which its API gives what a sync reads of so many vehicles. */
  fewestCalls(vehicles: number): number
}

import type { ProviderAdapter, ProviderCredentials } from '../../src/providers/provider.ts'
import type { Clock } from '../../src/time.ts'
import type { Fault } from '../fakes/kit/faults.ts'
import type { FakeOptions } from '../fakes/kit/start-fake.ts'

/** What is left when a sync has ended. */
export interface Ending {
  readonly sync: 'completed' | 'failed'
  readonly failureReason: string | null
  readonly connection: 'connected' | 'disconnected'
  /** The messages of the issues that are not resolved. */
  readonly issues: readonly string[]
}

export const whole: Ending = { sync: 'completed', failureReason: null, connection: 'connected', issues: [] }

export const failed = (failureReason: string): Ending => ({ ...whole, sync: 'failed', failureReason })

export const refused: Ending = {
  ...failed('The provider no longer accepts the credentials.'),
  connection: 'disconnected',
}

export const issue = (...issues: readonly string[]): Ending => ({ ...whole, issues })

/** What goes wrong, and what is left of it. */
export interface Trouble {
  readonly name: string
  readonly faults: readonly Fault[]
  /** How the fake behaves instead. */
  readonly behaves?: Readonly<Record<string, string>>
  readonly ends: Ending
}

/** An adapter that the real engine syncs with the fake of its provider: whoever adds a provider adds one. */
export interface Subject {
  readonly provider: string
  readonly name: string
  adapter(url: string, clock: Clock): ProviderAdapter
  credentials(url: string): ProviderCredentials
  /** An endpoint that tells of drivers alone, and one that is asked many times. */
  readonly drivers: string
  readonly often: string
  /** What a token that ends in the middle leads to. */
  readonly expired: Ending
  /** What only this provider does. */
  readonly troubles: readonly Trouble[]
  /** Fleets of which something is special, of which all must be read all the same. */
  readonly fleets: readonly { readonly name: string; readonly options: FakeOptions }[]
  /** The fewest calls in which its API gives what a sync reads of so many vehicles. */
  fewestCalls(vehicles: number): number
}

export const notPermitted = (model: string, provider: string): string =>
  `No ${model} records are read: ${provider} does not permit it to this account. Widen the permissions of its credentials there.`

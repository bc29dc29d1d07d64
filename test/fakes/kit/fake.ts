import type { Accounts } from './accounts.ts'
import type { FakeClock } from './clock.ts'
import type { Answer, Call, Route } from './http.ts'
import type { Limit } from './limits.ts'

/** What a fake is made from: what its options ask for. */
export interface Ground {
  readonly clock: FakeClock
  readonly accounts: Accounts
  /** What else stands on the command line, by name. */
  readonly settings: Readonly<Record<string, string>>
}

/** What makes it this provider and no other. */
export interface Fake {
  readonly routes: readonly Route[]
  /** How it refuses, in its own words. */
  refusal(status: number, call: Call): Answer
  /** Who calls, for counting: an account, or that nobody is known. */
  keyOf(call: Call): string
  /** The parameter that says which page is asked for; absent where lists are whole. */
  readonly pagedBy?: string
  /** What it permits of such calls; absent where it permits everything. */
  limitsOf?(call: Call, endpoint: string): readonly Limit[]
  readonly switches: { list(): object; set(positions: Readonly<Record<string, string>>): void }
  /** What a reader should come to, by the name of the model. */
  readonly truth: Readonly<Record<string, (account: number, from: number, to: number) => unknown>>
}

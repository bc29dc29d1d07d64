import type { Accounts } from './accounts.ts'
import type { FakeClock } from './clock.ts'
import type { Answer, Call, Route } from './http.ts'
import type { Limit } from './limits.ts'

/** What a fake is created with. */
export interface FakeContext {
  readonly clock: FakeClock
  readonly accounts: Accounts
  /** Provider-specific settings, by name. */
  readonly settings: Readonly<Record<string, string>>
}

/** Provider-specific parts of a fake. */
export interface Fake {
  readonly routes: readonly Route[]
  /** Returns an error response in the provider's format. */
  refusal(status: number, call: Call): Answer
  /** Returns the key by which calls of one caller are counted. */
  keyOf(call: Call): string
  /** Query parameter that selects a page; absent if lists have no pages. */
  readonly pagedBy?: string
  /** Returns the rate limits that count a call; absent if the provider has none. */
  limitsOf?(call: Call, endpoint: string): readonly Limit[]
  readonly switches: { list(): object; set(positions: Readonly<Record<string, string>>): void }
  /** Returns the records that an adapter should read from this fake, by model. */
  readonly truth: Readonly<Record<string, (account: number, from: number, to: number) => unknown>>
}

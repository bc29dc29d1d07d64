import type { Accounts } from './accounts.ts'
import type { FakeClock } from './clock.ts'
import type { Answer, Call, Route } from './http.ts'
import type { Limit } from './limits.ts'

/** Input of a fake, from its options. */
export interface Ground {
  readonly clock: FakeClock
  readonly accounts: Accounts
  /** Other command-line options, by name. */
  readonly settings: Readonly<Record<string, string>>
}

/** Provider-specific parts of a fake. */
export interface Fake {
  readonly routes: readonly Route[]
  /** Returns an error response in the provider's format. */
  refusal(status: number, call: Call): Answer
  /** Returns the key of the caller for counts: its account, or a key for unknown callers. */
  keyOf(call: Call): string
  /** Parameter that selects the page; absent if lists have no pages. */
  readonly pagedBy?: string
  /** Returns the rate limits of a call; absent if there are none. */
  limitsOf?(call: Call, endpoint: string): readonly Limit[]
  readonly switches: { list(): object; set(positions: Readonly<Record<string, string>>): void }
  /** Expected records of a reader, by model. */
  readonly truth: Readonly<Record<string, (account: number, from: number, to: number) => unknown>>
}

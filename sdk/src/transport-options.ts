import type { TransportSettings } from './transport.ts'
import { wait } from './backoff.ts'

/** Address of the service, timeout and retries. */
export interface TransportOptions {
  /** URL of the service, such as https://odograph.example.com. */
  readonly baseUrl: string
  /** Replaces the global fetch. */
  readonly fetch?: typeof fetch
  /** Timeout of one attempt; 30,000 by default. */
  readonly timeoutMs?: number
  /** Maximum number of retries of a call; 4 by default. 0 disables retries. */
  readonly retries?: number
  /**
   * Longest wait between two attempts; 60,000 by default. If the service demands a longer wait, the call fails at once.
   */
  readonly longestWaitMs?: number
  /** Replaces the function that waits between two attempts, for tests. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>
}

export const transportSettings = (options: TransportOptions): TransportSettings => ({
  fetch: options.fetch ?? ((...request) => fetch(...request)),
  timeoutMs: options.timeoutMs ?? 30_000,
  retries: options.retries ?? 4,
  longestWaitMs: options.longestWaitMs ?? 60_000,
  wait: options.wait ?? wait,
})

import type { TransportSettings } from './transport.ts'
import { wait } from './backoff.ts'

/** Where the service is, and how patient its caller. */
export interface TransportOptions {
  /** Where the service is, such as https://odograph.example.com. */
  readonly baseUrl: string
  /** In place of the fetch that there is. */
  readonly fetch?: typeof fetch
  /** How long one attempt may take; 30,000 unless told. */
  readonly timeoutMs?: number
  /** How often a call is made again; 4 times unless told, 0 is never. */
  readonly retries?: number
  /** The longest wait between two attempts; 60,000 unless told. */
  readonly longestWaitMs?: number
  /** In place of waiting, for tests. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>
}

export const transportSettings = (options: TransportOptions): TransportSettings => ({
  fetch: options.fetch ?? ((...request) => fetch(...request)),
  timeoutMs: options.timeoutMs ?? 30_000,
  retries: options.retries ?? 4,
  longestWaitMs: options.longestWaitMs ?? 60_000,
  wait: options.wait ?? wait,
})

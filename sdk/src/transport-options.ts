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

/** Returns the settings with their defaults. Throws a TypeError for a number that can only be a mistake. */
export const transportSettings = (options: TransportOptions): TransportSettings => ({
  fetch: options.fetch ?? ((...request) => fetch(...request)),
  timeoutMs: numberFrom(1, 'timeoutMs', options.timeoutMs ?? 30_000),
  retries: numberFrom(0, 'retries', options.retries ?? 4),
  longestWaitMs: numberFrom(0, 'longestWaitMs', options.longestWaitMs ?? 60_000),
  wait: options.wait ?? wait,
})

function numberFrom(minimum: number, name: string, value: number): number {
  if (typeof value === 'number' && value >= minimum) return value
  throw new TypeError(`\`${name}\` must be a number from ${minimum} up.`)
}

/** Returns the URL of the service without a slash at its end. Throws a TypeError if it is not one. */
export function serviceUrl(baseUrl: string): string {
  if (/^https?:\/\/[^/?#]+[^?#]*$/i.test(baseUrl)) return baseUrl.replace(/\/+$/, '')
  throw new TypeError('`baseUrl` must be the URL of the service, such as https://odograph.example.com.')
}

/** Returns a key or token. Throws a TypeError, without the value, if it has another form. */
export function credential(name: string, value: string, prefix: string): string {
  if (typeof value === 'string' && value.startsWith(prefix)) return value
  throw new TypeError(`\`${name}\` must begin with ${prefix}.`)
}

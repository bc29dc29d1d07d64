/** Delays between the attempts of a request. */

export interface RetryOptions {
  /** Maximum number of retries of a request; 4 by default. */
  readonly retries: number
  /** Longest wait; 60,000 by default. If the service demands a longer wait, the request fails at once. */
  readonly longestWaitMs: number
}

const FIRST_WAIT_MS = 1000

/**
 * Converts a Retry-After header (seconds or a date) to milliseconds from now. Returns null without a valid
 * value.
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000)
  // An HTTP date contains letters. Some JavaScript engines also parse texts without letters as dates.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/**
 * Returns the wait before the next attempt: the wait that the service demands, or exponential backoff with jitter.
 * Returns null if there is no next attempt: the retries are used up, or the service demands too long a wait.
 */
export function backoffMs(
  attempts: number,
  demandedMs: number | null,
  { retries, longestWaitMs }: RetryOptions,
): number | null {
  if (attempts > retries) return null
  if (demandedMs !== null) return demandedMs <= longestWaitMs ? demandedMs : null
  return withJitter(Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), longestWaitMs))
}

/** Shortens a wait by up to a half at random, so that callers do not retry at the same time. */
export const withJitter = (ms: number): number => ms * (1 - Math.random() / 2)

/** Resolves after a time. Rejects when the signal aborts. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      fail(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      done()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

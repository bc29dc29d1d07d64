/** How long to wait before a request is made again. */

export interface RetryOptions {
  /** How often a request is made again at most; 4 unless told. */
  readonly retries: number
  /** The longest wait, 60,000 unless told: who is asked to wait for longer gives up at once. */
  readonly longestWaitMs: number
}

const FIRST_WAIT_MS = 1000

/** What a Retry-After header says, a number of seconds or a date, as milliseconds from now; null where it says nothing. */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000)
  // Without letters it is no date, though some engines would read it as one.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** The wait after so many attempts: what was asked for, else a second that doubles, less up to a half by chance; null is to give up. */
export function backoffMs(
  attempts: number,
  askedMs: number | null,
  { retries, longestWaitMs }: RetryOptions,
): number | null {
  if (attempts > retries) return null
  if (askedMs !== null) return askedMs <= longestWaitMs ? askedMs : null
  return withJitter(Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), longestWaitMs))
}

/** Callers that failed together do not come again together. */
export const withJitter = (ms: number): number => ms * (1 - Math.random() / 2)

/** Resolves after a time; rejects as soon as the signal is given. */
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

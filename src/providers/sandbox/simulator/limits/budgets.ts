import { HttpError } from '../http-error.ts'

/** Enough for any number of keys in use; the one that was quiet the longest is forgotten first. */
const MAX_KEYS = 10_000

/** The times of what is still in the window, oldest first, and the most that there ever were. */
interface Count {
  times: number[]
  largest: number
}

interface Options {
  /** How long a window is. */
  readonly windowSeconds: number
  /** Requests that a key may make in any window; 0 for any number. */
  readonly accountBudget: number
  /** Requests that all keys may make in any window; 0 for any number. */
  readonly totalBudget: number
}

/** Counts requests by sliding windows, for each key and in all, and refuses those beyond the budgets. */
export function createBudgets(options: Options, nowMs: () => number = () => performance.now()) {
  const windowMs = options.windowSeconds * 1000
  const accounts = new Map<string, Count>()
  const all: Count = { times: [], largest: 0 }
  const served = { accounts: new Map<string, Count>(), all: { times: [], largest: 0 } as Count }
  let refused = 0

  return {
    spend(key: string): void {
      const now = nowMs()
      note(countOf(accounts, key), now, windowMs)
      note(all, now, windowMs)
      const own = countOf(served.accounts, key)
      const waits = [
        waitMs(own, options.accountBudget, now, windowMs),
        waitMs(served.all, options.totalBudget, now, windowMs),
      ]
      const wait = Math.max(...waits)
      if (wait > 0) {
        refused++
        throw tooMany(wait)
      }
      note(own, now, windowMs)
      note(served.all, now, windowMs)
    },

    /** The most requests of any window, refused ones too. */
    largest: () => ({
      windowSeconds: options.windowSeconds,
      all: all.largest,
      accounts: Object.fromEntries([...accounts].map(([key, { largest }]) => [key, largest])),
      refused,
    }),
  }
}

export type Budgets = ReturnType<typeof createBudgets>

function note(count: Count, now: number, windowMs: number): void {
  count.times.push(now)
  leave(count, now, windowMs)
  count.largest = Math.max(count.largest, count.times.length)
}

function leave({ times }: Count, now: number, windowMs: number): void {
  const over = times.findIndex((time) => time > now - windowMs)
  times.splice(0, over === -1 ? times.length : over)
}

function waitMs(count: Count, budget: number, now: number, windowMs: number): number {
  leave(count, now, windowMs)
  const oldest = count.times[0]
  if (budget === 0 || oldest === undefined || count.times.length < budget) return 0
  return oldest + windowMs - now
}

function tooMany(wait: number): HttpError {
  const seconds = Math.ceil(wait / 10) / 100
  return new HttpError(429, 'Too many requests', { 'Retry-After': seconds.toFixed(2) })
}

function countOf(counts: Map<string, Count>, key: string): Count {
  const count = counts.get(key) ?? { times: [], largest: 0 }
  counts.delete(key)
  counts.set(key, count)
  const [oldest] = counts.keys()
  if (counts.size > MAX_KEYS && oldest !== undefined) counts.delete(oldest)
  return count
}

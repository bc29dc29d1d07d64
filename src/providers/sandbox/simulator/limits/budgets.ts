import { HttpError } from '../http-error.ts'

/** Largest number of keys in memory. The least recently used is dropped first. */
const MAX_KEYS = 10_000

/** Times of the requests in the window, oldest first, and the largest count so far. */
interface WindowCount {
  times: number[]
  largest: number
}

interface Options {
  readonly windowSeconds: number
  /** Requests per key in any window; 0 for no limit. */
  readonly accountBudget: number
  /** Requests of all keys in any window; 0 for no limit. */
  readonly totalBudget: number
}

/** Counts requests in sliding windows, per key and in total. Refuses requests over the budgets. */
export function createBudgets(options: Options, nowMs: () => number = () => performance.now()) {
  const windowMs = options.windowSeconds * 1000
  const accounts = new Map<string, WindowCount>()
  const all: WindowCount = { times: [], largest: 0 }
  const served = { accounts: new Map<string, WindowCount>(), all: { times: [], largest: 0 } as WindowCount }
  let refused = 0

  return {
    spend(key: string): void {
      const now = nowMs()
      addRequest(countOf(accounts, key), now, windowMs)
      addRequest(all, now, windowMs)
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
      addRequest(own, now, windowMs)
      addRequest(served.all, now, windowMs)
    },

    /** Returns the largest counts of any window, including refused requests. */
    largest: () => ({
      windowSeconds: options.windowSeconds,
      all: all.largest,
      accounts: Object.fromEntries([...accounts].map(([key, { largest }]) => [key, largest])),
      refused,
    }),
  }
}

export type Budgets = ReturnType<typeof createBudgets>

function addRequest(count: WindowCount, now: number, windowMs: number): void {
  count.times.push(now)
  dropExpired(count, now, windowMs)
  count.largest = Math.max(count.largest, count.times.length)
}

function dropExpired({ times }: WindowCount, now: number, windowMs: number): void {
  const firstKept = times.findIndex((time) => time > now - windowMs)
  times.splice(0, firstKept === -1 ? times.length : firstKept)
}

function waitMs(count: WindowCount, budget: number, now: number, windowMs: number): number {
  dropExpired(count, now, windowMs)
  const oldest = count.times[0]
  if (budget === 0 || oldest === undefined || count.times.length < budget) return 0
  return oldest + windowMs - now
}

function tooMany(wait: number): HttpError {
  const seconds = Math.ceil(wait / 10) / 100
  return new HttpError(429, 'Too many requests', { 'Retry-After': seconds.toFixed(2) })
}

function countOf(counts: Map<string, WindowCount>, key: string): WindowCount {
  const count = counts.get(key) ?? { times: [], largest: 0 }
  counts.delete(key)
  counts.set(key, count)
  const [oldest] = counts.keys()
  if (counts.size > MAX_KEYS && oldest !== undefined) counts.delete(oldest)
  return count
}

import { HttpError } from '../http-error.ts'

/** Largest number of keys in memory. A further key replaces the least recently used one. */
const MAX_KEYS = 10_000

/** Sliding window of requests. */
interface RequestWindow {
  /** Times of the requests in the window, oldest first. */
  times: number[]
  /** Largest number of requests in the window so far. */
  peak: number
}

interface Options {
  readonly windowSeconds: number
  /** Number of requests of one key that a window allows; 0 for no limit. */
  readonly accountBudget: number
  /** Number of requests of all keys together that a window allows; 0 for no limit. */
  readonly totalBudget: number
}

/**
 * Counts requests in sliding windows, per key and in total. Refuses requests over the budgets. A refused request
 * uses no budget, but the peaks include it.
 */
export function createBudgets(options: Options, nowMs: () => number = () => performance.now()) {
  const windowMs = options.windowSeconds * 1000
  const sent = { accounts: new Map<string, RequestWindow>(), all: emptyWindow() }
  const accepted = { accounts: new Map<string, RequestWindow>(), all: emptyWindow() }
  let refused = 0

  return {
    spend(key: string): void {
      const now = nowMs()
      addRequest(windowOf(sent.accounts, key), now, windowMs)
      addRequest(sent.all, now, windowMs)
      const account = windowOf(accepted.accounts, key)
      const wait = Math.max(
        waitMs(account, options.accountBudget, now, windowMs),
        waitMs(accepted.all, options.totalBudget, now, windowMs),
      )
      if (wait > 0) {
        refused++
        throw tooMany(wait)
      }
      addRequest(account, now, windowMs)
      addRequest(accepted.all, now, windowMs)
    },

    /** Returns the largest number of requests in any window so far, refused ones included. */
    peaks: () => ({
      windowSeconds: options.windowSeconds,
      all: sent.all.peak,
      accounts: Object.fromEntries([...sent.accounts].map(([key, { peak }]) => [key, peak])),
      refused,
    }),
  }
}

export type Budgets = ReturnType<typeof createBudgets>

const emptyWindow = (): RequestWindow => ({ times: [], peak: 0 })

function addRequest(window: RequestWindow, now: number, windowMs: number): void {
  window.times.push(now)
  dropExpired(window, now, windowMs)
  window.peak = Math.max(window.peak, window.times.length)
}

function dropExpired({ times }: RequestWindow, now: number, windowMs: number): void {
  const firstKept = times.findIndex((time) => time > now - windowMs)
  times.splice(0, firstKept === -1 ? times.length : firstKept)
}

/** Returns the time until the window has room for another request; 0 if it has room now. */
function waitMs(window: RequestWindow, budget: number, now: number, windowMs: number): number {
  dropExpired(window, now, windowMs)
  const oldest = window.times[0]
  if (budget === 0 || oldest === undefined || window.times.length < budget) return 0
  return oldest + windowMs - now
}

function tooMany(waitMilliseconds: number): HttpError {
  const seconds = Math.ceil(waitMilliseconds / 10) / 100
  return new HttpError(429, 'Too many requests', { 'Retry-After': seconds.toFixed(2) })
}

/** Returns the window of a key, and moves it to the end of the map, where the most recently used one is. */
function windowOf(windows: Map<string, RequestWindow>, key: string): RequestWindow {
  const window = windows.get(key) ?? emptyWindow()
  windows.delete(key)
  windows.set(key, window)
  const [leastRecentlyUsed] = windows.keys()
  if (windows.size > MAX_KEYS && leastRecentlyUsed !== undefined) windows.delete(leastRecentlyUsed)
  return window
}

import { parseHttpDate } from '../../platform/outbound-http/http-date.ts'
import type { OutboundResult } from '../../platform/outbound-http/request.ts'
import type { Instant } from '../../domain/time.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Default retry delays in seconds: ten attempts within 75 h 35 min (the example of Standard Webhooks). */
export const RETRY_SECONDS: readonly number[] = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

const JITTER = 0.2
const MAX_WAIT_MS = 24 * HOUR * 1000

/** Meaning of a response: `delivered` (2xx), `gone` (410: the endpoint wants no more events), or `failed`. */
export type AttemptResult = 'delivered' | 'gone' | 'failed'

export function classifyAttempt(answer: OutboundResult): AttemptResult {
  if (answer.outcome !== 'answered') return 'failed'
  if (answer.statusCode === 410) return 'gone'
  return answer.statusCode >= 200 && answer.statusCode < 300 ? 'delivered' : 'failed'
}

export interface FailedAttempt {
  /** Number of attempts so far, including this one. */
  readonly attempts: number
  /** End of this attempt. */
  readonly at: Instant
  /** Retry schedule of the endpoint, in seconds; null for the default schedule. */
  readonly retrySeconds: readonly number[] | null
  /** `Retry-After` header of the response, not parsed. */
  readonly retryAfter?: string | undefined
}

/** Time of the next attempt. Null if the retry schedule is exhausted. */
export function nextAttemptAt(failed: FailedAttempt, random: () => number = Math.random): Instant | null {
  const seconds = (failed.retrySeconds ?? RETRY_SECONDS)[failed.attempts - 1]
  if (seconds === undefined) return null
  const jitter = 1 + JITTER * (2 * random() - 1)
  const wait = Math.round(seconds * 1000 * jitter)
  return failed.at + Math.max(wait, parseRetryAfterMs(failed.retryAfter, failed.at))
}

/** Delay in ms that `Retry-After` (seconds or a date) requests, a day at most; 0 if missing or invalid. */
export function parseRetryAfterMs(text: string | undefined, now: Instant): number {
  if (text === undefined) return 0
  const trimmed = text.trim()
  const wait = /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) * 1000 : msUntilDate(trimmed, now)
  return Math.ceil(Math.min(Math.max(wait, 0), MAX_WAIT_MS))
}

/** Time until an HTTP-date in ms; 0 if the text is none. */
function msUntilDate(text: string, now: Instant): number {
  const date = parseHttpDate(text)
  return Number.isNaN(date) ? 0 : date - now
}

/** From this number of consecutive failures on, the worker only probes the endpoint from time to time. */
const FAILURE_THRESHOLD = 20
/** A series of failures shorter than this may come from one broken connection: it gets the short pause. */
const BURST_MS = 10_000
const BURST_PAUSE_MS = 1000
const MIN_PAUSE_MS = 30_000
const MAX_PAUSE_MS = 30 * MINUTE * 1000

/** Delivery health of an endpoint, as far as the retry policy needs it. */
export interface HealthStats {
  readonly failures: number
  readonly failingSince: Instant | null
  readonly lastAttemptAt: Instant | null
}

export const isFailing = ({ failures }: Pick<HealthStats, 'failures'>): boolean =>
  failures >= FAILURE_THRESHOLD

/** Earliest time of a due retry to a failing endpoint; 0 if the endpoint is not failing. */
export const retryAllowedAt = (health: HealthStats): Instant =>
  isFailing(health) ? lastAttempt(health) + minPause(health) : 0

/**
 * Earliest time at which a failing endpoint gets a new event from the log; 0 if the endpoint is not failing.
 * The pause is a tenth of the time since the first failure, at least the pause of a retry and at most 30
 * minutes.
 */
export const probeAllowedAt = (health: HealthStats): Instant =>
  isFailing(health)
    ? lastAttempt(health) + Math.min(Math.max(failingDuration(health) / 10, minPause(health)), MAX_PAUSE_MS)
    : 0

const lastAttempt = ({ lastAttemptAt }: HealthStats): Instant => lastAttemptAt ?? 0

const failingDuration = (health: HealthStats): number =>
  lastAttempt(health) - (health.failingSince ?? lastAttempt(health))

const minPause = (health: HealthStats): number =>
  failingDuration(health) < BURST_MS ? BURST_PAUSE_MS : MIN_PAUSE_MS

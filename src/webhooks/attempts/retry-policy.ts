import type { OutboundResult } from '../../platform/outbound-http/outbound-http.ts'
import type { Instant } from '../../domain/time.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** The waits after each failed attempt, in seconds: ten attempts within 75 h 35 min (the example of Standard Webhooks). */
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

/** What an attempt means: the message has arrived, the endpoint wants nothing any more, or it is tried again. */
export type AttemptResult = 'delivered' | 'gone' | 'failed'

export function classifyAttempt(answer: OutboundResult): AttemptResult {
  if (answer.outcome !== 'answered') return 'failed'
  if (answer.statusCode === 410) return 'gone'
  return answer.statusCode >= 200 && answer.statusCode < 300 ? 'delivered' : 'failed'
}

export interface FailedAttempt {
  /** How many attempts there were, this one included. */
  readonly attempts: number
  /** When this one ended. */
  readonly at: Instant
  readonly retrySeconds: readonly number[] | null
  /** What the receiver asked for, in its own words. */
  readonly retryAfter?: string | undefined
}

/** When a message is sent again, or null where it has been sent often enough. */
export function nextAttemptAt(failed: FailedAttempt, random: () => number = Math.random): Instant | null {
  const seconds = (failed.retrySeconds ?? RETRY_SECONDS)[failed.attempts - 1]
  if (seconds === undefined) return null
  const jitter = 1 + JITTER * (2 * random() - 1)
  const wait = Math.round(seconds * 1000 * jitter)
  return failed.at + Math.max(wait, retryAfterMs(failed.retryAfter, failed.at))
}

/** How long a receiver asks to be left alone: seconds or a date, a day at most; 0 where it says nothing sensible. */
export function retryAfterMs(text: string | undefined, now: Instant): number {
  if (text === undefined) return 0
  const trimmed = text.trim()
  const wait = /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) * 1000 : untilDate(trimmed, now)
  return Math.ceil(Math.min(Math.max(wait, 0), MAX_WAIT_MS))
}

/** The three forms of an HTTP-date begin with the name of a day; what else `Date.parse` takes is no date here. */
function untilDate(text: string, now: Instant): number {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return 0
  const zoned = /(GMT|UTC)$/.test(text) ? text : `${text} GMT`
  const date = Date.parse(
    zoned.replace(/^([A-Z][a-z]+), (\d{2})-([A-Z][a-z]{2})-(\d{2}) /, '$1, $2 $3 20$4 '),
  )
  return Number.isNaN(date) ? 0 : date - now
}

/** So many failures in a row, and the endpoint is only tried from time to time. */
const FAILING_FROM = 20
/** They may be those of one broken connection: it is only left alone for long where it goes on for so long. */
const BURST_MS = 10_000
const BURST_PAUSE_MS = 1000
const MIN_PAUSE_MS = 30_000
const MAX_PAUSE_MS = 30 * MINUTE * 1000

/** How an endpoint has fared. */
export interface HealthStats {
  readonly failures: number
  readonly failingSince: Instant | null
  readonly lastAttemptAt: Instant | null
}

export const isFailing = ({ failures }: Pick<HealthStats, 'failures'>): boolean => failures >= FAILING_FROM

/** From when on a failing endpoint may be sent a message whose time has come. */
export const retryAllowedAt = (health: HealthStats): Instant =>
  isFailing(health) ? lastOf(health) + leastPause(health) : 0

/** From when on it may be sent one more of the log: the longer it has been failing, the more seldom. */
export const probeAllowedAt = (health: HealthStats): Instant =>
  isFailing(health)
    ? lastOf(health) + Math.min(Math.max(failingFor(health) / 10, leastPause(health)), MAX_PAUSE_MS)
    : 0

const lastOf = ({ lastAttemptAt }: HealthStats): Instant => lastAttemptAt ?? 0

const failingFor = (health: HealthStats): number => lastOf(health) - (health.failingSince ?? lastOf(health))

const leastPause = (health: HealthStats): number =>
  failingFor(health) < BURST_MS ? BURST_PAUSE_MS : MIN_PAUSE_MS

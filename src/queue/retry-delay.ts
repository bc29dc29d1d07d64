import type { JobPolicy } from './jobs.ts'

const MAX_DELAY_MS = 24 * 60 * 60 * 1_000
const JITTER = 0.2

/**
 * Returns the delay in ms between a failed attempt and the next one; undefined if there is no next attempt.
 * `retryAfterMs` of the error takes precedence over the backoff. The backoff is
 * `backoffMs * 2^(attempt - 1)` with a jitter of 20 % either way. The maximum is a day.
 */
export function retryDelayMs(policy: JobPolicy, attempt: number, error: unknown): number | undefined {
  if (attempt >= policy.attempts || isUnrecoverable(error)) return undefined
  const delayMs = retryAfterMs(error) ?? jittered(policy.backoffMs * 2 ** (attempt - 1))
  return Math.round(Math.min(Math.max(delayMs, 0), MAX_DELAY_MS))
}

export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown })
}

function jittered(delayMs: number): number {
  return delayMs * (1 - JITTER + Math.random() * 2 * JITTER)
}

function isUnrecoverable(error: unknown): boolean {
  return isObject(error) && 'unrecoverable' in error && error.unrecoverable === true
}

function retryAfterMs(error: unknown): number | undefined {
  if (!isObject(error) || !('retryAfterMs' in error)) return undefined
  const { retryAfterMs: value } = error
  return typeof value === 'number' && !Number.isNaN(value) ? value : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

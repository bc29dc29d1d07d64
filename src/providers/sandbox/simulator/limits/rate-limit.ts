import { HttpError } from '../http-error.ts'

/** Largest number of keys in memory. A further key replaces the least recently used one. */
const MAX_KEYS = 10_000

interface Bucket {
  tokens: number
  filledMs: number
}

/**
 * Creates a token bucket for each key. A bucket holds the tokens of one second, and at least one. A refused
 * caller gets the wait time in Retry-After.
 */
export function createRateLimit(perSecond: number, nowMs: () => number = () => performance.now()) {
  const buckets = new Map<string, Bucket>()
  const capacity = Math.max(1, perSecond)

  return function spend(key: string): void {
    const now = nowMs()
    const bucket = buckets.get(key) ?? { tokens: capacity, filledMs: now }
    bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.filledMs) * perSecond) / 1000)
    bucket.filledMs = now
    markUsed(buckets, key, bucket)
    if (bucket.tokens < 1) throw tooMany((1 - bucket.tokens) / perSecond)
    bucket.tokens--
  }
}

function tooMany(waitSeconds: number): HttpError {
  const seconds = Math.ceil(waitSeconds * 100) / 100
  return new HttpError(429, 'Too many requests', { 'Retry-After': seconds.toFixed(2) })
}

function markUsed(buckets: Map<string, Bucket>, key: string, bucket: Bucket) {
  buckets.delete(key)
  buckets.set(key, bucket)
  if (buckets.size <= MAX_KEYS) return
  const [oldest] = buckets.keys()
  if (oldest !== undefined) buckets.delete(oldest)
}

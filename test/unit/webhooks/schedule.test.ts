import { describe, expect, test } from 'vitest'
import type { OutboundResult } from '../../../src/platform/outbound-http/request.ts'
import {
  probeAllowedAt,
  retryAllowedAt,
  nextAttemptAt,
  RETRY_SECONDS,
  parseRetryAfterMs,
  classifyAttempt,
} from '../../../src/webhooks/attempts/retry-policy.ts'
import { DeliveryRateLimiter } from '../../../src/webhooks/worker/rate-limiter.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 2, 1, 12)
const answered = (statusCode: number): OutboundResult => ({
  outcome: 'answered',
  statusCode,
  headers: {},
  body: '',
  durationMs: 1,
})
const middle = () => 0.5

describe('the retry schedule', () => {
  test('has ten attempts within 75 h 35 min 5 s, at growing intervals', () => {
    let at = 0
    const waits: number[] = []
    for (let attempts = 1; ; attempts++) {
      const next = nextAttemptAt({ attempts, at, retrySeconds: null }, middle)
      if (next === null) break
      waits.push((next - at) / 1000)
      at = next
    }
    expect(waits).toEqual([5, 300, 1800, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3600)])
    expect(at / 1000).toBe(75 * 3600 + 35 * 60 + 5)
  })

  test('adds jitter of at most a fifth in both directions', () => {
    for (const [index, seconds] of RETRY_SECONDS.entries())
      for (const [random, factor] of [
        [0, 0.8],
        [0.999_999_999, 1.2],
      ] as const) {
        const at = nextAttemptAt({ attempts: index + 1, at: NOW, retrySeconds: null }, () => random)
        expect(at).toBe(NOW + Math.round(seconds * 1000 * factor))
      }
  })

  test('can be set for an endpoint', () => {
    const own = { at: NOW, retrySeconds: [7] }
    expect(nextAttemptAt({ attempts: 1, ...own }, middle)).toBe(NOW + 7000)
    expect(nextAttemptAt({ attempts: 2, ...own }, middle)).toBeNull()
  })

  test.each([
    ['120', 120_000],
    ['0.62', 620],
    ['0', 0],
    ['-5', 0],
    ['soon', 0],
    ['', 0],
    ['12 minutes', 0],
    ['2026-03-01T13:00:00Z', 0],
    ['99999999999', 24 * HOUR],
    ['Sun, 01 Mar 2026 13:00:00 GMT', HOUR],
    ['Sunday, 01-Mar-26 13:00:00 GMT', HOUR],
    ['Sun Mar  1 13:00:00 2026', HOUR],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Tue, 01 Mar 2036 13:00:00 GMT', 24 * HOUR],
  ])('parses Retry-After: %s as %i ms', (text, ms) => {
    expect(parseRetryAfterMs(text, NOW)).toBe(ms)
  })

  test('is delayed by Retry-After, and never brought forward', () => {
    const failed = { attempts: 1, at: NOW, retrySeconds: null }
    expect(nextAttemptAt({ ...failed, retryAfter: '60' }, middle)).toBe(NOW + 60_000)
    expect(nextAttemptAt({ ...failed, attempts: 2, retryAfter: '60' }, middle)).toBe(NOW + 300_000)
  })

  test('classifies every status: 2xx delivered, 410 gone, others failed', () => {
    for (let status = 100; status <= 599; status++) {
      const expected = status === 410 ? 'gone' : status >= 200 && status < 300 ? 'delivered' : 'failed'
      expect([status, classifyAttempt(answered(status))]).toEqual([status, expected])
    }
    expect(classifyAttempt({ outcome: 'timed_out', error: '', durationMs: 1 })).toBe('failed')
  })
})

describe('a failing endpoint', () => {
  const failing = { failures: 20, failingSince: NOW - 10_000, lastAttemptAt: NOW }

  test('has no pause until its twentieth consecutive failure', () => {
    const before = { ...failing, failures: 19 }
    expect([retryAllowedAt(before), probeAllowedAt(before)]).toEqual([0, 0])
  })

  test('gets retries every 30 s at most, and new events less often the longer it fails', () => {
    expect([retryAllowedAt(failing), probeAllowedAt(failing)]).toEqual([NOW + 30_000, NOW + 30_000])
    const probed = (after: number) =>
      probeAllowedAt({ ...failing, failingSince: NOW, lastAttemptAt: NOW + after }) - NOW
    expect([probed(HOUR), probed(90 * HOUR)]).toEqual([HOUR + HOUR / 10, 90 * HOUR + HOUR / 2])
  })

  test('has a pause of one second during the first ten seconds of failures', () => {
    const burst = { ...failing, failingSince: NOW - 9999 }
    expect([retryAllowedAt(burst), probeAllowedAt(burst)]).toEqual([NOW + 1000, NOW + 1000])
  })
})

describe('the rate limiter', () => {
  test('limits the permits per second, and does not accumulate unused ones', () => {
    const limiter = new DeliveryRateLimiter(4)
    const starts = [0, 0, 0, 0, 10_000, 10_000].map((now) => now + limiter.take(now))
    expect(starts).toEqual([0, 250, 500, 750, 10_000, 10_250])
  })

  test('does not wait without a rate', () => {
    expect(new DeliveryRateLimiter(null).take(5)).toBe(0)
  })
})

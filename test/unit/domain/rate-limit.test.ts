import fc from 'fast-check'
import { expect, test } from 'vitest'
import { REFILL_MS, toRetryAfterSeconds } from '../../../src/domain/rate-limit.ts'
import type { Bucket } from '../../../src/gateway/rate-limit/bucket.ts'
import { RateLimitStore } from '../../../src/gateway/rate-limit/rate-limit-store.ts'

const bucketOf = (pointsPerMinute: number, id = 'app_1'): Bucket => ({
  kind: 'application',
  id,
  applicationId: 'app_1',
  pointsPerMinute,
})

/** Requests: the pause before each, and its points. Some need more points than the bucket holds. */
const requests = fc.array(
  fc.record({
    pauseMs: fc.integer({ min: 0, max: 20_000 }),
    points: fc.integer({ min: 1, max: 3_000 }),
  }),
  { maxLength: 60 },
)
const rates = fc.integer({ min: 100, max: 2_000 })

async function storeAt(clock: { ms: number }) {
  const store = new RateLimitStore(null, () => clock.ms)
  return async (bucket: Bucket, points: number) => store.take([bucket], points)
}

test('a refused request is accepted after Retry-After', async () => {
  await fc.assert(
    fc.asyncProperty(requests, rates, async (sent, rate) => {
      const clock = { ms: 1000 }
      const take = await storeAt(clock)
      for (const { pauseMs, points } of sent) {
        clock.ms += pauseMs
        const { waitMs } = await take(bucketOf(rate), points)
        if (waitMs === 0) continue
        clock.ms += toRetryAfterSeconds(waitMs) * 1000
        expect((await take(bucketOf(rate), points)).waitMs).toBe(0)
      }
    }),
  )
})

test('accepted points never exceed the burst and the rate, beyond one request larger than the bucket', async () => {
  await fc.assert(
    fc.asyncProperty(requests, rates, async (sent, rate) => {
      const clock = { ms: 1000 }
      const take = await storeAt(clock)
      let accepted = 0
      for (const { pauseMs, points } of sent) {
        clock.ms += pauseMs
        const before = accepted
        if ((await take(bucketOf(rate), points)).waitMs > 0) continue
        accepted += points
        const allowed = rate + ((clock.ms - 1000) * rate) / REFILL_MS
        const largest = Math.max(0, points - rate)
        expect(accepted - allowed).toBeLessThanOrEqual(largest + 1e-6)
        expect(before).toBeLessThanOrEqual(allowed + 1e-6)
      }
    }),
  )
})

test('a request takes from all of its buckets or from none', () => {
  const store = new RateLimitStore(null, () => 0)
  const [wide, narrow] = [bucketOf(1000, 'app_wide'), bucketOf(100, 'app_narrow')]
  store.take([narrow], 100)
  expect(store.take([wide, narrow], 100)).toMatchObject({ waitMs: 60_000 })
  expect(store.take([wide], 1000)).toMatchObject({ waitMs: 0 })
})

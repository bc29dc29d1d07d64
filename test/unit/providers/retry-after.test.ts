import { expect, test } from 'vitest'
import { toRetryAfterMs } from '../../../src/providers/http/http-response.ts'

const NOW = Date.parse('2026-06-15T18:00:00.000Z')

test.each([
  ['0.40235', 402.35],
  ['58', 58_000],
  [' 2 ', 2000],
  ['0', 0],
  ['Mon, 15 Jun 2026 18:00:07 GMT', 7000],
  ['Mon, 15 Jun 2026 17:59:00 GMT', 0],
  ['Monday, 15-Jun-26 18:00:07 GMT', 7000],
  ['Mon Jun 15 18:00:07 2026', 7000],
  ['86400', 3_600_000],
  ['99999999999999999999999999', 3_600_000],
  ['1e300', 3_600_000],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 3_600_000],
  ['-1', undefined],
  ['', undefined],
  [' ', undefined],
  ['soon', undefined],
  ['soon 3', undefined],
  ['Infinity', undefined],
  [null, undefined],
])('a Retry-After header of %j is a wait of %j ms', (header, waitMs) => {
  const parsed = toRetryAfterMs(header, NOW)
  expect(parsed === undefined ? undefined : Number(parsed.toFixed(3))).toBe(waitMs)
})

import { expect, test } from 'vitest'
import { countersOf } from '../../../../src/providers/rate-limit/rate-limit.ts'
import { rateLimits, endpointOf } from '../../../../src/providers/geotab/rate-limits.ts'

const requestOf = (body: object) => ({ method: 'POST', path: '/apiv1', body: JSON.stringify(body) })

test.each([
  [{ method: 'GetFeed', params: { typeName: 'Trip' } }, 'GetFeed Trip', 60],
  [{ method: 'Get', params: { typeName: 'Device' } }, 'Get Device', 500],
  [
    { method: 'ExecuteMultiCall', params: { calls: [{ method: 'Get', params: { typeName: 'LogRecord' } }] } },
    'ExecuteMultiCall LogRecord',
    8,
  ],
])('%j is counted as %s', (body, endpoint, requests) => {
  expect(endpointOf(requestOf(body))).toBe(endpoint)
  expect(countersOf(rateLimits, 'account', endpoint)).toMatchObject([{ requests }])
})

test('each method of each type has its own counter', () => {
  const keys = ['GetFeed Trip', 'GetFeed LogRecord', 'Get Trip', 'Get LogRecord'].flatMap((endpoint) =>
    countersOf(rateLimits, 'account', endpoint).map(({ key }) => key),
  )
  expect(new Set(keys).size).toBe(4)
})

test.each([null, 'no JSON', '[]'])('a request with the body %j is counted by its path', (body) => {
  expect(endpointOf({ method: 'POST', path: '/apiv1', body })).toBe('POST /apiv1')
})

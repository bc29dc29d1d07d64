import { describe, expect, test } from 'vitest'
import { callGeotab, refusalOf, resultOf } from '../../../fakes/geotab/caller.ts'
import { MINUTE } from '../../../fakes/geotab/times.ts'

const errorTypeOf = (reply: Parameters<typeof refusalOf>[0]) => refusalOf(reply).errors?.[0]?.['name']

describe('limits', () => {
  test('are reported and enforced for each method, type and user', () => {
    const caller = callGeotab({ hasRateLimits: true })
    const credentials = caller.credentials()
    const feed = (typeName: string) => caller.post('GetFeed', { typeName, credentials })
    const first = feed('Trip')
    expect(first.headers).toMatchObject({ 'x-rate-limit-limit': '1m', 'x-rate-limit-remaining': '59' })
    expect(first.headers['x-rate-limit-reset']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/)
    for (let call = 1; call < 60; call++) resultOf(feed('Trip'))
    caller.passRealTime(2_500)
    expect(errorTypeOf(feed('Trip'))).toBe('OverLimitException')
    expect(feed('Trip')).toMatchObject({ status: 200, headers: { 'retry-after': '58' } })
    resultOf(feed('LogRecord'))
    caller.geotab.setSwitches({ overLimit: '429' })
    expect(feed('Trip').status).toBe(429)
    caller.passRealTime(MINUTE)
    resultOf(feed('Trip'))
  })

  test('allow ten sign-ins a minute', () => {
    const caller = callGeotab({ hasRateLimits: true })
    for (let call = 1; call < 10; call++) resultOf(caller.post('Authenticate', caller.signIn))
    expect(errorTypeOf(caller.post('Authenticate', caller.signIn))).toBe('OverLimitException')
    const other = { ...caller.signIn, userName: 'other@fleet.example' }
    expect(errorTypeOf(caller.post('Authenticate', other))).toBe('InvalidUserException')
  })

  test('count each call of a multi-call, or the multi-call once', () => {
    const remaining = (multiCallSpends: 'each' | 'once') => {
      const caller = callGeotab({ hasRateLimits: true, switches: { multiCallSpends } })
      const calls = Array.from({ length: 30 }, () => ({ method: 'Get', params: { typeName: 'Group' } }))
      resultOf(caller.post('ExecuteMultiCall', { calls, credentials: caller.credentials() }))
      const reply = caller.post('Get', { typeName: 'Group', credentials: caller.credentials() })
      return reply.headers['x-rate-limit-remaining']
    }
    expect(remaining('each')).toBe('1169')
    expect(remaining('once')).toBe('1199')
  })
})

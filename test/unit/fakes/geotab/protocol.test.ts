import { describe, expect, test } from 'vitest'
import { callGeotab, refusalOf, resultOf } from '../../../fakes/geotab/caller.ts'
import { DAY } from '../../../fakes/geotab/times.ts'

const typeOf = (reply: Parameters<typeof refusalOf>[0]) => refusalOf(reply).errors?.[0]?.['name']

describe('signing in', () => {
  test('returns this server, or the host for all later calls', () => {
    const caller = callGeotab()
    const path = () => resultOf<{ path: string }>(caller.post('Authenticate', caller.signIn)).path
    expect(path()).toBe('ThisServer')
    caller.geotab.setSwitches({ path: 'another' })
    expect(path()).toBe('my112.geotab.com')
    const params = { typeName: 'Group', credentials: caller.credentials() }
    expect(refusalOf(caller.post('Get', params)).message).toContain('UnknownDatabase')
    expect(resultOf<object[]>(caller.post('Get', params, 'second')).length).toBeGreaterThan(1)
  })

  test('fails the same way for a wrong password, a barred user, an expired session and a missing one', () => {
    const caller = callGeotab()
    const get = () => caller.post('Get', { typeName: 'Group', credentials: caller.credentials() })
    expect(typeOf(caller.post('Authenticate', { ...caller.signIn, password: 'no' }))).toBe(
      'InvalidUserException',
    )
    expect(caller.post('Authenticate', { ...caller.signIn, password: 'no' }).status).toBe(200)
    caller.move(14 * DAY)
    expect(typeOf(get())).toBe('InvalidUserException')
    caller.signInAgain()
    expect(get().status).toBe(200)
    caller.geotab.sessions.disable(caller.signIn.database, caller.signIn.userName)
    expect(typeOf(get())).toBe('InvalidUserException')
    expect(typeOf(caller.post('Authenticate', caller.signIn))).toBe('InvalidUserException')
    expect(typeOf(caller.post('Get', { typeName: 'Group' }))).toBe('InvalidUserException')
  })

  test('starts a session that can be extended by its full lifetime', () => {
    const caller = callGeotab()
    caller.move(13 * DAY)
    caller.call('ExtendSession', {})
    caller.move(13 * DAY)
    expect(caller.get('Group').length).toBeGreaterThan(0)
  })

  test('reports an unknown database', () => {
    const caller = callGeotab()
    const reply = caller.post('Authenticate', { ...caller.signIn, database: 'nobody' })
    expect(typeOf(reply)).toBe('DbUnavailableException')
    expect(refusalOf(reply).message).toContain('UnknownDatabase')
  })
})

describe('refusals', () => {
  test('cover invalid JSON, unknown methods and unknown types', () => {
    const caller = callGeotab()
    const credentials = caller.credentials()
    expect(refusalOf(caller.geotab.answer('{'))).toMatchObject({
      code: -32700,
      data: { type: 'JsonSerializerException' },
    })
    expect(typeOf(caller.post('Geet', { credentials }))).toBe('MissingMethodException')
    expect(typeOf(caller.post('Get', { typeName: 'toString', credentials }))).toBe('MissingMethodException')
    expect(typeOf(caller.post('GetFeed', { typeName: 'Group', credentials }))).toBe('ArgumentException')
  })

  test('of one call fail the whole multi-call and name its index', () => {
    const caller = callGeotab()
    const calls = ['Device', 'User', 'Nothing', 'Group'].map((typeName) => ({
      method: 'GetCountOf',
      params: { typeName },
    }))
    const reply = caller.post('ExecuteMultiCall', { calls, credentials: caller.credentials() })
    expect(refusalOf(reply).data).toMatchObject({ type: 'MissingMethodException', requestIndex: 2 })
    const results = caller.call<number[]>('ExecuteMultiCall', { calls: calls.slice(0, 2) })
    expect(results).toEqual([caller.get('Device').length, caller.get('User').length])
  })
})

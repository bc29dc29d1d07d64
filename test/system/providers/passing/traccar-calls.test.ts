import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dialects } from '../../../support/factories.ts'
import { PassthroughHarness } from '../../../support/providers/passthrough/passthrough-harness.ts'

describe.each(dialects)('a passthrough call to Traccar, on %s', (dialect) => {
  let traccar: PassthroughHarness

  beforeAll(async () => void (traccar = await PassthroughHarness.start('traccar', dialect)))
  afterAll(() => traccar[Symbol.asyncDispose]())
  beforeEach(() => traccar.forget())

  test.each([
    ['POST', '/session/token'],
    ['POST', '/session/token?expiration=2099-01-01T00:00:00Z'],
    ['POST', '/session/token/'],
    ['POST', '/session/token/revoke'],
    ['POST', '/session'],
    ['GET', '/session'],
    ['GET', '/session/'],
    ['GET', '/session?token=another'],
    ['GET', '/session/7'],
    ['DELETE', '/session'],
    ['POST', '/Session/TOKEN'],
    ['POST', '/%73ession/token'],
    ['POST', '/%2573ession/token'],
    ['POST', '/session%2Ftoken'],
    ['POST', '/devices/%5Csession%5Ctoken'],
    ['POST', '/devices//session//token'],
    ['POST', '/devices/%252e%252e/session/token'],
    ['POST', '/session;v=1/token'],
    ['POST', '/session%3Bv=1/token'],
    ['POST', '/session%3Fa/token'],
    ['POST', '/session./token'],
    ['POST', '/session%20/token'],
    ['POST', '/session%00/token'],
    ['POST', '/session%00.txt/token'],
    ['GET', '/session.json'],
    ['POST', '/%E0%A4%A/token'],
    ['POST', '/share/device'],
    ['POST', '/devices/share'],
    ['POST', '/share/group'],
    ['POST', '/password/update'],
  ])('is refused if it can sign a user in: %s %s', async (method, path) => {
    expect(await traccar.pass(method, path)).toMatchObject({
      payload: null,
      code: 'UNPROCESSABLE_ENTITY',
      message: expect.stringContaining('/session'),
    })
    expect(traccar.heard).toEqual([])
  })

  const user = { id: 10, name: 'Ann Lee', email: 'ann@fleet.example' }

  test.each<[string, string, string]>([
    ['PUT', '/users/10', JSON.stringify({ ...user, password: 'another' })],
    ['PUT', '/users/10', '{"id": 10, "passw\\u006frd": "another"}'],
    ['PUT', '/USERS/10/', JSON.stringify({ ...user, Password: 'another' })],
    ['PUT', '/%75sers/10', JSON.stringify({ ...user, token: 'another-token' })],
    ['PUT', '/users;a=b/10', JSON.stringify({ ...user, totpKey: 'ABC' })],
    ['POST', '/users', JSON.stringify({ name: 'Bob', email: 'bob@fleet.example', password: 'theirs' })],
    ['POST', '/users', JSON.stringify([{ ...user, password: 'another' }])],
    ['POST', '/users', '{"id": 10, /* theirs */ "password": "another"}'],
    ['PUT', '/users/10?password=another', JSON.stringify(user)],
    ['PUT', '/users/10', JSON.stringify({ user: { ...user, password: 'another' } })],
    ['POST', '/users', [...'{"password":"another"}'].join('\0')],
  ])('is refused if it can set a password: %s %s %s', async (method, path, body) => {
    expect(await traccar.pass(method, path, body)).toMatchObject({
      payload: null,
      code: 'UNPROCESSABLE_ENTITY',
      message: expect.stringContaining('password'),
    })
    expect(traccar.heard).toEqual([])
  })

  test.each<[string, string, string | null]>([
    ['PUT', '/users/10', JSON.stringify({ ...user, phone: '+1 555 0100' })],
    ['DELETE', '/users/11', null],
    ['GET', '/users', null],
    ['POST', '/devices', JSON.stringify({ name: 'Truck', uniqueId: '1', attributes: { password: 'x' } })],
    ['GET', '/devices?uniqueId=session', null],
    ['GET', '/reports/trips?deviceId=1&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z', null],
  ])('is sent if it does neither: %s %s', async (method, path, body) => {
    expect(await traccar.pass(method, path, body)).toMatchObject({ code: null })
    expect(traccar.heard.map((one) => [one.method, one.url, one.body])).toEqual([
      [method, `/api${path}`, body ?? ''],
    ])
  })
})

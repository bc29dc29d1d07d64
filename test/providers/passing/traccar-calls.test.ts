import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ProviderAdapter } from '../../../src/providers/provider.ts'
import { ConnectionsRig, type Linked } from '../../connections/rig.ts'
import { dialects, NOON } from '../../factories.ts'
import { type RunningFake, startFake } from '../../fakes/kit/start-fake.ts'
import { type Recorder, startRecorder } from './recorder.ts'
import { subjects } from './subjects.ts'

const traccar = subjects.find(({ provider }) => provider === 'traccar')!

describe.each(dialects)('a call that is passed to Traccar, on %s', (dialect) => {
  let fake: RunningFake
  let door: Recorder
  let rig: ConnectionsRig
  let linked: Linked

  beforeAll(async () => {
    fake = await startFake('traccar', {
      now: new Date(NOON).toISOString(),
      vehicles: 2,
      days: 1,
      accounts: 10,
    })
    door = await startRecorder(fake.url)
    rig = await ConnectionsRig.start(dialect)
    const own = traccar.adapter(door.url, rig.tools.clock)
    const adapter: ProviderAdapter = { ...own, manifest: { ...own.manifest, code: 'sandbox' } }
    rig.adapt = () => adapter
    linked = await rig.link(undefined, { provider: adapter, credentials: traccar.credentials(door.url) })
  })
  afterAll(async () => {
    await rig[Symbol.asyncDispose]()
    await door[Symbol.asyncDispose]()
    await fake[Symbol.asyncDispose]()
  })
  beforeEach(() => void (door.heard.length = 0))

  const pass = (method: string, path: string, body: string | null = null) =>
    rig.mutate(linked.party, 'passthrough', { method, path, body }, 'response { statusCode response }')

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
    ['POST', '/%E0%A4%A/token'],
    ['POST', '/share/device'],
    ['POST', '/devices/share'],
    ['POST', '/share/group'],
    ['POST', '/password/update'],
  ])('is refused where it may sign somebody in: %s %s', async (method, path) => {
    expect(await pass(method, path)).toMatchObject({
      payload: null,
      code: 'UNPROCESSABLE_ENTITY',
      message: expect.stringContaining('/session'),
    })
    expect(door.heard).toEqual([])
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
    ['POST', '/users', [...'{"password":"another"}'].join('\0')],
  ])('is refused where it may set a password: %s %s %s', async (method, path, body) => {
    expect(await pass(method, path, body)).toMatchObject({
      payload: null,
      code: 'UNPROCESSABLE_ENTITY',
      message: expect.stringContaining('password'),
    })
    expect(door.heard).toEqual([])
  })

  test.each<[string, string, string | null]>([
    ['PUT', '/users/10', JSON.stringify({ ...user, phone: '+1 555 0100' })],
    ['DELETE', '/users/11', null],
    ['GET', '/users', null],
    ['POST', '/devices', JSON.stringify({ name: 'Truck', uniqueId: '1', attributes: { password: 'x' } })],
    ['GET', '/devices?uniqueId=session', null],
    ['GET', '/reports/trips?deviceId=1&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z', null],
  ])('is sent where it does neither: %s %s', async (method, path, body) => {
    expect(await pass(method, path, body)).toMatchObject({ code: null })
    expect(door.heard.map((one) => [one.method, one.url, one.body])).toEqual([
      [method, `/api${path}`, body ?? ''],
    ])
  })
})

import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { now, period, runTraccar } from '../../fakes/traccar/harness.ts'

interface Position {
  readonly id: number
  readonly fixTime: string
  readonly outdated: boolean
  readonly valid: boolean
  readonly [more: string]: unknown
}

const document = JSON.parse(
  readFileSync(new URL('../../fakes/traccar/openapi.json', import.meta.url), 'utf8'),
) as Document
interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, { content?: object }> }>>
  readonly components: object
}

/** Returns a validator of the 200 response of a path. */
function validatorOf(path: string) {
  const { content = {} } = document.paths[path]?.['get']?.responses['200'] ?? {}
  const { schema } = (content as Record<string, { schema: object }>)['application/json'] ?? { schema: {} }
  const ajv = new Ajv({ strict: false })
  formats.default(ajv)
  return ajv.compile({ ...schema, components: document.components })
}

const week = period('2026-06-08', '2026-06-16')
const ofAll = Array.from({ length: 12 }, (_, index) => `deviceId=${index + 1}`).join('&')
const paths = {
  '/session': 'session',
  '/devices': 'devices',
  '/groups': 'groups',
  '/drivers': 'drivers',
  '/positions': `positions?deviceId=6&${week}`,
  '/reports/trips': `reports/trips?${ofAll}&${week}`,
  '/reports/summary': `reports/summary?${ofAll}&${week}`,
  '/reports/events': `reports/events?${ofAll}&${week}&type=%25`,
}

const restful = { restlessness: 0 }

describe('the OpenAPI document', () => {
  test.each(Object.entries(paths))('allows the response of the fake at %s', async (path, query) => {
    await using server = await runTraccar({ world: restful })
    const validate = validatorOf(path)
    const body = await server.get<object>(query)
    if (Array.isArray(body)) expect(body).not.toHaveLength(0)
    validate(body)
    expect(validate.errors ?? []).toEqual([])
    expect(validate(path === '/session' ? { id: 'one' } : [{ id: 'one', deviceId: 'one' }])).toBe(false)
  })
})

describe('signing in', () => {
  const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) })
  const fleet1 = { email: 'fleet1@fleets.example', password: 'password-1' }

  test('accepts a password, then a token of the session, until it is revoked', async () => {
    await using server = await runTraccar()
    const session = await server.answer('session', form(fleet1))
    const cookie = { cookie: session.headers.get('set-cookie')?.split(';')[0] ?? '' }
    const token = await (await server.answer('session/token', { method: 'POST', headers: cookie })).text()
    const status = async () =>
      (await server.answer('devices', { headers: { authorization: `Bearer ${token}` } })).status
    expect(await status()).toBe(200)
    await server.answer('session/token/revoke', { ...form({ token }), headers: cookie })
    expect(await status()).toBe(401)
  })

  test('ends a token when it expires, by default after a week', async () => {
    await using server = await runTraccar()
    const token = await (
      await server.answer('session/token', { method: 'POST', headers: { authorization: 'Bearer token-1' } })
    ).text()
    const status = async () => (await server.answer(`session?token=${token}`, { headers: {} })).status
    expect(await status()).toBe(200)
    await server.fake.move({ advanceMilliseconds: 8 * 86_400_000 })
    expect(await status()).toBe(401)
  })

  test('refuses a wrong password, a missing code, and a disabled user with a reason', async () => {
    await using server = await runTraccar({ settings: { totp: 'on' } })
    expect((await server.answer('session', form({ ...fleet1, password: 'wrong' }))).status).toBe(401)
    const withoutCode = await server.answer('session', form(fleet1))
    expect([withoutCode.status, withoutCode.headers.get('www-authenticate')]).toEqual([401, 'TOTP'])
    const wrong = await server.answer('session', form({ ...fleet1, code: '000000' }))
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, null])
    expect((await server.answer('session', form({ ...fleet1, code: '123456' }))).status).toBe(200)
    await using closed = await runTraccar({ settings: { disabled: 'yes' } })
    const refused = await closed.answer('session', form(fleet1))
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('Account is disabled - SecurityException')
    expect((await closed.answer('session', { headers: {} })).status).toBe(404)
  })
})

describe('positions', () => {
  const query = `positions?deviceId=6&${week}`

  test('are in order of fixTime, and truncated silently at the limit of the server', async () => {
    await using server = await runTraccar({ world: restful })
    const all = await server.get<Position[]>(query)
    const times = all.map(({ fixTime }) => Date.parse(fixTime))
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    await using short = await runTraccar({ world: restful, settings: { maxPositions: '25' } })
    expect(await short.get(query)).toEqual(all.slice(0, 25))
  })

  test('can be fetched by id', async () => {
    await using server = await runTraccar({ world: restful })
    const all = await server.get<Position[]>(query)
    const some = [all[0], all.find(({ outdated }) => outdated), all.at(-1)]
    expect(some).not.toContain(undefined)
    expect(await server.get(`positions?${some.map((each) => `id=${each?.id}`).join('&')}`)).toEqual(some)
  })

  test('include outdated fixes and null island, unless the switches disable them', async () => {
    await using server = await runTraccar({ world: restful })
    const odd = async (vehicle: number) =>
      (await server.get<Position[]>(`positions?deviceId=${vehicle}&${week}`)).filter(
        ({ outdated, valid }) => outdated || !valid,
      )
    expect((await odd(6)).every(({ outdated }) => outdated)).toBe(true)
    expect(await odd(6)).not.toHaveLength(0)
    expect((await odd(5)).every(({ latitude, valid }) => latitude === 0 && !valid)).toBe(true)
    expect(await odd(5)).not.toHaveLength(0)
    await server.fake.behave({ outdated: 'not_sent', nullIsland: 'not_sent' })
    expect([...(await odd(6)), ...(await odd(5))]).toEqual([])
  })

  test('have the time and null formats of the server version', async () => {
    await using server = await runTraccar({ world: restful })
    const [standard] = await server.get<Position[]>(query)
    await server.fake.behave({ timeFormat: 'no_colon', nulls: 'null', odometer: 'not_sent' })
    const [other] = await server.get<Position[]>(query)
    expect(standard?.fixTime).toMatch(/\+00:00$/)
    expect(other?.fixTime).toBe(standard?.fixTime.replace('+00:00', '+0000'))
    expect([standard?.['address'], other?.['address']]).toEqual([undefined, null])
    expect(Object.keys(standard?.['attributes'] as object)).toContain('odometer')
    expect(Object.keys(other?.['attributes'] as object)).not.toContain('odometer')
  })
})

describe('reports', () => {
  interface Trip {
    readonly startTime: string
    readonly endTime: string
    readonly duration: number
    readonly startPositionId: number
  }
  const tripsFrom = (from: string) => `reports/trips?deviceId=6&from=${from}&to=2026-06-16T00:00:00Z`

  test('cut a trip that runs at the start of the period, or omit it', async () => {
    await using server = await runTraccar({ world: restful })
    const [complete] = await server.get<[Trip]>(tripsFrom('2026-06-08T00:00:00Z'))
    const within = new Date(Date.parse(complete.startTime) + 20 * 60_000).toISOString()
    const [cut] = await server.get<[Trip]>(tripsFrom(within))
    expect(cut.endTime).toBe(complete.endTime)
    expect(cut.startPositionId).not.toBe(complete.startPositionId)
    expect(cut.duration).toBeLessThan(complete.duration)
    await server.fake.behave({ tripsAcrossFrom: 'left_out' })
    const [next] = await server.get<[Trip]>(tripsFrom(within))
    expect(Date.parse(next.startTime)).toBeGreaterThan(Date.parse(complete.endTime))
  })

  test('refuse a long period, a foreign device and a missing time with a reason', async () => {
    await using server = await runTraccar({ settings: { periodLimitSeconds: '86400' } })
    const refused = async (query: string) => {
      const response = await server.answer(query)
      return [response.status, response.headers.get('content-type'), (await response.text()).split(' - ')[0]]
    }
    expect(await refused(tripsFrom('2026-06-08T00:00:00Z'))).toEqual([
      400,
      'text/plain',
      'Time period exceeds the limit',
    ])
    expect(await refused(`reports/trips?deviceId=99&${week}`)).toEqual([
      400,
      'text/plain',
      'Time period exceeds the limit',
    ])
    expect(await refused('devices?id=99')).toEqual([400, 'text/plain', 'Device access denied'])
    expect(await refused('reports/trips?deviceId=6')).toEqual([400, 'text/plain', 'HTTP 400 Bad Request'])
  })
})

describe('the oracle', () => {
  test('matches the trips and positions of the responses, in our units', async () => {
    await using server = await runTraccar({ world: restful })
    const truth = <T>(model: string) =>
      server.fake.truth<T[]>(model, { from: '2026-06-08T00:00:00Z', to: now })
    const wire = await server.get<{ distance: number; deviceId: number; startTime: string }[]>(
      paths['/reports/trips'],
    )
    const trips = await truth<{ sourceId: string; distanceKilometers: number; startedAt: number }>('Trip')
    const startedInPeriod = wire.filter(({ deviceId, startTime }) =>
      trips.some(({ sourceId }) => sourceId === `${deviceId}:${Date.parse(startTime)}`),
    )
    expect(trips).toHaveLength(startedInPeriod.length)
    expect(trips.map(({ distanceKilometers }) => distanceKilometers * 1000)).toEqual(
      startedInPeriod.map(({ distance }) => expect.closeTo(distance, 6) as number),
    )
    const positions = (await server.get<Position[]>(paths['/positions'])).filter(
      ({ outdated, valid }) => valid && !outdated,
    )
    const locations = (await truth<{ vehicleSourceId: string; speedKph: number }>('VehicleLocation')).filter(
      ({ vehicleSourceId }) => vehicleSourceId === '6',
    )
    expect(locations.map(({ speedKph }) => speedKph / 1.852)).toEqual(
      positions.map(({ speed }) => expect.closeTo(speed as number, 9) as number),
    )
  })

  test('has every model of Traccar', async () => {
    await using server = await runTraccar({ vehicles: 40 })
    const models =
      'Group Driver Vehicle Device Trip SafetyEvent FaultCodeEvent VehicleLocation VehicleStatLog VehicleUtilization LatestVehicleLocation IFTASummary'
    for (const model of models.split(' '))
      expect(await server.fake.truth<unknown[]>(model, { from: '2026-06-01T00:00:00Z' })).not.toHaveLength(0)
    await expect(server.fake.truth('HOSLog')).rejects.toThrow('404')
  })

  test('follows the clock: a day later there are more trips', async () => {
    await using server = await runTraccar({ vehicles: 40 })
    const trips = () => server.fake.truth<{ sourceId: string }[]>('Trip', { from: '2026-06-14T00:00:00Z' })
    const before = await trips()
    await server.fake.move({ advanceMilliseconds: 86_400_000 })
    expect((await trips()).length).toBeGreaterThan(before.length)
  })
})

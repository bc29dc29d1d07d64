import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../../src/domain/ids.ts'
import { type SeededApplication, seedApplication, vehicleRow } from '../../../support/factories.ts'
import { type RestHarness, startRest } from '../../../support/rest/rest-harness.ts'

let rest: RestHarness
let lenient: RestHarness
let ours: SeededApplication

beforeAll(async () => {
  rest = await startRest()
  lenient = await startRest({ unknownParameters: 'ignore' })
  ours = await seedApplication(rest.db, [(owner) => ({ vehicles: [vehicleRow(owner)] })])
})

afterAll(async () => {
  await rest[Symbol.asyncDispose]()
  await lenient[Symbol.asyncDispose]()
})

const ids = (kind: 'vehicle' | 'driver', count: number) =>
  Array.from({ length: count }, () => newId(kind)).join(',')

/** Path, the parameters of a range, an invalid time and a valid one. */
const ranges = [
  ['/ifta/summary', 'startMonth', 'endMonth', '2026-13', '2026-11'],
  ['/vehicles/utilization', 'startDate', 'endDate', '2026-02-30', '2026-02-01'],
  ['/hos/daily-logs', 'startDate', 'endDate', 'yesterday', '2026-02-01'],
  ['/fault-codes/events', 'startAt', 'endAt', '2026-02-30T00:00:00Z', '2026-02-01T00:00:00Z'],
  [`/vehicles/${newId('vehicle')}/locations`, 'startAt', 'endAt', 'now', '2026-02-01T00:00:00Z'],
  [`/vehicles/${newId('vehicle')}/stats/historical`, 'startAt', 'endAt', '2026', '2026-02-01T00:00:00Z'],
] as const

/** Path, the invalid parameter, and the suggestion in the response. */
const badQueries: readonly (readonly [path: string, parameter: string, suggestion?: string])[] = [
  ...['0', '-1', '1.5', '0x10', 'NaN', ' 5', '5 ', '%2B5', 'ten', '0e5', '１'].map(
    (limit) => [`/vehicles?limit=${limit}`, 'limit'] as const,
  ),
  ['/vehicles?limit=1&limit=2', 'limit'],
  ['/vehicles?limit=&limit=2', 'limit'],
  ['/vehicles?limit[]=1', 'limit'],
  ['/vehicles?limit[]=', 'limit'],
  ['/vehicles?limit[a]=1', 'limit'],
  ['/vehicles?limit%5Ba%5D=1', 'limit'],
  ['/connections?tag=a&tags=b', 'tag'],
  ...['garbage', 'a', '%00', '💥', 'x'.repeat(4000)].map(
    (cursor) => [`/trips?cursor=${encodeURIComponent(cursor)}`, 'cursor'] as const,
  ),
  ...[
    '2026-01-01T00:00:00',
    '2026-01-01',
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-06-30T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '%2B275760-09-13T00:00:00Z',
    '1767225600000',
    'yesterday',
    '2026-01-01T00:00:00+02:00',
  ].map((time) => [`/vehicles?modifiedAfter=${time}`, 'modifiedAfter'] as const),
  ...ranges.flatMap(([path, from, to, invalid, valid]) => [
    [`${path}?${from}=${invalid}&${to}=${valid}`, from] as const,
    [`${path}?${from}=${valid}&${to}=${invalid}`, to] as const,
  ]),
  ['/connections?updatedBefore=now', 'updatedBefore'],
  ['/trips?endedBefore=now', 'endedBefore'],
  ...['1', 'yes', 'TRUE', 'on', 'null'].map((value) => [`/drivers?raw=${value}`, 'raw'] as const),
  ['/drivers?deleted=0', 'deleted'],
  ['/drivers?hidden=fals', 'hidden'],
  ['/vehicles?expand=group', 'expand', 'groups'],
  ['/vehicles?expand=groups,groups', 'expand'],
  ['/vehicles?expand=groups, devices', 'expand', 'devices'],
  ['/vehicles?expand=groups,', 'expand'],
  ['/drivers?expand=devices', 'expand'],
  ['/connections?status=conected', 'status', 'connected'],
  ['/connections?status=CONNECTED', 'status', 'connected'],
  [`/trips?vehicleIds=${ids('vehicle', 51)}`, 'vehicleIds'],
  [`/vehicles/locations?driverIds=${ids('driver', 51)}`, 'driverIds'],
  [`/trips?vehicleIds=${ids('driver', 1)}`, 'vehicleIds'],
  [`/trips?vehicleIds=${ids('vehicle', 2)},`, 'vehicleIds'],
  [`/trips?driverIds=${ids('driver', 1).toLowerCase()}`, 'driverIds'],
  ["/trips?driverIds=' OR 1=1 --", 'driverIds'],
  ['/trips?startTime=x', 'startTime', 'startedAfter'],
  ['/trips?driverId=x', 'driverId', 'driverIds'],
  ['/trips?vehicleId=x', 'vehicleId', 'vehicleIds'],
  ['/vehicles/locations?vehicle_id=x', 'vehicle_id', 'vehicleIds'],
  ['/vehicles?Limit=1', 'Limit', 'limit'],
  ['/vehicles?cursr=1', 'cursr', 'cursor'],
  ['/vehicles?__proto__=1', '__proto__'],
  ['/connections/current?raw=true', 'raw'],
  ['/providers?code=x', 'code'],
]

describe('400', () => {
  test.each(badQueries.map((row) => [row[0].slice(0, 60), ...row] as const))(
    '%s',
    async (_, path, parameter, suggestion) => {
      const { status, body, statements } = await rest.get(path.replaceAll(' ', '%20'), ours.narrowed(0))
      expect(body).toEqual({ code: 'bad_request', message: expect.any(String), detail: [expect.any(Object)] })
      const [problem] = body.detail
      expect([status, problem.path]).toEqual([400, `{requestQuery}.${parameter}`])
      expect(problem.message).toMatch(/\S/)
      expect(problem.suggestion).toBe(suggestion)
      // The filters of connections are loaded at the same time as a list.
      expect(statements.filter((sql) => !sql.includes('`hasFilters`'))).toEqual([])
    },
  )

  test('names every problem at once', async () => {
    const { body } = await rest.get('/trips?limit=0&raw=maybe&foo=1&driverIds=x', ours.narrowed(0))
    expect(body.detail.map(({ path }: { path: string }) => path).toSorted()).toEqual(
      ['driverIds', 'foo', 'limit', 'raw'].map((name) => `{requestQuery}.${name}`),
    )
  })

  test('is not the response to fifty ids, or to one id many times', async () => {
    const same = newId('vehicle')
    for (const vehicleIds of [ids('vehicle', 50), Array(80).fill(same).join(',')])
      expect((await rest.get(`/trips?vehicleIds=${vehicleIds}`, ours.narrowed(0))).status).toBe(200)
  })
})

describe('an empty value counts as absent', () => {
  test.each(['limit=', 'cursor=', 'expand=', 'raw=', 'modifiedAfter=', 'foo=', 'limit', '&', ''])(
    '?%s',
    async (query) => {
      expect((await rest.get(`/vehicles?${query}`, ours.narrowed(0))).status).toBe(200)
    },
  )
})

describe('unknown parameters that are ignored', () => {
  test('have no effect', async () => {
    const application = await seedApplication(lenient.db, [(owner) => ({ vehicles: [vehicleRow(owner)] })])
    const { status, body } = await lenient.get(
      '/vehicles?foo=1&foo=2&driverId=x&__proto__=1&limit=5',
      application.narrowed(0),
    )
    expect([status, body.results.length]).toEqual([200, 1])
  })

  test.each(['limit[]=1', 'limit=0', 'limit=1&limit=1'])(
    'do not change the refusal of ?%s',
    async (query) => {
      const application = await seedApplication(lenient.db, [() => ({})])
      expect((await lenient.get(`/vehicles?${query}`, application.narrowed(0))).status).toBe(400)
    },
  )
})

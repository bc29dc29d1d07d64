import { expect, test } from 'vitest'
import { type Page, query, type FakeHarness, runMotive } from '../../../fakes/motive/harness.ts'

interface Named {
  readonly id: number
  readonly updated_at: string
  readonly metric_units: boolean
}

const statusOf = async (
  motive: FakeHarness,
  path: string,
  headers?: Record<string, string>,
): Promise<number> => (await motive.get(path, headers)).status

test('a list wraps each item and has a total', async () => {
  await using motive = await runMotive({ vehicles: 40 })
  const { body } = await motive.get('/v1/vehicles')
  const { total } = body.pagination
  expect(total).toBeGreaterThan(30)
  expect(body.pagination).toEqual({ per_page: 25, page_no: 1, total })
  expect(body['vehicles']).toHaveLength(25)
  const second = (await motive.get('/v1/vehicles?page_no=2')).body
  expect(second['vehicles']).toHaveLength(total - 25)
  expect((await motive.get('/v1/vehicles?page_no=3')).body['vehicles']).toEqual([])
})

test.each([
  '/v1/vehicles?per_page=101',
  '/v1/vehicles?per_page=0',
  '/v1/vehicles?page_no=0',
  '/v1/vehicles?page_no=one',
  '/v1/vehicles?updated_after=yesterday',
  '/v3/vehicle_locations/9001',
  '/v3/vehicle_locations/9001?start_date=2026-01-01&end_date=2026-04-02',
  '/v1/vehicle_locations/9001',
  '/v1/driving_periods',
  '/v1/driving_periods?start_date=2026-05-01&end_date=2026-05-31',
  '/v2/vehicle_utilization?start_date=2026-06-01&end_date=2026-06-02',
  '/v1/logs?start_date=June',
])('%s is refused', async (path) => {
  await using motive = await runMotive({ vehicles: 3, days: 3 })
  expect(await statusOf(motive, path)).toBe(400)
})

test.each([
  '/v1/vehicles?per_page=100',
  '/v3/vehicle_locations/9001?start_date=2026-01-01&end_date=2026-04-01',
  '/v1/driving_periods?start_date=2026-05-01&end_date=2026-05-30',
])('%s is within the limit', async (path) => {
  await using motive = await runMotive({ vehicles: 3, days: 3 })
  expect(await statusOf(motive, path)).toBe(200)
})

test('an unknown path or record is not found', async () => {
  await using motive = await runMotive({ vehicles: 3, days: 3 })
  expect(await statusOf(motive, '/v1/nothing')).toBe(404)
  expect(await statusOf(motive, '/v1/groups/1/vehicles')).toBe(404)
  const dates = 'start_date=2026-06-01&end_date=2026-06-02'
  expect(await statusOf(motive, `/v3/vehicle_locations/1?${dates}`)).toBe(404)
})

test('a list shifts when a vehicle is removed between pages', async () => {
  await using motive = await runMotive({ vehicles: 60, world: { restlessness: 60 } })
  const idsOf = (page: Page) => (page['vehicles'] ?? []).map((each) => (each['vehicle'] as Named).id)
  const page = async (number: number) =>
    idsOf((await motive.get(`/v1/vehicles?per_page=20&page_no=${number}`)).body)
  const [first, second] = [await page(1), await page(2)]
  await motive.fake.move({ advanceMilliseconds: 10 * 86_400_000 })
  const shifted = await page(2)
  expect(shifted).not.toEqual(second)
  const remaining = new Set((await motive.all<Named>('/v1/vehicles')).map(({ id }) => id))
  expect(first.some((id) => !remaining.has(id))).toBe(true)
})

test('updated_after lists only changed records', async () => {
  await using motive = await runMotive({ vehicles: 60, world: { restlessness: 30 } })
  const after = '2026-06-10T00:00:00Z'
  for (const path of ['/v1/vehicles', '/v1/users?role=driver']) {
    const all = await motive.all<Named>(path)
    const changed = await motive.all<Named>(`${path}${path.includes('?') ? '&' : '?'}updated_after=${after}`)
    expect(changed.length).toBeGreaterThan(0)
    expect(changed).toEqual(all.filter(({ updated_at }) => Date.parse(updated_at) > Date.parse(after)))
  }
})

test('users can be filtered by role and status', async () => {
  await using motive = await runMotive({ vehicles: 60, world: { restlessness: 30 } })
  const all = await motive.all<{ role: string; status: string }>('/v1/users')
  const filtered = await motive.all('/v1/users?role=driver&status=deactivated')
  expect(filtered).toEqual(all.filter(({ role, status }) => role === 'driver' && status === 'deactivated'))
  expect(filtered.length).toBeGreaterThan(0)
  expect(all.filter(({ role }) => role === 'admin')).toHaveLength(1)
})

test('some vehicles are metric, and a switch makes the metric header effective', async () => {
  await using motive = await runMotive()
  const unitsOf = async (headers: Record<string, string>) =>
    (await motive.all<Named>('/v1/vehicles', headers)).map(({ metric_units }) => metric_units)
  const defaultUnits = await unitsOf({})
  expect(new Set(defaultUnits)).toEqual(new Set([true, false]))
  expect(await unitsOf({ 'x-metric-units': 'true' })).toEqual(defaultUnits)
  await motive.fake.behave({ metricHeader: 'honoured' })
  expect(await unitsOf({})).toEqual(defaultUnits)
  expect(new Set(await unitsOf({ 'x-metric-units': 'true' }))).toEqual(new Set([true]))
  expect(new Set(await unitsOf({ 'x-metric-units': 'false' }))).toEqual(new Set([false]))
})

test('the dates of a history are in the requested time zone, or UTC', async () => {
  await using motive = await runMotive()
  const path = `/v3/vehicle_locations/9001?${query({ start_date: '2026-06-10', end_date: '2026-06-10' })}`
  const timesOf = async (headers: Record<string, string>) =>
    (await motive.all<{ located_at: string }>(path, headers)).map(({ located_at }) => located_at)
  const [utc, central] = [await timesOf({}), await timesOf({ 'x-time-zone': 'Central Time (US & Canada)' })]
  expect(utc.every((time) => time.startsWith('2026-06-10T'))).toBe(true)
  const inCentral = (time: string) => time >= '2026-06-10T05:00:00Z' && time < '2026-06-11T05:00:00Z'
  expect(central.length).toBeGreaterThan(10)
  expect(central.every(inCentral)).toBe(true)
  expect(await statusOf(motive, path, { 'x-time-zone': 'America/Winnipeg' })).toBe(400)
})

test('ten concurrent requests for histories are allowed, and eleven are not', async () => {
  await using motive = await runMotive()
  await motive.send('POST', '/_fake/keys', { key: 'fake-key-more', account: 1, scopes: null })
  const path = `/v3/vehicle_locations/9001?${query({ start_date: '2026-06-10', end_date: '2026-06-10' })}`
  const more = { 'x-api-key': 'fake-key-more' }
  const waitForTen = () => waitForCalls(motive, 10)

  async function responsesOf(headers: Record<string, string>): Promise<Response[]> {
    await motive.fake.forgetCalls()
    await motive.send('POST', '/_fake/gate', { held: true })
    const ten = Array.from({ length: 10 }, () => motive.get(path))
    await waitForTen()
    const another = fetch(motive.fake.url + path, { headers })
    await waitForCalls(motive, 11)
    await motive.send('POST', '/_fake/gate', { held: false })
    expect((await Promise.all(ten)).map(({ status }) => status)).toEqual(Array(10).fill(200))
    return [await another]
  }

  const [refused] = (await responsesOf(more)) as [Response]
  expect(refused.status).toBe(429)
  expect(refused.headers.has('retry-after')).toBe(false)
  expect((await motive.get(path)).status).toBe(200)

  await motive.fake.behave({ tooManyAtOnce: '503', atOncePer: 'credential' })
  expect((await responsesOf(more)).map(({ status }) => status)).toEqual([200])
  expect((await responsesOf({ 'x-api-key': 'fake-key-1' })).map(({ status }) => status)).toEqual([503])
})

/** Polls until a number of calls has arrived. */
async function waitForCalls(motive: FakeHarness, count: number): Promise<void> {
  while ((await motive.fake.calls()).total < count) await motive.fake.calls()
}

test('a refusal has no Retry-After header, and its body has several variants', async () => {
  await using motive = await runMotive({ vehicles: 3, days: 3 })
  const bodies = []
  for (const errorBody of ['error_message', 'errors', 'text', 'empty']) {
    await motive.fake.behave({ errorBody })
    await motive.fake.fail({ kind: 'status', status: 429, endpoint: 'GET /v1/vehicles' })
    const refused = await motive.get('/v1/vehicles')
    expect(refused.status).toBe(429)
    expect(refused.headers.has('retry-after')).toBe(false)
    bodies.push(refused.text)
  }
  const message = 'Too many requests'
  const [first, second, ...others] = bodies as [string, string, string, string]
  expect(JSON.parse(first)).toEqual({ error_message: message })
  expect(JSON.parse(second)).toEqual({ errors: [{ message }] })
  expect(others).toEqual([message, ''])
})

test('calls are counted by company', async () => {
  await using motive = await runMotive({ vehicles: 3, days: 3, accounts: 2 })
  await motive.get('/v1/vehicles')
  await motive.get('/v1/vehicles', { 'x-api-key': 'fake-key-2' })
  await motive.get('/v1/vehicles', { 'x-api-key': 'fake-key-3' })
  const { byKey } = await motive.fake.calls()
  expect(byKey.map(({ key, refused }) => [key, refused])).toEqual([
    ['1', 0],
    ['2', 0],
    ['nobody', 1],
  ])
})

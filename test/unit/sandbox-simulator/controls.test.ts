import { expect, test } from 'vitest'
import type { Page } from '../../../src/providers/sandbox/simulator/pagination.ts'
import type { DeviceRecord } from '../../../src/providers/sandbox/simulator/records/devices.ts'
import type { DriverRecord } from '../../../src/providers/sandbox/simulator/records/drivers.ts'
import type { LocationRecord } from '../../../src/providers/sandbox/simulator/records/locations.ts'
import type { TrailerLocationRecord } from '../../../src/providers/sandbox/simulator/records/trailers/locations.ts'
import type { TrailerRecord } from '../../../src/providers/sandbox/simulator/records/trailers/roster.ts'
import type { TripRecord } from '../../../src/providers/sandbox/simulator/records/trips.ts'
import type { VehicleRecord } from '../../../src/providers/sandbox/simulator/records/vehicles.ts'
import { runSimulator } from '../../support/simulator/simulator.ts'

test('moving the clock moves the locations', async () => {
  await using simulator = await runSimulator({ controls: true })
  await simulator.control('clock', { offsetMs: 86_400_000 })
  const { body } = await simulator.get<Page<LocationRecord>>('/locations')
  for (const { time } of body.data) expect(Date.parse(time)).toBeGreaterThan(Date.now() + 86_000_000)
})

test('the clock can be stopped and resumed', async () => {
  await using simulator = await runSimulator({ controls: true })
  const locations = async () => (await simulator.get<Page<LocationRecord>>('/locations')).body.data
  await simulator.control('clock', { offsetMs: 3_600_000, stands: true })
  const before = await locations()
  await new Promise((resolve) => setTimeout(resolve, 1100))
  expect(await locations()).toEqual(before)
  await simulator.control('clock', { offsetMs: 7_200_000 })
  expect(await locations()).not.toEqual(before)
})

test('a removed record returns when it is restored', async () => {
  await using simulator = await runSimulator({ controls: true })
  const before = await simulator.all('/vehicles', 'a')
  await simulator.control('records', { key: 'a', vehicles: { remove: [0, 1] } })
  await simulator.control('records', { key: 'a', vehicles: { restore: [1] } })
  expect(await simulator.all('/vehicles', 'a')).toEqual(before.slice(1))
})

test('a fault affects its count of requests, only those of its key and path', async () => {
  await using simulator = await runSimulator({ controls: true })
  await simulator.control('faults', { key: 'a', path: '/vehicles', status: 503, count: 2, retryAfter: '0.4' })
  expect((await simulator.get('/vehicles', 'b')).status).toBe(200)
  expect((await simulator.get('/drivers', 'a')).status).toBe(200)
  const hit = await simulator.get('/vehicles', 'a')
  expect([hit.status, hit.headers.get('retry-after')]).toEqual([503, '0.4'])
  expect((await simulator.get('/vehicles', 'a')).status).toBe(503)
  expect((await simulator.get('/vehicles', 'a')).status).toBe(200)
})

test('a fault of status 403 has the code scope_missing', async () => {
  await using simulator = await runSimulator({ controls: true })
  await simulator.control('faults', { path: '/hos/logs', status: 403, count: 1000 })
  expect(await simulator.get('/hos/logs')).toMatchObject({
    status: 403,
    body: { error: { code: 'scope_missing' } },
  })
  expect((await simulator.get('/hos/clocks')).status).toBe(200)
})

test('a removed trailer disappears with its location, and a modified one is renamed', async () => {
  await using simulator = await runSimulator({ controls: true })
  const [kept, removed] = await simulator.all<TrailerRecord>('/trailers', 'a')
  await simulator.control('records', { key: 'a', trailers: { remove: [1], modify: [0] } })
  const after = await simulator.all<TrailerRecord>('/trailers', 'a')
  expect(after[0]?.name).toBe(`${kept?.name} (renamed)`)
  expect(after.map(({ id }) => id)).not.toContain(removed?.id)
  const seen = await simulator.all<TrailerLocationRecord>('/trailers/locations', 'a')
  expect(seen.map(({ trailerId }) => trailerId)).not.toContain(removed?.id)
})

test('a fault of status 0 breaks the connection', async () => {
  await using simulator = await runSimulator({ controls: true })
  await simulator.control('faults', { status: 0 })
  await expect(simulator.get('/vehicles')).rejects.toThrow('fetch failed')
  expect((await simulator.get('/vehicles')).status).toBe(200)
})

test('a stall delays a response without changing it', async () => {
  await using simulator = await runSimulator({ controls: true })
  await simulator.control('faults', { path: '/vehicles', stallMs: 150 })
  const started = performance.now()
  expect((await simulator.get('/vehicles')).status).toBe(200)
  expect(performance.now() - started).toBeGreaterThan(140)
})

test('requests are counted by key and path', async () => {
  await using simulator = await runSimulator({ controls: true })
  await simulator.get('/vehicles?limit=1', 'a')
  await simulator.get('/vehicles', 'a')
  await simulator.get('/drivers', 'b')
  const { body } = await simulator.get('/control/requests')
  expect(body).toEqual({ a: { '/vehicles': 2 }, b: { '/drivers': 1 } })
})

test('a removed vehicle disappears, and a modified one is renamed, for their key only', async () => {
  await using simulator = await runSimulator({ controls: true })
  const before = (await simulator.all<VehicleRecord>('/vehicles', 'a'))[0]!
  await simulator.control('records', {
    key: 'a',
    vehicles: { remove: [1], modify: [0] },
    drivers: { modify: [3] },
  })
  const after = await simulator.live<VehicleRecord>('/vehicles', 'a')
  expect(after).toHaveLength(49)
  expect(after[0]?.name).toBe(`${before.name} (renamed)`)
  expect(Date.parse(after[0]!.updatedAt)).toBeGreaterThan(Date.now() - 10_000)
  const locations = await simulator.all<LocationRecord>('/locations', 'a')
  expect(locations.map(({ vehicleId }) => vehicleId)).not.toContain(before.id.replace(/0$/, '1'))
  expect((await simulator.all<DriverRecord>('/drivers', 'a'))[3]?.lastName).toMatch(/-Renamed$/)
  expect((await simulator.all<DeviceRecord>('/devices', 'a'))[1]?.vehicleId).toBeNull()
  expect(await simulator.live('/vehicles', 'b')).toHaveLength(50)
})

test('a removed vehicle keeps its past trips and makes no new ones', async () => {
  await using simulator = await runSimulator({ controls: true })
  await simulator.control('records', { key: 'a', vehicles: { remove: [0] } })
  await simulator.control('clock', { offsetMs: 5 * 86_400_000 })
  const since = new Date(Date.now() - 5 * 86_400_000).toISOString()
  const all = await simulator.all<TripRecord>(`/trips?since=${since}&limit=1000`, 'a')
  const trips = all.filter(({ vehicleId }) => vehicleId.endsWith('-0'))
  expect(trips.length).toBeGreaterThan(3)
  for (const { endedAt } of trips) expect(Date.parse(endedAt)).toBeLessThan(Date.now())
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { query, runSamsara, type Page, type FakeHarness } from '../../../fakes/samsara/harness.ts'

interface StreamTrip {
  readonly asset: { readonly id: string }
  readonly completionStatus: string
  readonly tripStartTime: string
  readonly endLocation?: object
  readonly updatedAtTime: string
}

interface OldTrip {
  readonly startMs: number
  readonly endMs: number
  readonly driverId: number
}

const startTime = '2026-06-01T00:00:00Z'
let samsara: FakeHarness
let ids: string[]

beforeAll(async () => {
  samsara = await runSamsara({ now: '2026-06-15T18:00:00.000Z', vehicles: 20 })
  ids = (await samsara.all<{ id: string }>('/fleet/vehicles')).map(({ id }) => id)
})
afterAll(() => samsara[Symbol.asyncDispose]())

const stream = (more: Record<string, string> = {}) =>
  samsara.all<StreamTrip>(`/trips/stream?${query({ ids: ids.join(), startTime, ...more })}`)

const old = (vehicleId: string, startMs: number, endMs: number) =>
  samsara.get<{ trips: OldTrip[] }>(`/v1/fleet/trips?${query({ vehicleId, startMs, endMs })}`)

test('the end of a running trip is the largest 64-bit integer, without rounding', async () => {
  const [running] = await stream({ completionStatus: 'inProgress' })
  const startMs = Date.parse(running?.tripStartTime ?? '')
  const { text } = await old(running?.asset.id ?? '', startMs, startMs + 1)
  expect(text).toMatch(/"endMs":9223372036854775807[,}]/)
  expect(running?.endLocation).toBeUndefined()
  await samsara.fake.behave({ runningEnd: 'current' })
  const [again] = await stream({ completionStatus: 'inProgress' })
  await samsara.fake.behave({ runningEnd: 'omitted' })
  expect(again?.endLocation).toBeDefined()
})

test('the old endpoint lists trips that start in the period, or overlap it by a switch', async () => {
  const [trip] = await stream({ completionStatus: 'completed' })
  const startMs = Date.parse(trip?.tripStartTime ?? '') + 1
  const begun = await old(trip?.asset.id ?? '', startMs, startMs + 1)
  await samsara.fake.behave({ oldTrips: 'overlapping' })
  const overlapping = await old(trip?.asset.id ?? '', startMs, startMs + 1)
  await samsara.fake.behave({ oldTrips: 'begun' })
  expect([begun.body.trips.length, overlapping.body.trips.length]).toEqual([0, 1])
})

test('a request can have at most 90 days and 50 ids', async () => {
  expect((await old(ids[0] ?? '', 0, 90 * 86_400_000)).status).toBe(200)
  expect((await old(ids[0] ?? '', 0, 90 * 86_400_000 + 1)).status).toBe(400)
  const many = Array.from({ length: 51 }, (_, at) => at + 1).join()
  expect((await samsara.get(`/trips/stream?${query({ ids: many, startTime })}`)).status).toBe(400)
})

test('a stream that resumes from its cursor returns only later changes', async () => {
  const path = `/trips/stream?${query({ ids: ids.join(), startTime })}`
  await samsara.fake.behave({ pageSize: '5' })
  let cursor = ''
  const before: StreamTrip[] = []
  for (let hasNextPage = true; hasNextPage;) {
    const { body } = await samsara.get<Page<StreamTrip>>(`${path}&after=${cursor}`)
    before.push(...body.data)
    ;({ endCursor: cursor, hasNextPage } = body.pagination)
  }
  await samsara.fake.behave({ pageSize: '512' })
  const keys = before.map(({ asset, tripStartTime }) => `${asset.id} ${tripStartTime}`)
  expect(new Set(keys).size).toBe(keys.length)
  const last = Date.parse(before.at(-1)?.updatedAtTime ?? '')
  await samsara.fake.move({ advanceMilliseconds: 6 * 3_600_000 })
  const { body } = await samsara.get<Page<StreamTrip>>(`${path}&after=${cursor}`)
  expect(body.data.length).toBeGreaterThan(0)
  expect(body.data.filter(({ updatedAtTime }) => Date.parse(updatedAtTime) <= last)).toEqual([])
})

test('both endpoints return the same trips', async () => {
  const streamed = await stream()
  const [from, to] = [Date.parse(startTime), Date.parse('2026-06-16T12:00:00Z')]
  const listed = await Promise.all(
    ids.map(async (id) => (await old(id, from, to)).body.trips.map(({ startMs }) => `${id} ${startMs}`)),
  )
  const keys = streamed.map(({ asset, tripStartTime }) => `${asset.id} ${Date.parse(tripStartTime)}`)
  const begunLater = keys.filter((key) => Number(key.split(' ')[1]) >= from)
  expect(begunLater.toSorted()).toEqual(listed.flat().toSorted())
})

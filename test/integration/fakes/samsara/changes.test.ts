import { afterAll, beforeAll, expect, test } from 'vitest'
import { query, runSamsara, type Page, type FakeHarness } from '../../../fakes/samsara/harness.ts'

interface Readings {
  readonly id: string
  readonly gps?: readonly { readonly time: string }[]
}

const start = Date.parse('2026-06-15T18:00:00.000Z')
const HOUR = 3_600_000

const keysOf = (pages: readonly Readings[]): string[] =>
  pages.flatMap(({ id, gps = [] }) => gps.map(({ time }) => `${id} ${time}`))

async function history(samsara: FakeHarness): Promise<string[]> {
  const parameters = { types: 'gps', startTime: '2026-06-10T00:00:00Z', endTime: '2026-06-20T00:00:00Z' }
  return keysOf(await samsara.all<Readings>(`/fleet/vehicles/stats/history?${query(parameters)}`))
}

/** Reads a feed from a cursor to its end. */
async function readFeed(samsara: FakeHarness, cursor: string): Promise<{ keys: string[]; cursor: string }> {
  const keys: string[] = []
  for (let after = cursor; ;) {
    const { body } = await samsara.get<Page<Readings>>(`/fleet/vehicles/stats/feed?types=gps&after=${after}`)
    keys.push(...keysOf(body.data))
    after = body.pagination.endCursor
    if (!body.pagination.hasNextPage) return { keys, cursor: after }
  }
}

let samsara: FakeHarness
beforeAll(async () => {
  const world = { restlessness: 0, lateShare: 0.3, correctedShare: 0.5 }
  samsara = await runSamsara({ now: new Date(start).toISOString(), vehicles: 12, world })
})
afterAll(() => samsara[Symbol.asyncDispose]())

test('a feed returns the newest reading of each vehicle, then every later arrival once', async () => {
  const vehicles = await samsara.all<{ id: string }>('/fleet/vehicles')
  const before = new Set(await history(samsara))
  const first = await readFeed(samsara, '')
  expect(new Set(first.keys.map((key) => key.split(' ')[0])).size).toBe(vehicles.length)
  expect(first.keys.every((key) => before.has(key))).toBe(true)
  await samsara.fake.behave({ readingsPerPage: '200' })

  let { cursor } = first
  const arrived: string[] = []
  for (let round = 0; round < 3; round++) {
    await samsara.fake.move({ advanceMilliseconds: 8 * HOUR })
    const next = await readFeed(samsara, cursor)
    arrived.push(...next.keys)
    cursor = next.cursor
  }
  expect((await readFeed(samsara, cursor)).keys).toEqual([])
  const since = (await history(samsara)).filter((key) => !before.has(key))
  expect(arrived.toSorted()).toEqual(since.toSorted())
  expect(arrived.some((key) => Date.parse(key.split(' ')[1] as string) < start)).toBe(true)
  await samsara.fake.behave({ readingsPerPage: '5000' })
})

test('a corrected event appears again in the stream, with its driver', async () => {
  interface Event {
    readonly id: string
    readonly driver: { readonly id: string }
    readonly updatedAtTime: string
  }
  const drivers = async (startTime: string) => {
    const events = await samsara.all<Event>(`/safety-events/stream?${query({ startTime })}`)
    return new Map(events.map(({ id, driver }) => [id, driver.id]))
  }
  const unknown = new Set<string>()
  for (let day = 0; day < 12; day++) {
    const since = new Date(start - 30 * 24 * HOUR).toISOString()
    for (const [id, driver] of await drivers(since)) if (driver === '') unknown.add(id)
    await samsara.fake.move({ advanceMilliseconds: 24 * HOUR })
  }
  const late = await drivers(new Date(start).toISOString())
  expect([...unknown].filter((id) => (late.get(id) ?? '') !== '').length).toBeGreaterThan(0)
})

test('updatedAfterTime lists changed vehicles, and removed vehicles are missing', async () => {
  await using restless = await runSamsara({ vehicles: 120, now: new Date(start).toISOString() })
  const listed = async (path: string) => (await restless.all<{ id: string }>(path)).map(({ id }) => id)
  const before = await listed('/fleet/vehicles')
  const updatedAfterTime = new Date(start).toISOString()
  expect(await listed(`/fleet/vehicles?${query({ updatedAfterTime })}`)).toEqual([])
  await restless.fake.move({ advanceMilliseconds: 20 * 24 * HOUR })
  const after = await listed('/fleet/vehicles')
  const changed = await listed(`/fleet/vehicles?${query({ updatedAfterTime })}`)
  expect(before.filter((id) => !after.includes(id)).length).toBeGreaterThan(0)
  const added = after.filter((id) => !before.includes(id))
  expect(added.length).toBeGreaterThan(0)
  expect(changed).toEqual(expect.arrayContaining(added))
  expect(changed.length).toBeLessThan(after.length)
})

test('pages of any size list every record once', async () => {
  const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id)
  const unpaged = ids(await samsara.all<{ id: string }>('/fleet/drivers'))
  expect(unpaged.length).toBeGreaterThan(5)
  expect(ids(await samsara.all<{ id: string }>('/fleet/drivers?limit=1'))).toEqual(unpaged)
  await samsara.fake.behave({ pageSize: '5', lastCursor: 'kept' })
  expect(ids(await samsara.all<{ id: string }>('/fleet/drivers'))).toEqual(unpaged)
  await samsara.fake.behave({ pageSize: '512', lastCursor: 'empty' })
})

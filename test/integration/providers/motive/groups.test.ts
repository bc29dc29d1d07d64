import { expect, test } from 'vitest'
import { motiveAdapter } from '../../../../src/providers/motive/adapter.ts'
import { MAX_PAGE_SIZE } from '../../../../src/providers/motive/readers/paging/pagination.ts'
import { startFake } from '../../../fakes/kit/start-fake.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'

const NOW = '2026-06-15T18:00:00.000Z'

test('a vehicle is in a group of several pages once', async () => {
  await using fake = await startFake('motive', { vehicles: 250, days: 1, now: NOW })
  const { api, readers } = motiveAdapter(undefined, { baseUrl: fake.url })
  const account = api({ apiKey: 'fake-key-1' }, AbortSignal.timeout(60_000))
  const window = { from: 0, to: Date.parse(NOW) }
  const truth = await fake.truth<{ sourceId: string; groupSourceIds: string[] }[]>('Vehicle')
  const groupsByVehicle = new Map<string, readonly string[]>()
  for (let state = null, more = true; more;) {
    const page = await readers.Vehicle!.read(account, state, window, emptyRoster)
    for (const record of page.records) {
      const { sourceId, groupSourceIds } = readers.Vehicle!.normalize(record, window.to)
      groupsByVehicle.set(sourceId, groupSourceIds)
    }
    state = page.next as null
    more = state !== null
  }
  expect(truth.length).toBeGreaterThan(200)
  const sizes = new Map<string, number>()
  for (const group of truth.flatMap(({ groupSourceIds }) => groupSourceIds))
    sizes.set(group, (sizes.get(group) ?? 0) + 1)
  expect(Math.max(...sizes.values())).toBeGreaterThan(MAX_PAGE_SIZE)
  for (const { sourceId, groupSourceIds } of truth)
    expect([sourceId, groupsByVehicle.get(sourceId)?.toSorted()]).toEqual([
      sourceId,
      groupSourceIds.toSorted(),
    ])
})

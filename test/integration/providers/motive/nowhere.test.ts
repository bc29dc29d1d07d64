import { expect, test } from 'vitest'
import { motiveAdapter } from '../../../../src/providers/motive/adapter.ts'
import { startFake } from '../../../fakes/kit/start-fake.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'

const WINDOW = { from: 0, to: 1 }

test('vehicles and trailers without a position have no latest location', async () => {
  await using fake = await startFake('motive', { vehicles: 4, days: 0, now: '2026-06-15T18:00:00.000Z' })
  const adapter = motiveAdapter(undefined, { baseUrl: fake.url })
  const api = adapter.api({ apiKey: 'fake-key-1' }, new AbortController().signal)
  for (const model of ['LatestVehicleLocation', 'LatestTrailerLocation'] as const)
    expect(await adapter.latest[model]?.read(api, null, WINDOW, emptyRoster)).toEqual({
      records: [],
      next: null,
    })
  expect((await adapter.readers.Vehicle?.read(api, null, WINDOW, emptyRoster))?.records).toHaveLength(4)
})

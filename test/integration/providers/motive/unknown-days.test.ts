import { expect, test } from 'vitest'
import { motiveAdapter } from '../../../../src/providers/motive/adapter.ts'
import type { Reader, ReaderState } from '../../../../src/providers/provider.ts'
import { startFake } from '../../../fakes/kit/start-fake.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const DAY_MS = 86_400_000
/** With this restlessness some vehicles stay parked for days. */
const world = { restlessness: 25 }

test('a day without data at the end of a read is removed', async () => {
  await using fake = await startFake('motive', { vehicles: 20, days: 8, now: NOW, world })
  const adapter = motiveAdapter(undefined, { baseUrl: fake.url, clock: { now: () => Date.parse(NOW) } })
  const api = adapter.api({ apiKey: 'fake-key-1' }, new AbortController().signal)
  const reader = adapter.readers.VehicleUtilization as Reader<{ sourceId: string }>
  const window = { from: Date.parse(NOW) - 4 * DAY_MS, to: Date.parse(NOW) }
  const [known, removed]: [string[], string[]] = [[], []]
  for (let state: ReaderState | undefined = null; state !== undefined;) {
    const page = await reader.read(api, state, window, emptyRoster)
    known.push(...page.records.map((record) => reader.normalize(record).sourceId))
    removed.push(...(page.removed ?? []))
    state = page.next ?? undefined
  }
  const days = new Set(known.map((id) => id.split(':')[1]))
  const vehicles = await fake.truth<{ sourceId: string }[]>('Vehicle')
  const all = vehicles.flatMap(({ sourceId }) => [...days].map((date) => `${sourceId}:${date}`))
  expect(removed).not.toEqual([])
  expect([...known, ...removed].toSorted()).toEqual(all.toSorted())
})

import { expect, test } from 'vitest'
import type { ReaderState, ReadPage } from '../../../../src/providers/provider.ts'
import type { FakeOptions } from '../../../fakes/kit/start-fake.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'
import { kept, NOW, signedIn, startGeotab, typedAt } from '../../../support/providers/geotab-harness.ts'

const PAGE = 20_000
const window = { from: Date.parse('2026-06-01T00:00:00.000Z'), to: Date.parse(NOW) }

type Model = 'VehicleLocation' | 'VehicleStatLog'

async function startFeeds(options: FakeOptions) {
  const geotab = await startGeotab(options)
  const { api } = kept(geotab, await signedIn(geotab, typedAt(geotab)))
  const pageAfter = (model: Model, state: ReaderState): Promise<ReadPage> => {
    const reader = geotab.adapter.readers[model]
    if (!reader) throw new Error(`${model} is not read`)
    return reader.read(api, state, window, emptyRoster)
  }
  return {
    fake: geotab.fake,
    pageAfter,
    async allOf(model: Model, from: ReaderState) {
      const records: unknown[] = []
      for (let state = from; ;) {
        const page = await pageAfter(model, state)
        records.push(...page.records)
        if (page.isCaughtUp) return { records, state: page.next }
        state = page.next
      }
    },
    [Symbol.asyncDispose]: geotab[Symbol.asyncDispose],
  }
}

const keysOf = (records: readonly unknown[]): Set<string> =>
  new Set(records.map((one) => JSON.stringify(one)))

test('a full feed page whose cursor does not advance fails, and a later read loses no record', async () => {
  await using feeds = await startFeeds({ vehicles: 4, days: 3, world: { fixEveryMilliseconds: 4_000 } })
  const first = await feeds.pageAfter('VehicleLocation', null)
  expect(first.records).toHaveLength(PAGE)
  await feeds.fake.fail({ kind: 'repeated', key: 'fleet_1 GetFeed LogRecord' })
  await expect(feeds.pageAfter('VehicleLocation', first.next)).rejects.toMatchObject({ kind: 'unavailable' })
  const rest = await feeds.allOf('VehicleLocation', first.next)
  const all = await feeds.allOf('VehicleLocation', null)
  expect(rest.records.length).toBeGreaterThan(0)
  expect(keysOf([...first.records, ...rest.records])).toEqual(keysOf(all.records))
})

test.each(['refused', 'all'])(
  'a feed restarts if its version is no longer valid; the provider answers with: %s',
  async (unknownVersion) => {
    await using feeds = await startFeeds({ vehicles: 6, days: 3 })
    await feeds.fake.behave({ unknownVersion })
    for (const model of ['VehicleLocation', 'VehicleStatLog'] as const) {
      const before = await feeds.allOf(model, null)
      expect(before.records.length).toBeGreaterThan(0)
      expect((await feeds.allOf(model, before.state)).records).toEqual([])
      await fetch(`${feeds.fake.url}/_geotab/versions`, { method: 'DELETE' })
      const again = await feeds.allOf(model, before.state)
      expect(keysOf(again.records)).toEqual(keysOf(before.records))
      expect((await feeds.allOf(model, again.state)).records).toEqual([])
    }
  },
)

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
  const pageAfter = (model: Model, place: ReaderState): Promise<ReadPage> => {
    const reader = geotab.adapter.readers[model]
    if (!reader) throw new Error(`${model} is not read`)
    return reader.read(api, place, window, emptyRoster)
  }
  return {
    fake: geotab.fake,
    pageAfter,
    async allOf(model: Model, from: ReaderState) {
      const records: unknown[] = []
      for (let place = from; ;) {
        const page = await pageAfter(model, place)
        records.push(...page.records)
        if (page.isCaughtUp) return { records, place: page.next }
        place = page.next
      }
    },
    [Symbol.asyncDispose]: geotab[Symbol.asyncDispose],
  }
}

const keysOf = (records: readonly unknown[]): Set<string> =>
  new Set(records.map((one) => JSON.stringify(one)))

test('a full page of a feed that leads back to itself is asked for again, and nothing of it is lost', async () => {
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
  'where a version is not known any more, the feed begins again and goes on: such versions are %s',
  async (unknownVersion) => {
    await using feeds = await startFeeds({ vehicles: 6, days: 3 })
    await feeds.fake.behave({ unknownVersion })
    for (const model of ['VehicleLocation', 'VehicleStatLog'] as const) {
      const before = await feeds.allOf(model, null)
      expect(before.records.length).toBeGreaterThan(0)
      expect((await feeds.allOf(model, before.place)).records).toEqual([])
      await fetch(`${feeds.fake.url}/_geotab/versions`, { method: 'DELETE' })
      const again = await feeds.allOf(model, before.place)
      expect(keysOf(again.records)).toEqual(keysOf(before.records))
      expect((await feeds.allOf(model, again.place)).records).toEqual([])
    }
  },
)

import { expect, test } from 'vitest'
import type { ReaderState, ReadPage } from '../../../../src/providers/provider.ts'
import { startFake, type FakeOptions } from '../../../fakes/kit/start-fake.ts'
import { temporaryDatabase } from '../../../support/factories.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { geotab } from '../../../support/providers/subjects/geotab-subject.ts'
import {
  connectionWith,
  NOW,
  signIn,
  startGeotab,
  newUserCredentials,
} from '../../../support/providers/geotab-harness.ts'

const PAGE = 20_000
const window = { from: Date.parse('2026-06-01T00:00:00.000Z'), to: Date.parse(NOW) }

type Model = 'VehicleLocation' | 'VehicleStatLog'

async function startFeeds(options: FakeOptions) {
  const geotab = await startGeotab(options)
  const { api } = connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab)))
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

test('a feed whose version is no longer valid starts again if the provider sends all records', async () => {
  await using feeds = await startFeeds({ vehicles: 6, days: 3 })
  await feeds.fake.behave({ unknownVersion: 'all' })
  for (const model of ['VehicleLocation', 'VehicleStatLog'] as const) {
    const before = await feeds.allOf(model, null)
    expect(before.records.length).toBeGreaterThan(0)
    expect((await feeds.allOf(model, before.state)).records).toEqual([])
    await fetch(`${feeds.fake.url}/_geotab/versions`, { method: 'DELETE' })
    const again = await feeds.allOf(model, before.state)
    expect(keysOf(again.records)).toEqual(keysOf(before.records))
    expect((await feeds.allOf(model, again.state)).records).toEqual([])
  }
})

test('all feeds start again within one attempt of a sync if the provider refuses their versions', async () => {
  await using db = await temporaryDatabase('sqlite')
  await using fake = await startFake('geotab', { vehicles: 6, days: 3, now: NOW })
  const fleet = await LinkedFleet.link({ db, subject: geotab, fake, now: NOW })
  const tables = ['vehicle_locations', 'vehicle_stat_logs', 'trips', 'hos_logs']
  const counts = () => Promise.all(tables.map((table) => fleet.count(table)))
  const syncAgain = async () => {
    fleet.moveClock(60_000)
    expect(await fleet.sync({ attempts: 1 })).toMatchObject({ sync: 'completed', issues: [] })
  }
  await fleet.sync()
  const before = await counts()
  expect(Math.min(...before)).toBeGreaterThan(0)
  await fetch(`${fake.url}/_geotab/versions`, { method: 'DELETE' })
  await syncAgain()
  expect(await counts()).toEqual(before)
  await syncAgain()
  await fleet.close()
})

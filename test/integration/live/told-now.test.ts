import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { NormalizedDriver, NormalizedLatestLocation } from '../../../src/providers/normalized-records.ts'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import { DAY, dialects } from '../../support/factories.ts'
import { OnDemandHarness, places } from '../../support/on-demand-harness.ts'

type Values = Partial<NormalizedLatestLocation>

/** A provider that tells something else of each vehicle. */
const telling =
  (change: (draft: NormalizedLatestLocation) => Values) =>
  (adapter: ProviderAdapter): ProviderAdapter => {
    const reader = adapter.latest.LatestVehicleLocation as Reader<NormalizedLatestLocation>
    const normalize: typeof reader.normalize = (record, asOf) => {
      const draft = reader.normalize(record, asOf)
      return { ...draft, ...change(draft) }
    }
    return { ...adapter, latest: { ...adapter.latest, LatestVehicleLocation: { ...reader, normalize } } }
  }

/** A provider that tells something else of each driver. */
const withDrivers =
  (change: (draft: NormalizedDriver) => Partial<NormalizedDriver>) =>
  (adapter: ProviderAdapter): ProviderAdapter => {
    const reader = adapter.readers.Driver as Reader<NormalizedDriver>
    const normalize: typeof reader.normalize = (record, asOf) => {
      const draft = reader.normalize(record, asOf)
      return { ...draft, ...change(draft) }
    }
    return { ...adapter, readers: { ...adapter.readers, Driver: { ...reader, normalize } } }
  }

describe.each(dialects)('what is told now, on %s,', (dialect) => {
  let live: OnDemandHarness
  beforeAll(async () => void (live = await OnDemandHarness.start(dialect)))
  afterEach(() => void (live.harness.adapt = (adapter) => adapter))
  afterAll(() => live[Symbol.asyncDispose]())

  async function first(linked: Awaited<ReturnType<OnDemandHarness['manual']>>, values: Values) {
    live.harness.adapt = telling(() => values)
    live.harness.moveClock(2000)
    const { body } = await live.get(linked.party, places.path)
    return body.results[0]
  }

  test('is what an engine and a tank do where a vehicle stands', async () => {
    const linked = await live.manual()
    const locatedAt = live.harness.tools.clock.now() - 1000
    await first(linked, { locatedAt, engineState: 'on', fuelPrimaryPercentage: 20 })
    const then = await first(linked, { locatedAt, engineState: 'off', fuelPrimaryPercentage: 95 })
    expect([then.engineState, then.fuel.primaryPercentage]).toEqual(['off', 95])
    // What is not told again stays known.
    const later = await first(linked, { locatedAt, engineState: null, fuelPrimaryPercentage: null })
    expect([later.engineState, later.fuel.primaryPercentage]).toEqual(['off', 95])
  })

  test('is left out where it cannot be read, for whatever reason, and the others are told', async () => {
    const linked = await live.manual()
    const whole = await live.get(linked.party, places.path)
    live.harness.moveClock(2000)
    const now = live.harness.tools.clock.now()
    let unreadable = 0
    live.harness.adapt = telling(() => {
      if (++unreadable === 1) throw new TypeError('no such member')
      return { locatedAt: now }
    })
    const { status, body } = await live.get(linked.party, places.path)
    const told = body.results.filter((one: { locatedAt: string }) => Date.parse(one.locatedAt) === now)
    expect([status, told.length]).toEqual([200, whole.body.results.length - 1])
  })

  test('is no place of a clock that is far ahead, once another is told', async () => {
    const linked = await live.manual()
    const [sane, ahead] = [live.harness.tools.clock.now() - 1000, live.harness.tools.clock.now() + 100 * DAY]
    await first(linked, { locatedAt: ahead })
    const then = await first(linked, { locatedAt: sane })
    expect(Date.parse(then.locatedAt)).toBe(sane)
    expect(Date.parse((await first(linked, { locatedAt: ahead })).locatedAt)).toBe(sane)
  })

  test.each([
    ['/hos/available-time', 'driver', "`drivers` SET `status` = 'inactive'"],
    ['/trailers/locations', 'trailer', '`trailers` SET `deletedAt` = 1'],
    [places.path, 'vehicle', '`vehicles` SET `deletedAt` = 1'],
  ])('%s, is nothing of a %s that is gone', async (path, owner, change) => {
    const linked = await live.manual()
    await live.harness.sync(linked)
    const { body } = await live.get(linked.party, path)
    const [gone, ...others] = body.results.map((one: Record<string, string>) => one[owner])
    await live.harness.tools.db.transaction((tx) => tx.run(`UPDATE ${change} WHERE \`id\` = ?`, [gone]))
    const raws = () =>
      live.harness.db.rows('SELECT `ownerId` FROM `raw_records` WHERE `ownerId` LIKE ?', [`%${gone}`])
    const before = await raws()
    live.harness.moveClock(2000)
    const then = await live.get(linked.party, path)
    expect(others.length).toBeGreaterThan(0)
    expect(then.body.results.map((one: Record<string, string>) => one[owner])).toEqual(others)
    // Its own stays as long as it does.
    expect([before.length, await raws()]).toEqual([2, [{ ownerId: gone }]])
  })

  test('is no event of a vehicle that is gone and told of all the same', async () => {
    const linked = await live.harness.link(undefined, { options: { locationEvents: true } })
    await live.harness.sync(linked)
    const { body } = await live.get(linked.party, places.path)
    const gone = body.results[0].vehicle
    await live.harness.set('vehicles', gone, { deletedAt: 1 })
    const told = async () => {
      live.harness.adapt = telling(() => ({ locatedAt: live.harness.tools.clock.now() }))
      live.harness.moveClock(5000)
      await live.poll(linked)
      const rows = await live.harness.tools.db.rows<{ count: number }>(
        'SELECT COUNT(*) AS `count` FROM `events` WHERE `connectionId` = ? AND `subjectId` = ?',
        [linked.id, gone],
      )
      return Number(rows[0]?.count)
    }
    const before = await told()
    expect([await told(), await told()]).toEqual([before, before])
  })

  test('is forgotten of a driver by the sync that finds the driver gone', async () => {
    const linked = await live.manual()
    await live.harness.sync(linked)
    const { body } = await live.get(linked.party, '/hos/available-time')
    const [gone, idle, ...others] = body.results.map((one: Record<string, string>) => one['driver'])
    const { sourceId } = await live.harness.row<{ sourceId: string }>('drivers', gone)
    const { sourceId: idleSourceId } = await live.harness.row<{ sourceId: string }>('drivers', idle)
    live.harness.adapt = withDrivers((draft) => {
      if (draft.sourceId === sourceId) return { deletedAt: live.harness.tools.clock.now() }
      return draft.sourceId === idleSourceId ? { status: 'inactive' } : {}
    })
    await live.harness.sync(linked)
    const known = await live.harness.tools.db.rows<{ id: string }>(
      'SELECT `driverId` AS `id` FROM `hos_available_times` WHERE `connectionId` = ?',
      [linked.id],
    )
    expect(known.map(({ id }) => id).toSorted()).toEqual(others.toSorted())
  })
})

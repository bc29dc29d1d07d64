import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { NormalizedDriver } from '../../../src/domain/models/driver.ts'
import type { NormalizedLatestLocation } from '../../../src/domain/models/vehicle-location.ts'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import { DAY, dialects } from '../../support/factories.ts'
import { OnDemandHarness, locationList } from '../../support/harnesses/on-demand-harness.ts'

type Values = Partial<NormalizedLatestLocation>

/** Returns an adapter that changes the latest location of each vehicle. */
const withLocations =
  (change: (normalized: NormalizedLatestLocation) => Values) =>
  (adapter: ProviderAdapter): ProviderAdapter => {
    const reader = adapter.latest.LatestVehicleLocation as Reader<NormalizedLatestLocation>
    const normalize: typeof reader.normalize = (record, asOf) => {
      const normalized = reader.normalize(record, asOf)
      return { ...normalized, ...change(normalized) }
    }
    return { ...adapter, latest: { ...adapter.latest, LatestVehicleLocation: { ...reader, normalize } } }
  }

/** Returns an adapter that changes each driver. */
const withDrivers =
  (change: (normalized: NormalizedDriver) => Partial<NormalizedDriver>) =>
  (adapter: ProviderAdapter): ProviderAdapter => {
    const reader = adapter.readers.Driver as Reader<NormalizedDriver>
    const normalize: typeof reader.normalize = (record, asOf) => {
      const normalized = reader.normalize(record, asOf)
      return { ...normalized, ...change(normalized) }
    }
    return { ...adapter, readers: { ...adapter.readers, Driver: { ...reader, normalize } } }
  }

describe.each(dialects)('latest records on %s', (dialect) => {
  let live: OnDemandHarness
  beforeAll(async () => void (live = await OnDemandHarness.start(dialect)))
  afterEach(() => void (live.harness.adapt = (adapter) => adapter))
  afterAll(() => live[Symbol.asyncDispose]())

  async function firstLocation(linked: Awaited<ReturnType<OnDemandHarness['manual']>>, values: Values) {
    live.harness.adapt = withLocations(() => values)
    live.harness.moveClock(2000)
    const { body } = await live.get(linked.client, locationList.path)
    return body.results[0]
  }

  test('have a new engine state and fuel level at an unchanged time', async () => {
    const linked = await live.manual()
    const locatedAt = live.harness.tools.clock.now() - 1000
    await firstLocation(linked, { locatedAt, engineState: 'on', fuelPrimaryPercentage: 20 })
    const latest = await firstLocation(linked, { locatedAt, engineState: 'off', fuelPrimaryPercentage: 95 })
    expect([latest.engineState, latest.fuel.primaryPercentage]).toEqual(['off', 95])
    // A missing value does not replace a known one.
    const later = await firstLocation(linked, { locatedAt, engineState: null, fuelPrimaryPercentage: null })
    expect([later.engineState, later.fuel.primaryPercentage]).toEqual(['off', 95])
  })

  test('have no odometer if a device that does not know it sends 0', async () => {
    const linked = await live.manual()
    const locatedAt = live.harness.tools.clock.now() - 1000
    const unknown = await firstLocation(linked, { locatedAt, odometerKilometers: 0 })
    expect(unknown.odometer).toBeUndefined()
    const known = await firstLocation(linked, { locatedAt, odometerKilometers: 120_000 })
    expect(known.odometer).toBe(120_000)
    const lost = await firstLocation(linked, { locatedAt, odometerKilometers: 0 })
    expect(lost.odometer).toBe(120_000)
  })

  test('exclude an unreadable record, and include the others', async () => {
    const linked = await live.manual()
    const whole = await live.get(linked.client, locationList.path)
    live.harness.moveClock(2000)
    const now = live.harness.tools.clock.now()
    let unreadable = 0
    live.harness.adapt = withLocations(() => {
      if (++unreadable === 1) throw new TypeError('no such member')
      return { locatedAt: now }
    })
    const { status, body } = await live.get(linked.client, locationList.path)
    const current = body.results.filter((one: { locatedAt: string }) => Date.parse(one.locatedAt) === now)
    expect([status, current.length]).toEqual([200, whole.body.results.length - 1])
  })

  test.each([6 / 60, 8, 100 * 24])(
    'replace a location %d h in the future with a current one',
    async (hours) => {
      const linked = await live.manual()
      const now = live.harness.tools.clock.now()
      const [sane, ahead] = [now - 1000, now + (hours / 24) * DAY]
      await firstLocation(linked, { locatedAt: ahead })
      const latest = await firstLocation(linked, { locatedAt: sane })
      expect(Date.parse(latest.locatedAt)).toBe(sane)
      expect(Date.parse((await firstLocation(linked, { locatedAt: ahead })).locatedAt)).toBe(sane)
    },
  )

  test.each([
    ['/hos/available-time', 'driver', "`drivers` SET `status` = 'inactive'"],
    ['/trailers/locations', 'trailer', '`trailers` SET `deletedAt` = 1'],
    [locationList.path, 'vehicle', '`vehicles` SET `deletedAt` = 1'],
  ])('of %s exclude a removed %s', async (path, owner, change) => {
    const linked = await live.manual()
    await live.harness.sync(linked)
    const { body } = await live.get(linked.client, path)
    const [removed, ...others] = body.results.map((one: Record<string, string>) => one[owner])
    await live.harness.tools.db.transaction((tx) => tx.run(`UPDATE ${change} WHERE \`id\` = ?`, [removed]))
    const rawRecords = () =>
      live.harness.db.rows('SELECT `ownerId` FROM `raw_records` WHERE `ownerId` LIKE ?', [`%${removed}`])
    const before = await rawRecords()
    live.harness.moveClock(2000)
    const latest = await live.get(linked.client, path)
    expect(others.length).toBeGreaterThan(0)
    expect(latest.body.results.map((one: Record<string, string>) => one[owner])).toEqual(others)
    // The raw record of the owner itself remains.
    expect([before.length, await rawRecords()]).toEqual([2, [{ ownerId: removed }]])
  })

  test('cause no event for a removed vehicle', async () => {
    const linked = await live.harness.link(undefined, { options: { locationEvents: true } })
    await live.harness.sync(linked)
    const { body } = await live.get(linked.client, locationList.path)
    const removed = body.results[0].vehicle
    await live.harness.set('vehicles', removed, { deletedAt: 1 })
    const eventsAfterPoll = async () => {
      live.harness.adapt = withLocations(() => ({ locatedAt: live.harness.tools.clock.now() }))
      live.harness.moveClock(5000)
      await live.poll(linked)
      const rows = await live.harness.tools.db.rows<{ count: number }>(
        'SELECT COUNT(*) AS `count` FROM `events` WHERE `connectionId` = ? AND `subjectId` = ?',
        [linked.id, removed],
      )
      return Number(rows[0]?.count)
    }
    const before = await eventsAfterPoll()
    expect([await eventsAfterPoll(), await eventsAfterPoll()]).toEqual([before, before])
  })

  test('are deleted by a sync for removed and inactive drivers', async () => {
    const linked = await live.manual()
    await live.harness.sync(linked)
    const { body } = await live.get(linked.client, '/hos/available-time')
    const [removed, idle, ...others] = body.results.map((one: Record<string, string>) => one['driver'])
    const { sourceId } = await live.harness.row<{ sourceId: string }>('drivers', removed)
    const { sourceId: idleSourceId } = await live.harness.row<{ sourceId: string }>('drivers', idle)
    live.harness.adapt = withDrivers((normalized) => {
      if (normalized.sourceId === sourceId) return { deletedAt: live.harness.tools.clock.now() }
      return normalized.sourceId === idleSourceId ? { status: 'inactive' } : {}
    })
    await live.harness.sync(linked)
    const known = await live.harness.tools.db.rows<{ id: string }>(
      'SELECT `driverId` AS `id` FROM `hos_available_times` WHERE `connectionId` = ?',
      [linked.id],
    )
    expect(known.map(({ id }) => id).toSorted()).toEqual(others.toSorted())
  })
})

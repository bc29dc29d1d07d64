import { expect, describe, test } from 'vitest'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import type { NormalizedLocation } from '../../../src/domain/models/vehicle-location.ts'
import { stores } from '../../support/database/stores.ts'
import { SyncHarness } from '../../support/sync/sync-harness.ts'

const HOUR_MS = 3_600_000
const NOON = Date.UTC(2026, 5, 10, 12)
/** Hours for which a tracker drives without a connection. */
const HIDDEN_HOURS = 6

interface Tracker {
  hasUploaded: boolean
  /** Late points of which the provider was asked. */
  readonly late: Set<string>
}

/** Returns an adapter of a provider to which the points of some hours are uploaded late. */
function withLatePoints(adapter: ProviderAdapter, tracker: Tracker): ProviderAdapter {
  const reader = adapter.readers.VehicleLocation as Reader<NormalizedLocation>
  const late: Reader<NormalizedLocation> = {
    ...reader,
    async read(...args) {
      const page = await reader.read(...args)
      const records = page.records.filter((record) => {
        const { vehicleSourceId, locatedAt } = reader.normalize(record, NOON)
        const isLate = locatedAt >= NOON && locatedAt < NOON + HIDDEN_HOURS * HOUR_MS
        if (isLate) tracker.late.add(`${vehicleSourceId} ${locatedAt}`)
        return !isLate || tracker.hasUploaded
      })
      return { ...page, records }
    },
  }
  return { ...adapter, readers: { ...adapter.readers, VehicleLocation: late } }
}

describe.each(stores)('positions that a tracker uploads late, on %s', (store) => {
  test.each([10, 30])('%d h, are stored within a day of the upload', async (lateByHours) => {
    const tracker: Tracker = { hasUploaded: false, late: new Set() }
    await using harness = await SyncHarness.start(store, {
      vehicles: 3,
      startsAt: NOON - HOUR_MS,
      wrapped: (adapter) => withLatePoints(adapter, tracker),
    })
    const stored = () =>
      harness.count(
        `\`vehicle_locations\` WHERE \`locatedAt\` >= ${NOON} AND \`locatedAt\` < ${NOON + HIDDEN_HOURS * HOUR_MS}`,
      )
    await harness.sync()
    const syncFor = async (hours: number) => {
      for (let passed = 0; passed < hours; passed += 6) {
        harness.moveClock(6 * HOUR_MS)
        await harness.control('clock', { offsetMs: harness.tools.clock.now() - Date.now() })
        await harness.sync()
      }
    }
    await syncFor(HIDDEN_HOURS + lateByHours)
    expect(tracker.late.size).toBeGreaterThan(10)
    expect(await stored()).toBe(0)

    tracker.hasUploaded = true
    await syncFor(24)
    expect(await stored()).toBe(tracker.late.size)
  })
})

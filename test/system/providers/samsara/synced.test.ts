import { describe, expect, test } from 'vitest'
import { stores } from '../../../support/stores.ts'
import { SyncedFleet } from '../../../support/providers/samsara-fleet.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-06-15T18:00:00.000Z')
const FROM = NOW - 6 * DAY_MS

/** Tables, and the models that they hold. */
const tables = {
  groups: 'Group',
  drivers: 'Driver',
  vehicles: 'Vehicle',
  trailers: 'Trailer',
  devices: 'Device',
  trips: 'Trip',
  safety_events: 'SafetyEvent',
  fault_code_events: 'FaultCodeEvent',
  hos_logs: 'HOSLog',
} as const

interface Told {
  readonly sourceId: string
  readonly startedAt?: number
  readonly observedAt?: number
}

/** What is stored, and what is to be: of what began before the fleet's history there may be more. */
async function compared(fleet: SyncedFleet, now: number): Promise<void> {
  for (const [table, model] of Object.entries(tables)) {
    const truth = await fleet.fake.truth<Told[]>(model, { to: new Date(now).toISOString() })
    const stored = new Set(await fleet.stored(table))
    const known = new Set(truth.map(({ sourceId }) => sourceId))
    const since = truth.filter((one) => (one.startedAt ?? one.observedAt ?? FROM) >= FROM)
    const missing = since.filter(({ sourceId }) => !stored.has(sourceId))
    const invented = [...stored].filter((sourceId) => !known.has(sourceId))
    expect({ model, missing, invented }).toEqual({ model, missing: [], invented: [] })
  }
}

describe.each(stores)('a fleet at Samsara, on %s', (store) => {
  test('is synced, and a day later again, within every budget', { timeout: 240_000 }, async () => {
    await using fleet = await SyncedFleet.start(store, NOW, FROM)
    for (const now of [NOW, NOW + DAY_MS]) {
      await fleet.moveTo(now)
      expect(await fleet.sync()).toEqual({ status: 'completed', failureReason: null })
      await compared(fleet, now)
    }
    const refused = await fleet.refused()
    expect(Object.keys(refused).length).toBeGreaterThan(10)
    expect(Object.entries(refused).filter(([, count]) => count > 0)).toEqual([])
  })
})

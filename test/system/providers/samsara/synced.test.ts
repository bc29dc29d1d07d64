import { describe, expect, test } from 'vitest'
import { stores } from '../../../support/database/stores.ts'
import { SyncedFleet } from '../../../support/providers/samsara-fleet.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-06-15T18:00:00.000Z')
const FROM = NOW - 6 * DAY_MS

/** Tables and their models. */
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

interface Received {
  readonly sourceId: string
  readonly startedAt?: number
  readonly observedAt?: number
}

/** Compares stored and expected records. Records that started before the fleet's history may be extra. */
async function compared(fleet: SyncedFleet, now: number): Promise<void> {
  for (const [table, model] of Object.entries(tables)) {
    const truth = await fleet.fake.truth<Received[]>(model, { to: new Date(now).toISOString() })
    const stored = new Set(await fleet.stored(table))
    const known = new Set(truth.map(({ sourceId }) => sourceId))
    const since = truth.filter((one) => (one.startedAt ?? one.observedAt ?? FROM) >= FROM)
    const missing = since.filter(({ sourceId }) => !stored.has(sourceId))
    const invented = [...stored].filter((sourceId) => !known.has(sourceId))
    expect({ model, missing, invented }).toEqual({ model, missing: [], invented: [] })
  }
}

describe.each(stores)('a fleet at Samsara, on %s', (store) => {
  test('syncs, and again a day later, within every rate limit', { timeout: 240_000 }, async () => {
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

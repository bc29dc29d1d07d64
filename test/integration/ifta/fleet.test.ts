import { expect, test } from 'vitest'
import { monthCalendarOf } from '../../../src/sync/ifta/mileage/calendar-months.ts'
import { syncConnection } from '../../../src/sync/sync-connection.ts'
import { emptyRoster } from '../../support/providers/empty-roster.ts'
import { IftaHarness } from '../../support/ifta/ifta-harness.ts'

const HOUR_MS = 3_600_000

test('computed distances are within 3% of those of the provider', { timeout: 240_000 }, async () => {
  await using harness = await IftaHarness.start('sqlite', [])
  // The clock is in the evening of the first day of a month, so the month has one day.
  const now = harness.tools.clock.now()
  const evening = new Date(now)
  evening.setUTCMonth(evening.getUTCMonth() + 1, 2)
  const eveningMs = evening.setUTCHours(2, 0, 0, 0)
  await harness.harness.control('clock', { offsetMs: eveningMs - now })
  harness.harness.moveClock(eveningMs - now)
  const { key } = harness.harness
  const { timeZone } = await harness.adapter.identify(
    harness.adapter.api({ apiKey: key }, neverAborted()),
    {},
  )
  await harness.set({ backfillFrom: eveningMs - 36 * HOUR_MS, timeZone })
  const sync = await harness.harness.request()
  await syncConnection(harness.tools, sync.id, { id: 'job', attempt: 1, signal: neverAborted() })
  harness.harness.moveClock(7 * HOUR_MS)
  await harness.compute()
  const { name: month } = monthCalendarOf(timeZone ?? 'UTC').monthAt(eveningMs)
  const computed = kilometersByVehicle((await harness.months()).filter((row) => row.month === month))
  const reported = await providerMonths(harness, month, eveningMs)
  expect(computed.size).toBeGreaterThan(5)
  for (const [vehicle, kilometers] of computed) {
    expect(kilometers).toBeGreaterThan((reported.get(vehicle) ?? 0) * 0.97)
    expect(kilometers).toBeLessThan((reported.get(vehicle) ?? 0) * 1.03)
  }
})

const neverAborted = () => new AbortController().signal

function kilometersByVehicle(rows: readonly { vehicle: string; distance: number }[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { vehicle, distance } of rows) sums.set(vehicle, (sums.get(vehicle) ?? 0) + distance)
  return sums
}

async function providerMonths(harness: IftaHarness, month: string, to: number): Promise<Map<string, number>> {
  const adapter = harness.harness.tools.registry.find('sandbox')!
  const reader = adapter.readers.IFTASummary!
  const api = adapter.api({ apiKey: harness.harness.key }, neverAborted())
  const normalized = []
  for (let state = null; ;) {
    const page = await reader.read(api, state, { from: to - 1, to }, emptyRoster)
    normalized.push(...page.records.map((record) => reader.normalize(record)))
    if (page.next === null) break
    state = page.next as never
  }
  return kilometersByVehicle(
    normalized
      .filter((record) => record.month === month)
      .map(({ vehicleSourceId, distanceKilometers }) => ({
        vehicle: vehicleSourceId,
        distance: distanceKilometers,
      })),
  )
}

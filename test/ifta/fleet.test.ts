import { expect, test } from 'vitest'
import { calendarOf } from '../../src/ifta/months.ts'
import { syncConnection } from '../../src/sync/sync-connection.ts'
import { noRoster } from '../providers/no-roster.ts'
import { IftaRig } from './rig.ts'

const HOUR_MS = 3_600_000

test('a fleet on the road drives as far as its provider says', { timeout: 240_000 }, async () => {
  await using rig = await IftaRig.start('sqlite', [])
  // The provider is asked in the evening of the first day of a month, so that the month is a day long.
  const now = rig.tools.clock.now()
  const evening = new Date(now)
  evening.setUTCMonth(evening.getUTCMonth() + 1, 2)
  const then = evening.setUTCHours(2, 0, 0, 0)
  await rig.rig.control('clock', { offsetMs: then - now })
  rig.rig.moveClock(then - now)
  const { key } = rig.rig
  const { timeZone } = await rig.adapter.identify(rig.adapter.api({ apiKey: key }, unstopped()), {})
  await rig.set({ backfillFrom: then - 36 * HOUR_MS, timeZone })
  const sync = await rig.rig.request()
  await syncConnection(rig.tools, sync.id, { id: 'job', attempt: 1, signal: unstopped() })
  rig.rig.moveClock(7 * HOUR_MS)
  await rig.compute()
  const { name: month } = calendarOf(timeZone ?? 'UTC').monthAt(then)
  const computed = kilometersByVehicle((await rig.months()).filter((row) => row.month === month))
  const told = await providerMonths(rig, month, then)
  expect(computed.size).toBeGreaterThan(5)
  for (const [vehicle, kilometers] of computed) {
    expect(kilometers).toBeGreaterThan((told.get(vehicle) ?? 0) * 0.97)
    expect(kilometers).toBeLessThan((told.get(vehicle) ?? 0) * 1.03)
  }
})

const unstopped = () => new AbortController().signal

function kilometersByVehicle(rows: readonly { vehicle: string; distance: number }[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { vehicle, distance } of rows) sums.set(vehicle, (sums.get(vehicle) ?? 0) + distance)
  return sums
}

async function providerMonths(rig: IftaRig, month: string, to: number): Promise<Map<string, number>> {
  const adapter = rig.rig.tools.registry.find('sandbox')!
  const reader = adapter.readers.IFTASummary!
  const api = adapter.api({ apiKey: rig.rig.key }, unstopped())
  const drafts = []
  for (let state = null; ;) {
    const page = await reader.read(api, state, { from: to - 1, to }, noRoster)
    drafts.push(...page.records.map((record) => reader.toDraft(record)))
    if (page.next === null) break
    state = page.next as never
  }
  return kilometersByVehicle(
    drafts
      .filter((draft) => draft.month === month)
      .map(({ vehicleSourceId, distanceKilometers }) => ({
        vehicle: vehicleSourceId,
        distance: distanceKilometers,
      })),
  )
}

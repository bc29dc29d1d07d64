import { expect, test } from 'vitest'
import { readGpsLogs, type DevicePeriod } from '../../../../src/providers/geotab/readers/gps-logs.ts'
import {
  countsOf,
  connectionWith,
  NOW,
  signIn,
  startGeotab,
  newUserCredentials,
} from '../../../support/providers/geotab-harness.ts'

const MINUTE_MS = 60_000

test('one multi-call reads the positions in all periods of six devices', async () => {
  await using geotab = await startGeotab({ vehicles: 6, days: 8 })
  const { api } = connectionWith(geotab, await signIn(geotab, newUserCredentials(geotab)))
  const trips = await geotab.fake.truth<{ vehicleSourceId: string; startedAt: number; endedAt: number }[]>(
    'Trip',
    { from: '2026-06-08T00:00:00.000Z', to: NOW },
  )
  const periods = trips.map(({ vehicleSourceId: device, startedAt: from, endedAt: to }): DevicePeriod => ({
    device,
    from,
    to,
  }))
  await geotab.fake.forgetCalls()
  const found = await readGpsLogs(api, periods.toReversed())
  expect(await countsOf(geotab.fake)).toMatchObject({ 'fleet_1 ExecuteMultiCall': 1 })
  expect(found).toHaveLength(trips.length)
  expect(trips.length).toBeGreaterThan(50)
  for (const [index, { from, to }] of periods.toReversed().entries()) {
    const times = found[index]?.map(({ dateTime }) => dateTime) ?? []
    expect(times).toEqual(times.filter((at) => at >= from && at <= to).toSorted((one, other) => one - other))
    expect(times.length).toBeGreaterThan((to - from) / (5 * MINUTE_MS) - 1)
  }
})

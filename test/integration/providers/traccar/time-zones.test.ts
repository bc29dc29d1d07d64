import { describe, expect, test } from 'vitest'
import { traccarAdapter } from '../../../../src/providers/traccar/adapter.ts'
import type { NormalizedUtilizationDay } from '../../../../src/domain/models/vehicle-utilization.ts'
import type { ReaderState } from '../../../../src/providers/provider.ts'
import { startFake } from '../../../fakes/kit/start-fake.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const DAY_MS = 86_400_000
const WINDOW = { from: Date.parse(NOW) - 3 * DAY_MS, to: Date.parse(NOW) }

const timeZoneModes = [
  ['names', 'America/Chicago'],
  ['offsets', 'Etc/GMT+6'],
  ['half_hours', 'Asia/Kolkata'],
  ['unknown', 'UTC'],
  ['of_server', 'Asia/Tokyo'],
  ['of_machine', null],
  ['wrong', 'America/Chicago'],
  ['forced', 'Asia/Tokyo'],
] as const

describe('the days of a Traccar account with time zones as', () => {
  test.each(timeZoneModes)('%s', async (timeZones, timeZone) => {
    await using fake = await startFake('traccar', { vehicles: 4, days: 5, now: NOW })
    await fake.behave({ timeZones })
    const credentials = { serverUrl: fake.url, token: 'token-1' }
    const adapter = traccarAdapter()
    const api = adapter.api(credentials, new AbortController().signal)
    expect(await adapter.identify(api, credentials)).toMatchObject({ timeZone })
    const days: object[] = []
    for (let state: ReaderState = null, isRead = false; !isRead; isRead = state === null) {
      const page = await adapter.readers.VehicleUtilization!.read(api, state, WINDOW, emptyRoster)
      days.push(...page.records.map((record) => adapter.readers.VehicleUtilization!.normalize(record)))
      state = page.next
    }
    const truth = await fake.truth<NormalizedUtilizationDay[]>('VehicleUtilization', {
      from: new Date(WINDOW.from).toISOString(),
      to: NOW,
    })
    expect(days.length).toBeGreaterThan(0)
    expect(days).toEqual(expect.arrayContaining(truth.map(approximately)))
    expect(days).toHaveLength(truth.length)
  })
})

const approximately = ({ fuelConsumedLiters, distanceKilometers, ...day }: NormalizedUtilizationDay) => ({
  ...day,
  fuelConsumedLiters,
  distanceKilometers: expect.closeTo(distanceKilometers as number, 6) as number,
})

import { expect, test } from 'vitest'
import { temporaryDatabase } from '../../../support/factories.ts'
import { startFake } from '../../../fakes/kit/start-fake.ts'
import { completed } from '../../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { motive } from '../../../support/providers/subjects/motive-subject.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const [VEHICLES, DAYS] = [10, 30]

test('vehicles with few records a day are read by one request for all days', async () => {
  await using db = await temporaryDatabase('sqlite')
  await using fake = await startFake('motive', { vehicles: VEHICLES, days: DAYS, now: NOW })
  const fleet = await LinkedFleet.link({ db, subject: motive, fake, now: NOW }, { days: DAYS - 1 })
  expect(await fleet.sync()).toEqual(completed)
  const { byEndpoint } = await fake.calls()
  // Positions and measurements are read vehicle by vehicle, for the first vehicles by week.
  expect(byEndpoint['GET /v3/vehicle_locations/:id']).toBeLessThan(2 * 2 * VEHICLES)
  const since = { column: 'locatedAt', from: Date.parse(NOW) - (DAYS - 1) * 86_400_000 }
  expect(await fleet.count('vehicle_locations', since)).toBeGreaterThan(VEHICLES * DAYS)
  await fleet.close()
})

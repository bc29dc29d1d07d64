import { expect, test } from 'vitest'
import { temporaryDatabase } from '../../../support/factories.ts'
import { startFake } from '../../../fakes/kit/start-fake.ts'
import { whole } from '../../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { motive } from '../../../support/providers/motive-subject.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const [VEHICLES, DAYS] = [10, 30]

test('vehicles that tell little in a day are asked for all their days at once', async () => {
  await using db = await temporaryDatabase('sqlite')
  await using fake = await startFake('motive', { vehicles: VEHICLES, days: DAYS, now: NOW })
  const fleet = await LinkedFleet.link({ db, subject: motive, fake, now: NOW }, { days: DAYS - 1 })
  expect(await fleet.sync()).toEqual(whole)
  const { byEndpoint } = await fake.calls()
  // Places and measurements are read of one vehicle after another; of the first ones a week at a time.
  expect(byEndpoint['GET /v3/vehicle_locations/:id']).toBeLessThan(2 * 2 * VEHICLES)
  const since = { column: 'locatedAt', from: Date.parse(NOW) - (DAYS - 1) * 86_400_000 }
  expect(await fleet.count('vehicle_locations', since)).toBeGreaterThan(VEHICLES * DAYS)
  await fleet.close()
})

import { expect, test } from 'vitest'
import { temporaryDatabase } from '../../../support/factories.ts'
import { startFake } from '../../../fakes/kit/start-fake.ts'
import { issue, notPermitted, completed } from '../../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { samsara } from '../../../support/providers/subjects/samsara-subject.ts'

const NOW = '2026-06-15T18:00:00.000Z'

test('reads the earlier records of vehicles once the permission for vehicles is granted', async () => {
  await using db = await temporaryDatabase('sqlite')
  await using fake = await startFake('samsara', { vehicles: 4, days: 4, now: NOW })
  const fleet = await LinkedFleet.link({ db, subject: samsara, fake, now: NOW }, { days: 3 })
  await fake.fail({ kind: 'status', status: 403, endpoint: 'GET /fleet/vehicles', times: null })
  expect(await fleet.sync()).toEqual(issue(notPermitted('Vehicle', 'Samsara')))
  expect([await fleet.count('vehicles'), await fleet.count('trips')]).toEqual([0, 0])

  await fake.heal()
  fleet.moveClock(60_000)
  expect(await fleet.sync()).toEqual(completed)
  const since = Date.parse(NOW) - 3 * 86_400_000
  const truth = await fake.truth<unknown[]>('Trip', { from: new Date(since).toISOString(), to: NOW })
  expect(truth.length).toBeGreaterThan(10)
  expect(await fleet.count('trips', { column: 'startedAt', from: since })).toBe(truth.length)
  await fleet.close()
})

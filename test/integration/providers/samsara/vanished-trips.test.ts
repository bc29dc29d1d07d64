import { expect, test } from 'vitest'
import { startFake } from '../../../fakes/kit/start-fake.ts'
import { temporaryDatabase } from '../../../support/factories.ts'
import { completed } from '../../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { samsara } from '../../../support/providers/subjects/samsara-subject.ts'

const NOW = '2026-06-18T18:00:00.000Z'
const HOUR_MS = 3_600_000

interface Trip {
  readonly sourceId: string
  readonly vehicleSourceId: string
  readonly startedAt: number
}

test('trips that vanish at Samsara are removed within a day, except before the first trip of a vehicle', async () => {
  await using db = await temporaryDatabase('sqlite')
  await using fake = await startFake('samsara', {
    vehicles: 6,
    days: 4,
    now: NOW,
    world: { restlessness: 0, lateShare: 0 },
  })
  const fleet = await LinkedFleet.link({ db, subject: samsara, fake, now: NOW }, { days: 3 })
  const syncAfter = async (hours: number) => {
    await fake.move({ advanceMilliseconds: hours * HOUR_MS })
    fleet.moveClock(hours * HOUR_MS)
    expect(await fleet.sync()).toEqual(completed)
  }
  expect(await fleet.sync()).toEqual(completed)
  const before = await fleet.stored('trips')

  await fake.behave({ deletedTrips: 'some' })
  await syncAfter(1)
  expect(await fleet.stored('trips')).toEqual(expect.arrayContaining(before))
  await syncAfter(23)
  const from = new Date(Date.parse(NOW) - 3 * 24 * HOUR_MS).toISOString()
  const left = await fake.truth<Trip[]>('Trip', { from })
  const isAfterFirst = (sourceId: string) => {
    const [vehicle, start = ''] = sourceId.split(/:(.*)/)
    return left.some(
      ({ vehicleSourceId, startedAt }) => vehicleSourceId === vehicle && startedAt < Date.parse(start),
    )
  }
  const ids = left.map(({ sourceId }) => sourceId)
  const vanished = before.filter((sourceId) => !ids.includes(sourceId))
  const removed = vanished.filter(isAfterFirst)
  expect(removed.length).toBeGreaterThan(3)
  const stored = await fleet.stored('trips')
  expect(before.filter((sourceId) => !stored.includes(sourceId))).toEqual(removed)
  expect(stored).toEqual(expect.arrayContaining(ids))
  const events = await db.rows("SELECT 1 FROM `events` WHERE `type` = 'trip.removed'")
  expect(events).toHaveLength(removed.length)

  await syncAfter(1)
  expect(await fleet.stored('trips')).toEqual(expect.arrayContaining(stored))
  await fleet.close()
})

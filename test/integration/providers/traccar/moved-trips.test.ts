import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../../src/storage/database.ts'
import { DAY, dialects, temporaryDatabase } from '../../../support/factories.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { completed } from '../../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { traccar } from '../../../support/providers/subjects/traccar-subject.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const MINUTE_MS = 60_000
const TRIPS = '/api/reports/trips'

interface Trip {
  readonly deviceId: number
  readonly startTime: string
}

describe.each(dialects)('trips whose bounds the server changes, on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let fake: RunningFake
  let fleet: LinkedFleet
  let before: string[]
  /** Trips of the last day, which a sync reads again, of the vehicle with the most trips. */
  let mine: readonly Trip[]
  /** Trips of the last day of the other vehicles. */
  let others: readonly Trip[]

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    fake = await startFake('traccar', { vehicles: 4, days: 4, now: NOW })
    fleet = await LinkedFleet.link({ db, subject: traccar, fake, now: NOW }, { days: 3 })
    await fleet.sync()
    fleet.moveClock(MINUTE_MS)
    before = await stored()
    const all = await reportedTrips()
    const of = (device: number) => all.filter(({ deviceId }) => deviceId === device)
    mine = [1, 2, 3, 4].map(of).toSorted((one, other) => other.length - one.length)[0] ?? []
    others = all.filter((trip) => !mine.includes(trip))
    if (mine.length < 3 || others.length === 0) throw new Error('too few vehicles drive')
  })
  afterAll(async () => {
    await fleet.close()
    await fake[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  const stored = () => fleet.stored('trips')

  async function reportedTrips(): Promise<readonly Trip[]> {
    const from = new Date(Date.parse(NOW) - DAY).toISOString()
    const query = new URLSearchParams({ from, to: new Date(fleet.now).toISOString() })
    for (const id of ['1', '2', '3', '4']) query.append('deviceId', id)
    const response = await fetch(`${fake.url}${TRIPS}?${query}`, {
      headers: { authorization: 'Bearer token-1' },
    })
    const trips = (await response.json()) as Trip[]
    // The report of a day leaves out a trip that started before the day.
    return trips.filter((trip) => before.includes(keyOf(trip)))
  }

  async function syncWith(body: readonly Trip[]): Promise<void> {
    await fake.fail({ kind: 'status', status: 200, endpoint: `GET ${TRIPS}`, body })
    expect(await fleet.sync()).toEqual(completed)
    fleet.moveClock(MINUTE_MS)
  }

  const keyOf = ({ deviceId, startTime }: Trip) => `${deviceId}:${Date.parse(startTime)}`

  test('are stored once, with the latest start', async () => {
    const [first, second, third, ...rest] = mine as [Trip, Trip, Trip]
    const startTime = new Date(Date.parse(second.startTime) - 20 * MINUTE_MS).toISOString()
    const moved = { ...second, startTime }
    // The second trip now includes the third. The report has no trips of other vehicles.
    await syncWith([first, moved, ...rest])
    const removed = [second, third].map(keyOf)
    const after = [...before.filter((key) => !removed.includes(key)), keyOf(moved)]
    expect(await stored()).toEqual(after.toSorted())
    await syncWith([...mine, ...others])
    expect(await stored()).toEqual(before)
  })

  test('stay if they are older than the report, or if the report has no trip of the vehicle', async () => {
    await syncWith(mine.slice(2))
    expect(await stored()).toEqual(before)
    await syncWith([])
    expect(await stored()).toEqual(before)
  })
})

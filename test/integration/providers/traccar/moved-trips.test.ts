import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../../src/storage/database.ts'
import { DAY, dialects, temporaryDatabase } from '../../../support/factories.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { whole } from '../../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { traccar } from '../../../support/providers/traccar-subject.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const MINUTE_MS = 60_000
const TRIPS = '/api/reports/trips'

interface Trip {
  readonly deviceId: number
  readonly startTime: string
}

describe.each(dialects)('trips that the server cuts anew, on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let fake: RunningFake
  let fleet: LinkedFleet
  let before: string[]
  /** Of the last day, which a sync reads again: those of the vehicle that has most, and those of the others. */
  let mine: readonly Trip[]
  let others: readonly Trip[]

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    fake = await startFake('traccar', { vehicles: 4, days: 4, now: NOW })
    fleet = await LinkedFleet.link({ db, subject: traccar, fake, now: NOW }, { days: 3 })
    await fleet.sync()
    fleet.moveClock(MINUTE_MS)
    before = await stored()
    const all = await told()
    const of = (device: number) => all.filter(({ deviceId }) => deviceId === device)
    mine = [1, 2, 3, 4].map(of).toSorted((one, other) => other.length - one.length)[0] ?? []
    others = all.filter((trip) => !mine.includes(trip))
    if (mine.length < 3 || others.length === 0) throw new Error('too few of them drive')
  })
  afterAll(async () => {
    await fleet.close()
    await fake[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  const stored = () => fleet.stored('trips')

  async function told(): Promise<readonly Trip[]> {
    const from = new Date(Date.parse(NOW) - DAY).toISOString()
    const query = new URLSearchParams({ from, to: new Date(fleet.now).toISOString() })
    for (const id of ['1', '2', '3', '4']) query.append('deviceId', id)
    const answer = await fetch(`${fake.url}${TRIPS}?${query}`, {
      headers: { authorization: 'Bearer token-1' },
    })
    const trips = (await answer.json()) as Trip[]
    // One that ran when the day began is not told as of it.
    return trips.filter((trip) => before.includes(keyOf(trip)))
  }

  async function syncWith(body: readonly Trip[]): Promise<void> {
    await fake.fail({ kind: 'status', status: 200, endpoint: `GET ${TRIPS}`, body })
    expect(await fleet.sync()).toEqual(whole)
    fleet.moveClock(MINUTE_MS)
  }

  const keyOf = ({ deviceId, startTime }: Trip) => `${deviceId}:${Date.parse(startTime)}`

  test('are there once, with the beginning that is told last', async () => {
    const [first, second, third, ...rest] = mine as [Trip, Trip, Trip]
    const startTime = new Date(Date.parse(second.startTime) - 20 * MINUTE_MS).toISOString()
    const moved = { ...second, startTime }
    // The third is one with it; nothing is told of the others.
    await syncWith([first, moved, ...rest])
    const gone = [second, third].map(keyOf)
    const after = [...before.filter((key) => !gone.includes(key)), keyOf(moved)]
    expect(await stored()).toEqual(after.toSorted())
    await syncWith([...mine, ...others])
    expect(await stored()).toEqual(before)
  })

  test('stay where they are older than what is told, or nothing is told of the vehicle', async () => {
    await syncWith(mine.slice(2))
    expect(await stored()).toEqual(before)
    await syncWith([])
    expect(await stored()).toEqual(before)
  })
})

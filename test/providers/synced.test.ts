import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { type RunningFake, startFake } from '../fakes/kit/start-fake.ts'
import { dialects, temporaryDatabase } from '../factories.ts'
import { LinkedFleet } from './linked-fleet.ts'
import type { Values } from './read-back-askings.ts'
import { expected, ReadBack } from './read-back.ts'
import { whole } from './endings.ts'
import { subjects } from './subjects.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const DAY_MS = 86_400_000
const [VEHICLES, DAYS] = [30, 10]
const MOST_SHOWN = 5
/** So much that every day some vehicles come and some go. */
const RESTLESS = 20

/** What is read back of a whole fleet is what its provider's fake knows to be true of it, field by field. */
for (const subject of subjects)
  describe.each(dialects)(`a fleet of ${subject.provider} that is synced on %s`, (dialect) => {
    let db: Database & AsyncDisposable
    let fake: RunningFake
    let fleet: LinkedFleet
    let before: Readonly<Record<string, number>>
    beforeAll(async () => {
      db = await temporaryDatabase(dialect)
      fake = await startFake(subject.provider, {
        vehicles: VEHICLES,
        days: DAYS,
        now: NOW,
        world: { restlessness: RESTLESS },
        seed: 2,
      })
      fleet = await LinkedFleet.link({ db, subject, fake, now: NOW }, { days: DAYS - 1 })
    })
    afterAll(async () => {
      await fleet.close()
      await fake[Symbol.asyncDispose]()
      await db[Symbol.asyncDispose]()
    })

    const since = new Date(Date.parse(NOW) - (DAYS - 1) * DAY_MS).toISOString()

    /** How many records of each model there are, all of them as they should be. */
    const expectTruth = async (): Promise<Readonly<Record<string, number>>> => {
      const back = new ReadBack(db, fleet.connection)
      const window = { from: since, to: new Date(fleet.now).toISOString() }
      const { readers, latest } = subject.adapter(fake.url, { now: () => fleet.now })
      const drivers = new Set((await fake.truth<Values[]>('Driver')).map(({ sourceId }) => sourceId))
      const counts: Record<string, number> = {}
      for (const model of Object.keys({ ...readers, ...latest })) {
        const truth = await fake.truth<Values[]>(model, window)
        const told = await back.read(model, daysOf(truth))
        const wanted = expected(model, truth)
        // Where a vehicle was last stays known when nothing new is told of it.
        const shown = model in latest ? only(Object.keys(wanted), told) : told
        const differences = unlike(shown, wanted, drivers)
        if (differences) throw new Error(`${model}: ${differences}`)
        counts[model] = truth.length
      }
      return counts
    }

    const syncCounted = async (what: string): Promise<void> => {
      await fake.forgetCalls()
      expect(await fleet.sync()).toEqual(whole)
      const { total, refused, byEndpoint } = await fake.calls()
      await fleet.poll()
      const fewest = subject.fewestCalls(VEHICLES)
      process.stdout.write(`${what}: ${total} calls, ${fewest} would do: ${JSON.stringify(byEndpoint)}\n`)
      expect(refused).toBe(0)
    }

    test('is as it was, after the first sync', { timeout: 600_000 }, async () => {
      await syncCounted(`${subject.provider} on ${dialect}, first sync`)
      before = await expectTruth()
      expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([])
    })

    test(
      'is as it is, after a day of which some came late and some was corrected',
      { timeout: 600_000 },
      async () => {
        const vehicles = await idsOf(fake)
        await fake.move({ advanceMilliseconds: DAY_MS })
        fleet.moveClock(DAY_MS)
        await syncCounted(`${subject.provider} on ${dialect}, a day later`)
        const after = await expectTruth()
        const ids = await idsOf(fake)
        const [gone, come] = [
          vehicles.filter((id) => !ids.includes(id)),
          ids.filter((id) => !vehicles.includes(id)),
        ]
        expect([gone.length, come.length]).not.toContain(0)
        expect(after['Trip']).toBeGreaterThan(before['Trip'] ?? 0)
      },
    )
  })

const idsOf = async (fake: RunningFake): Promise<unknown[]> =>
  (await fake.truth<Values[]>('Vehicle')).map(({ sourceId }) => sourceId)

const daysOf = (truth: readonly Values[]): string[] =>
  [...new Set(truth.map(({ date }) => String(date)))].filter((date) => date !== 'undefined')

type Records = Readonly<Record<string, Values>>

const only = (keys: readonly string[], records: Records): Records =>
  Object.fromEntries(keys.flatMap((key) => (records[key] ? [[key, records[key]]] : [])))

/**
 * The first records that differ: thousands of them cannot be shown beside each other. Of drivers that are not there any
 * more some records still tell.
 */
function unlike(told: Records, truth: Records, drivers: ReadonlySet<unknown>): string {
  const known = (values: Values | undefined) =>
    drivers.has(values?.['driverSourceId']) ? values : { ...values, driverSourceId: null }
  const keys = [...new Set([...Object.keys(told), ...Object.keys(truth)])]
  return keys
    .filter((key) => !isDeepStrictEqual(known(told[key]), known(truth[key])))
    .slice(0, MOST_SHOWN)
    .map((key) => JSON.stringify({ told: told[key], truth: truth[key] }))
    .join()
}

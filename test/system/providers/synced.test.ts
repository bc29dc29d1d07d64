import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../../src/providers/rate-limit/memory-store.ts'
import { type LimiterFor, createRateLimiter } from '../../../src/providers/rate-limit/rate-limiter.ts'
import type { Database } from '../../../src/storage/database.ts'
import { type RunningFake, startFake } from '../../fakes/kit/start-fake.ts'
import { temporaryDatabase } from '../../support/factories.ts'
import { LinkedFleet } from '../../support/providers/linked-fleet.ts'
import type { Values } from '../../support/providers/read-back/read-back-names.ts'
import { expected, isThere, ReadBack } from '../../support/providers/read-back/read-back.ts'
import { completed } from '../../support/providers/expected-endings.ts'
import { subjects } from '../../support/providers/subjects/subjects.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const DAY_MS = 86_400_000
const [VEHICLES, DAYS] = [30, 10]
const MAX_SHOWN = 5
/** High enough that vehicles join and leave every day. */
const RESTLESS = 20

/**
 * Checks that the read-back data of a whole fleet equals the truth of its provider's fake, field by field.
 */
for (const subject of subjects)
  describe.each(subject.databases)(`a synced fleet of ${subject.provider} on %s`, (dialect) => {
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
      const limiterStore = createMemoryStore()
      const limiterFor: LimiterFor = (asking) => createRateLimiter(limiterStore, asking)
      fleet = await LinkedFleet.link({ db, subject, fake, now: NOW }, { days: DAYS - 1, limiterFor })
    })
    afterAll(async () => {
      await fleet.close()
      await fake[Symbol.asyncDispose]()
      await db[Symbol.asyncDispose]()
    })

    const since = new Date(Date.parse(NOW) - (DAYS - 1) * DAY_MS).toISOString()

    /** Returns the number of correct records by model; expects all to be correct. */
    const expectTruth = async (): Promise<Readonly<Record<string, number>>> => {
      const back = new ReadBack(db, fleet.connection)
      const window = { from: since, to: new Date(fleet.now).toISOString() }
      const { readers, latest } = subject.adapter(fake.url, { now: () => fleet.now })
      const [drivers, vehicles] = [
        new Set(await idsOf(fake, 'Driver')),
        new Set(await idsOf(fake, 'Vehicle')),
      ]
      const counts: Record<string, number> = {}
      const wrong: string[] = []
      for (const model of Object.keys({ ...readers, ...latest })) {
        const truth = ofThose(
          await fake.truth<Values[]>(model, window),
          model.startsWith('HOS') ? { drivers } : { vehicles },
        )
        const reported = await back.read(model, timesOf(truth))
        if (model === 'VehicleLocation') forget(reported, subject.polledMembers)
        const all = expected(model, truth)
        // The last location stays known when a vehicle reports nothing new.
        const [shown, wanted] =
          model in latest
            ? [only(Object.keys(all), reported), all]
            : [begunSince(since, reported, fleet.now), begunSince(since, all)]
        const differences = unlike(shown, wanted, { drivers, vehicles })
        if (differences) wrong.push(`${model}: ${differences}`)
        counts[model] = truth.length
      }
      if (wrong.length > 0) throw new Error(wrong.join('\n'))
      return counts
    }

    const syncCounted = async (what: string): Promise<void> => {
      await fake.forgetCalls()
      expect(await fleet.sync()).toEqual(completed)
      const { total, refused, byEndpoint } = await fake.calls()
      await fleet.poll()
      const fewest = subject.minCalls(VEHICLES)
      process.stdout.write(
        `${what}: ${total} calls, ${fewest} would suffice: ${JSON.stringify(byEndpoint)}\n`,
      )
      expect(refused).toBe(0)
    }

    test('equals the truth after the first sync', { timeout: 600_000 }, async () => {
      await syncCounted(`${subject.provider} on ${dialect}, first sync`)
      before = await expectTruth()
      expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([])
    })

    test('equals the truth after a day with late and corrected records', { timeout: 600_000 }, async () => {
      const vehicles = await idsOf(fake, 'Vehicle')
      await fake.move({ advanceMilliseconds: DAY_MS })
      fleet.moveClock(DAY_MS)
      await syncCounted(`${subject.provider} on ${dialect}, a day later`)
      const after = await expectTruth()
      const ids = await idsOf(fake, 'Vehicle')
      const [gone, come] = [
        vehicles.filter((id) => !ids.includes(id)),
        ids.filter((id) => !vehicles.includes(id)),
      ]
      expect([gone.length, come.length]).not.toContain(0)
      expect(after['Trip']).toBeGreaterThan(before['Trip'] ?? 0)
    })
  })

const idsOf = async (fake: RunningFake, model: 'Vehicle' | 'Driver'): Promise<unknown[]> =>
  (await fake.truth<Values[]>(model)).filter(isThere).map(({ sourceId }) => sourceId)

const timesOf = (truth: readonly Values[]): string[] =>
  [...new Set(truth.map(({ date, month }) => String(date ?? month)))].filter((time) => time !== 'undefined')

/** Keeps records of existing owners: some providers still return data of deleted vehicles and drivers. */
function ofThose(truth: readonly Values[], { vehicles, drivers }: Partial<Present>): Values[] {
  const isOf = (owner: unknown, owners: ReadonlySet<unknown> | undefined) =>
    owners === undefined || owner == null || owners.has(owner)
  return truth.filter(
    ({ vehicleSourceId, driverSourceId }) => isOf(vehicleSourceId, vehicles) && isOf(driverSourceId, drivers),
  )
}

/** Removes members that only polling has. */
function forget(reported: Record<string, Values>, names: readonly string[] = []): void {
  const nothing = Object.fromEntries(names.map((name) => [name, null]))
  for (const [key, values] of Object.entries(reported)) reported[key] = { ...values, ...nothing }
}

type Records = Readonly<Record<string, Values>>

const only = (keys: readonly string[], records: Records): Records =>
  Object.fromEntries(keys.flatMap((key) => (records[key] ? [[key, records[key]]] : [])))

/**
 * Keeps records that started in the period. Older ones may exist if they changed or ended in it, and so may
 * those that start right now.
 */
const begunSince = (from: string, records: Records, now = Infinity): Records =>
  only(
    Object.keys(records).filter((key) => {
      const isNew = Number(records[key]?.['startedAt'] ?? 0) >= now
      return begunOf(records[key]) >= Date.parse(from) && !isNew
    }),
    records,
  )

/**
 * Returns the start of a record. A day starts at midnight in the fleet's zone: later than in UTC, and before
 * noon there.
 */
function begunOf({ startedAt, observedAt, locatedAt, timestamp, date }: Values = {}): number {
  if (typeof date === 'string') return Date.parse(`${date}T12:00:00Z`)
  return Number(startedAt ?? observedAt ?? locatedAt ?? timestamp ?? Infinity)
}

interface Present {
  readonly drivers: ReadonlySet<unknown>
  readonly vehicles: ReadonlySet<unknown>
}

/**
 * Returns the first differing records; thousands would be unreadable. Records of deleted vehicles and drivers
 * are allowed.
 */
function unlike(reported: Records, truth: Records, { drivers, vehicles }: Present): string {
  const known = (values: Values | undefined) =>
    values && {
      ...values,
      driverSourceId: drivers.has(values['driverSourceId']) ? values['driverSourceId'] : null,
      vehicleSourceId: vehicles.has(values['vehicleSourceId']) ? values['vehicleSourceId'] : null,
      codriverSourceIds: ((values['codriverSourceIds'] ?? []) as unknown[]).filter((id) => drivers.has(id)),
    }
  const keys = [...new Set([...Object.keys(reported), ...Object.keys(truth)])]
  return keys
    .filter((key) => !isDeepStrictEqual(known(reported[key]), known(truth[key])))
    .slice(0, MAX_SHOWN)
    .map((key) => JSON.stringify({ told: reported[key], truth: truth[key] }))
    .join()
}

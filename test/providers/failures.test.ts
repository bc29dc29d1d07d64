import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { type RunningFake, startFake } from '../fakes/kit/start-fake.ts'
import { dialects, temporaryDatabase } from '../factories.ts'
import { LinkedFleet } from './linked-fleet.ts'
import { whole } from './endings.ts'
import { subjects } from './subjects.ts'
import { troublesOf } from './troubles.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const DAY_MS = 86_400_000
const [VEHICLES, DAYS] = [4, 2]

for (const subject of subjects)
  describe.each(dialects)(`a sync with ${subject.provider} on %s ends as it should after`, (dialect) => {
    let db: Database & AsyncDisposable
    let fake: RunningFake
    beforeAll(async () => {
      db = await temporaryDatabase(dialect)
      fake = await startFake(subject.provider, { vehicles: VEHICLES, days: DAYS, now: NOW })
    })
    afterEach(() => fake.heal())
    afterAll(async () => {
      await fake[Symbol.asyncDispose]()
      await db[Symbol.asyncDispose]()
    })

    test.each(troublesOf(subject))('$name', async ({ faults, behaves = {}, ends }) => {
      const fleet = await LinkedFleet.link({ db, subject, fake, now: NOW })
      const usual = await behaving(fake, behaves)
      await fake.fail(...faults)
      expect(await fleet.sync()).toEqual(ends)
      await fake.heal()
      if (ends.connection === 'connected') {
        if (ends !== whole) expect(await fleet.sync()).toEqual(whole)
        await expectAll(fleet, fake)
      }
      await fake.behave(usual)
      await fleet.close()
    })

    test('nothing of what a server said of its insides was kept', async () => {
      for (const table of ['syncs', 'issues', 'events', 'connections'])
        expect(JSON.stringify(await db.rows(`SELECT * FROM \`${table}\``))).not.toContain(
          'BaseObjectResource',
        )
    })

    test.each(subject.fleets)('$name', async ({ options }) => {
      await using special = await startFake(subject.provider, {
        vehicles: VEHICLES,
        days: DAYS,
        now: NOW,
        ...options,
      })
      const fleet = await LinkedFleet.link({ db, subject, fake: special, now: NOW })
      expect(await fleet.sync()).toEqual(whole)
      await expectAll(fleet, special)
      await fleet.close()
    })
  })

const counted = {
  Group: 'groups',
  Driver: 'drivers',
  Vehicle: 'vehicles',
  Trip: 'trips',
  FaultCodeEvent: 'fault_code_events',
  VehicleUtilization: 'vehicle_days',
  VehicleLocation: 'vehicle_locations',
} as const

/** As many records of each model are there as the provider has. */
async function expectAll(fleet: LinkedFleet, fake: RunningFake): Promise<void> {
  const window = { from: new Date(fleet.now - DAYS * DAY_MS).toISOString(), to: NOW }
  const stored: Record<string, number> = {}
  const told: Record<string, number> = {}
  for (const [model, table] of Object.entries(counted)) {
    stored[model] = await fleet.count(table)
    told[model] = (await fake.truth<unknown[]>(model, window)).length
  }
  expect(stored).toEqual(told)
}

/** Sets switches of a fake; gives how they stood. */
async function behaving(
  fake: RunningFake,
  positions: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const response = await fetch(`${fake.url}/_fake/behaviours`)
  const known = (await response.json()) as Record<string, { position: string }>
  await fake.behave(positions)
  return Object.fromEntries(Object.keys(positions).map((name) => [name, known[name]?.position ?? '']))
}

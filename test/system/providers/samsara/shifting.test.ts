import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../../src/storage/database.ts'
import { dialects, temporaryDatabase } from '../../../support/factories.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { completed } from '../../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { samsara } from '../../../support/providers/subjects/samsara-subject.ts'
import { whileTimePasses } from '../../../support/providers/passing-time.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const PAGE_MS = 10 * 60_000
const DAY_MS = 86_400_000

const rosters = {
  groups: 'Group',
  drivers: 'Driver',
  vehicles: 'Vehicle',
  trailers: 'Trailer',
  devices: 'Device',
}
const timedRecords = { trips: 'Trip', safety_events: 'SafetyEvent', fault_code_events: 'FaultCodeEvent' }

describe.each(dialects)('a Samsara fleet that changes during the sync, on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let fake: RunningFake
  let fleet: LinkedFleet
  let passes = true
  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    // With this seed each kind of change happens.
    const seed = 3
    fake = await startFake('samsara', { vehicles: 40, days: 3, now: NOW, seed, world: { restlessness: 60 } })
    await fake.behave({ pageSize: '5', readingsPerPage: '200' })
    await fetch(`${fake.url}/_fake/budgets`, { method: 'POST', body: '{"*":10000}' })
    const pass = async () => {
      if (!passes) return
      await fake.move({ advanceMilliseconds: PAGE_MS })
      fleet.moveClock(PAGE_MS)
    }
    const adapter: typeof samsara.adapter = (...given) => whileTimePasses(samsara.adapter(...given), pass)
    fleet = await LinkedFleet.link({ db, subject: { ...samsara, adapter }, fake, now: NOW })
  })
  afterAll(async () => {
    await fleet.close()
    await fake[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  const there = async (model: string, from?: number): Promise<string[]> => {
    const window = from === undefined ? {} : { from: new Date(from).toISOString() }
    const truth = await fake.truth<{ sourceId: string }[]>(model, window)
    return truth.map(({ sourceId }) => sourceId).toSorted()
  }

  const roster = () => Promise.all(Object.values(rosters).map((model) => there(model)))

  test('keeps every record that exists all the time', { timeout: 240_000 }, async () => {
    for (let round = 1; round <= 3; round++) {
      const before = await roster()
      expect(await fleet.sync()).toEqual(completed)
      const after = await roster()
      expect(after).not.toEqual(before)
      for (const [index, table] of Object.keys(rosters).entries()) {
        const known = await fleet.stored(table)
        const stayed = before[index]?.filter((id) => after[index]?.includes(id)) ?? []
        expect({ table, stayed: stayed.length > 0 }).toEqual({ table, stayed: true })
        expect({ table, missed: stayed.filter((id) => !known.includes(id)) }).toEqual({ table, missed: [] })
      }
    }
  })

  test('matches the provider once it no longer changes', { timeout: 240_000 }, async () => {
    passes = false
    expect(await fleet.sync()).toEqual(completed)
    for (const [table, model] of Object.entries(rosters))
      expect({ table, known: await fleet.stored(table) }).toEqual({ table, known: await there(model) })
    for (const [table, model] of Object.entries(timedRecords)) {
      const [known, truth] = [
        new Set(await fleet.stored(table)),
        await there(model, Date.parse(NOW) - 2 * DAY_MS),
      ]
      expect({ table, any: truth.length > 0 }).toEqual({ table, any: true })
      expect({ table, missed: truth.filter((id) => !known.has(id)) }).toEqual({ table, missed: [] })
    }
  })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../../src/storage/database.ts'
import { temporaryDatabase } from '../../../support/factories.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { whole } from '../../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { expected, ReadBack } from '../../../support/providers/read-back/read-back.ts'
import type { Values } from '../../../support/providers/read-back/read-back-names.ts'
import { samsara } from '../../../support/providers/samsara-subject.ts'
import { whileTimePasses } from '../../../support/providers/passing-time.ts'

/** Positions and measurements are read last: of what a sync reads before them hours may have passed since its request. */

const NOW = '2026-06-15T18:00:00.000Z'
const HOUR_MS = 3_600_000
const PAGE_MS = 60_000
const DAYS = 2
const series = ['VehicleLocation', 'VehicleStatLog']

let db: Database & AsyncDisposable
let fake: RunningFake
let fleet: LinkedFleet
/** Models that are not read before hours have passed. */
let late: string[] = []

async function pass(milliseconds: number): Promise<void> {
  await fake.move({ advanceMilliseconds: milliseconds })
  fleet.moveClock(milliseconds)
}

/** Hours pass before the first page of a model, and minutes before each of the others. */
async function onPage(model: string): Promise<void> {
  if (!series.includes(model)) return
  await pass(late.includes(model) ? 3 * HOUR_MS : PAGE_MS)
  late = late.filter((one) => one !== model)
}

beforeAll(async () => {
  db = await temporaryDatabase('sqlite')
  fake = await startFake('samsara', {
    vehicles: 6,
    days: DAYS + 1,
    now: NOW,
    world: { restlessness: 0, lateShare: 0 },
  })
  await fake.behave({ readingsPerPage: '200' })
  const adapter: typeof samsara.adapter = (...given) => whileTimePasses(samsara.adapter(...given), onPage)
  fleet = await LinkedFleet.link({ db, subject: { ...samsara, adapter }, fake, now: NOW }, { days: DAYS })
})
afterAll(async () => {
  await fleet.close()
  await fake[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

/** By model, what is true and not stored. */
async function missing(): Promise<Readonly<Record<string, readonly string[]>>> {
  const back = new ReadBack(db, fleet.connection)
  const from = new Date(Date.parse(NOW) - DAYS * 24 * HOUR_MS).toISOString()
  const window = { from, to: new Date(fleet.now).toISOString() }
  const found: Record<string, string[]> = {}
  for (const model of series) {
    const told = await back.read(model, [])
    const truth = expected(model, await fake.truth<Values[]>(model, window))
    expect(Object.keys(truth).length).toBeGreaterThan(100)
    found[model] = Object.keys(truth).filter((key) => !(key in told))
  }
  return found
}

const nothing = { VehicleLocation: [], VehicleStatLog: [] }

async function syncedLate(): Promise<void> {
  late = [...series]
  expect(await fleet.sync()).toEqual(whole)
  expect(late).toEqual([])
  await pass(HOUR_MS)
  expect(await fleet.sync()).toEqual(whole)
}

test('nothing is missing of the hours before a first sync came to it, though a worker fails in between', async () => {
  await fake.fail({ kind: 'truncated', endpoint: 'GET /fleet/vehicles/stats/history', after: 3 })
  await syncedLate()
  expect(await missing()).toEqual(nothing)
})

test('nor of those before a sync whose places in the feeds were forgotten', async () => {
  await pass(16 * HOUR_MS)
  expect(await fleet.sync()).toEqual(whole)
  await fake.behave({ cursors: 'forgotten' })
  await syncedLate()
  expect(await missing()).toEqual(nothing)
})

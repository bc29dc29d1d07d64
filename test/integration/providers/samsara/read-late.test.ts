import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../../src/storage/database.ts'
import { temporaryDatabase } from '../../../support/factories.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { completed } from '../../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { expected, ReadBack } from '../../../support/providers/read-back/read-back.ts'
import type { Values } from '../../../support/providers/read-back/read-back-names.ts'
import { samsara } from '../../../support/providers/subjects/samsara-subject.ts'
import { whileTimePasses } from '../../../support/providers/passing-time.ts'

/** A sync reads positions and measurements last. Hours can pass between its request and that moment. */

const NOW = '2026-06-15T18:00:00.000Z'
const HOUR_MS = 3_600_000
const PAGE_MS = 60_000
const DAYS = 2
const timeSeriesModels = ['VehicleLocation', 'VehicleStatLog']

let db: Database & AsyncDisposable
let fake: RunningFake
let fleet: LinkedFleet
/** Models whose first page is read hours late. */
let late: string[] = []

async function pass(milliseconds: number): Promise<void> {
  await fake.move({ advanceMilliseconds: milliseconds })
  fleet.moveClock(milliseconds)
}

/** Lets hours pass before the first page of a late model, and a minute before each other page. */
async function onPage(model: string): Promise<void> {
  if (!timeSeriesModels.includes(model)) return
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
  const adapter: typeof samsara.adapter = (...args) => whileTimePasses(samsara.adapter(...args), onPage)
  fleet = await LinkedFleet.link({ db, subject: { ...samsara, adapter }, fake, now: NOW }, { days: DAYS })
})
afterAll(async () => {
  await fleet.close()
  await fake[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
})

/** Returns the keys of the records that the provider has and the database lacks, by model. */
async function missing(): Promise<Readonly<Record<string, readonly string[]>>> {
  const readBack = new ReadBack(db, fleet.connection)
  const from = new Date(Date.parse(NOW) - DAYS * 24 * HOUR_MS).toISOString()
  const window = { from, to: new Date(fleet.now).toISOString() }
  const found: Record<string, string[]> = {}
  for (const model of timeSeriesModels) {
    const stored = await readBack.read(model, [])
    const truth = expected(model, await fake.truth<Values[]>(model, window))
    expect(Object.keys(truth).length).toBeGreaterThan(100)
    found[model] = Object.keys(truth).filter((key) => !(key in stored))
  }
  return found
}

const noneMissing = { VehicleLocation: [], VehicleStatLog: [] }

async function syncLate(): Promise<void> {
  late = [...timeSeriesModels]
  expect(await fleet.sync()).toEqual(completed)
  expect(late).toEqual([])
  await pass(HOUR_MS)
  expect(await fleet.sync()).toEqual(completed)
}

test('a first sync stores the hours that pass before it reads, also after a truncated response', async () => {
  await fake.fail({ kind: 'truncated', endpoint: 'GET /fleet/vehicles/stats/history', after: 3 })
  await syncLate()
  expect(await missing()).toEqual(noneMissing)
})

test('a sync whose feed cursors are invalid stores the hours that pass before it reads', async () => {
  await pass(16 * HOUR_MS)
  expect(await fleet.sync()).toEqual(completed)
  await fake.behave({ cursors: 'forgotten' })
  await syncLate()
  expect(await missing()).toEqual(noneMissing)
})

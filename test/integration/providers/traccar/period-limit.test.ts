import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../../src/storage/database.ts'
import { temporaryDatabase } from '../../../support/factories.ts'
import { startFake } from '../../../fakes/kit/start-fake.ts'
import { issue, completed } from '../../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { traccar } from '../../../support/providers/subjects/traccar-subject.ts'

const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS

/** Tables and columns that change if a report period cuts a record or a sum. */
const COLUMNS = {
  trips: '`sourceId`, `startedAt`, `endedAt`, `distance`',
  safety_events: '`sourceId`, `startedAt`, `type`',
  fault_code_events: '`sourceId`, `observedAt`, `status`',
  vehicle_days: '`sourceId`, `date`, `distance`',
  vehicle_locations: '`locatedAt`, `longitude`, `latitude`',
  vehicle_stat_logs: '`timestamp`, `type`, `value`',
}

let db: Database & AsyncDisposable
beforeAll(async () => {
  db = await temporaryDatabase(traccar.databases[0]!)
})
afterAll(() => db[Symbol.asyncDispose]())

interface Server {
  readonly now: string
  readonly days: number
  readonly limitSeconds?: number
}

/** Runs two syncs with a server. Returns their outcomes and the rows that are stored then. */
async function syncTwice({ now, days, limitSeconds }: Server) {
  await using fake = await startFake('traccar', {
    now,
    days,
    vehicles: 2,
    world: { fixEveryMilliseconds: 120_000 },
    ...(limitSeconds === undefined ? {} : { settings: { periodLimitSeconds: String(limitSeconds) } }),
  })
  const fleet = await LinkedFleet.link({ db, subject: traccar, fake, now }, { days })
  const endings = [await fleet.sync(), await fleet.sync()]
  const stored: Record<string, readonly unknown[]> = {}
  for (const [table, columns] of Object.entries(COLUMNS))
    stored[table] = await db.rows(
      `SELECT ${columns} FROM \`${table}\` WHERE \`connectionId\` = ? ORDER BY ${columns}`,
      [fleet.connection.id],
    )
  await fleet.close()
  return { endings, stored }
}

const summer: Server = { now: '2026-06-15T18:00:00.000Z', days: 16 }
let all: Record<string, readonly unknown[]>
beforeAll(async () => {
  all = (await syncTwice(summer)).stored
})

test.each([
  ['7 days', 7 * DAY_SECONDS],
  ['a day', DAY_SECONDS],
])('a server that limits reports to %s is synced completely', async (_, limitSeconds) => {
  for (const rows of Object.values(all)) expect(rows.length).toBeGreaterThan(0)
  const { endings, stored } = await syncTwice({ ...summer, limitSeconds })
  expect(endings).toEqual([completed, completed])
  expect(stored).toEqual(all)
})

test('a day longer than the report limit has no sum and raises an issue', async () => {
  const autumn: Server = { now: '2026-11-03T18:00:00.000Z', days: 4 }
  const { stored: complete } = await syncTwice(autumn)
  const { endings, stored } = await syncTwice({ ...autumn, limitSeconds: DAY_SECONDS })
  const limitIssue = issue(
    'A day that is longer than the report limit of the Traccar server, such as one of 25 hours, has no VehicleUtilization record. Set report.periodLimit in the configuration of this server to 90000 seconds or more.',
  )
  expect(endings).toEqual([limitIssue, limitIssue])
  const others = complete['vehicle_days']?.filter((one) => (one as { date: string }).date !== '2026-11-01')
  expect(others?.length).toBeLessThan(complete['vehicle_days']?.length ?? 0)
  expect(stored).toEqual({ ...complete, vehicle_days: others })
})

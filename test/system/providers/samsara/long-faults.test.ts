import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../../src/storage/database.ts'
import { dialects, temporaryDatabase } from '../../../support/factories.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { completed } from '../../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { samsara } from '../../../support/providers/subjects/samsara-subject.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const DAY_MS = 86_400_000
const HISTORY = 'GET /fleet/vehicles/stats/history'

const daysAgo = (days: number): number => Date.parse(NOW) - days * DAY_MS
const iso = (at: number): string => new Date(at).toISOString()

const code = (dtcShortCode: string) => ({ dtcShortCode, dtcDescription: 'of a test' })

/** Returns the report of a van's computer some days ago. */
const report = (days: number, ...codes: string[]) => ({
  time: iso(daysAgo(days)),
  obdii: {
    diagnosticTroubleCodes: [
      { txId: 2024, milStatus: true, confirmedDtcs: codes.map(code), pendingDtcs: [], permanentDtcs: [] },
    ],
  },
})

describe.each(dialects)('a fault that stays for weeks at Samsara, on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let fake: RunningFake
  let fleet: LinkedFleet
  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    fake = await startFake('samsara', { vehicles: 2, days: 2, now: NOW })
  })
  beforeEach(async () => {
    fleet = await LinkedFleet.link({ db, subject: samsara, fake, now: NOW }, { days: 30 })
    return () => fleet.close()
  })
  afterAll(async () => {
    await fake[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  /** Syncs once while these are the only reports. */
  async function syncWith(reports: readonly object[], startFrom: number | null = null): Promise<void> {
    const [vehicle] = await fake.truth<{ sourceId: string; name: string }[]>('Vehicle')
    const data = [{ id: vehicle?.sourceId, name: vehicle?.name, faultCodes: reports }]
    const body = { data, pagination: { endCursor: '', hasNextPage: false } }
    await fake.heal()
    await fake.fail({ kind: 'status', status: 200, endpoint: HISTORY, times: null, body })
    expect(await fleet.sync({ startFrom })).toEqual(completed)
    fleet.moveClock(60_000)
  }

  async function stored(): Promise<unknown[]> {
    const rows = await db.rows<{ code: string; status: string; observedAt: number }>(
      'SELECT `code`, `status`, `observedAt` FROM `fault_code_events` WHERE `connectionId` = ? AND `deletedAt` IS NULL ORDER BY `observedAt`',
      [fleet.connection.id],
    )
    return rows.map((row) => [row.code, row.status, Number(row.observedAt)])
  }

  test('is one event for any start of a sync, and ends as that event', async () => {
    await syncWith([report(50, 'P0087'), report(10, 'P0087')])
    const open = [['P0087', 'open', daysAgo(50)]]
    expect(await stored()).toEqual(open)
    for (const days of [1, 12]) {
      await syncWith([report(10, 'P0087'), report(0.1, 'P0087')], daysAgo(days))
      expect(await stored()).toEqual(open)
    }
    await syncWith([report(0.1, 'P0087'), report(0.01)], daysAgo(1))
    expect(await stored()).toEqual([['P0087', 'closed', daysAgo(50)]])
  })

  test('starts earlier if a sync with an earlier start shows it', async () => {
    await syncWith([report(59, 'P0087'), report(10, 'P0087')])
    expect(await stored()).toEqual([['P0087', 'open', daysAgo(59)]])
    await syncWith([report(80), report(70, 'P0087'), report(59, 'P0087'), report(10, 'P0087')], daysAgo(60))
    expect(await stored()).toEqual([['P0087', 'open', daysAgo(70)]])
  })
})

import { describe, expect, test } from 'vitest'
import { dialects, temporaryDatabase } from '../../../support/factories.ts'
import { startFake } from '../../../fakes/kit/start-fake.ts'
import { completed } from '../../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { motive } from '../../../support/providers/subjects/motive-subject.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const DAY_MS = 86_400_000

interface Fault {
  readonly sourceId: string
  readonly status: string
}

const byId = (faults: readonly Fault[]) =>
  faults.map(({ sourceId, status }) => `${sourceId} ${status}`).toSorted()

describe.each(dialects)('faults at Motive, on %s', (dialect) => {
  test('are followed to their end after a sync that starts after their beginning', async () => {
    await using db = await temporaryDatabase(dialect)
    await using fake = await startFake('motive', { vehicles: 16, days: 12, now: NOW })
    const fleet = await LinkedFleet.link({ db, subject: motive, fake, now: NOW }, { days: 12 })
    const stored = async () =>
      byId(
        await db.rows<Fault & Record<string, unknown>>(
          'SELECT `sourceId`, `status` FROM `fault_code_events` WHERE `connectionId` = ?',
          [fleet.connection.id],
        ),
      )
    expect(await fleet.sync()).toEqual(completed)
    const before = await stored()
    fleet.moveClock(60_000)
    expect(await fleet.sync({ startFrom: fleet.now - 60_000 })).toEqual(completed)
    expect(await stored()).toEqual(before)
    const later = fleet.now + 13 * DAY_MS
    fleet.moveClock(later - fleet.now)
    await fake.move({ now: new Date(later).toISOString() })
    expect(await fleet.sync()).toEqual(completed)
    const truth = new Set(byId(await fake.truth<Fault[]>('FaultCodeEvent')))
    // Some open ones have ended since.
    expect(before.filter((one) => truth.has(one.replace(/open$/, 'closed')))).toContainEqual(
      expect.stringMatching(/open$/),
    )
    const others = (await stored()).filter((one) => !truth.has(one))
    expect(others).toEqual([])
    await fleet.close()
  })
})

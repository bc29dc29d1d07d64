import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../../src/storage/database.ts'
import { dialects, temporaryDatabase } from '../../../support/factories.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { type Ending, issue, unreadable, completed } from '../../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { samsara } from '../../../support/providers/subjects/samsara-subject.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const LATER_MS = 60_000
const DAY_MS = 86_400_000
const LOGS = '/fleet/hos/logs'

interface Log {
  readonly logStartTime: string
  readonly logEndTime?: string
}

interface Page {
  readonly data: readonly { readonly driver: { readonly id: string }; readonly hosLogs: readonly Log[] }[]
  readonly pagination: unknown
}

describe.each(dialects)('logs that a driver edits at Samsara, on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let fake: RunningFake
  let fleet: LinkedFleet
  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    fake = await startFake('samsara', { vehicles: 4, days: 4, now: NOW })
    fleet = await LinkedFleet.link({ db, subject: samsara, fake, now: NOW }, { days: 3 })
    await fleet.sync()
    fleet.moveClock(LATER_MS)
  })
  afterAll(async () => {
    await fleet.close()
    await fake[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  const stored = () => fleet.stored('hos_logs')

  /** Returns Samsara's logs of the last day, which a sync reads again. */
  async function reported(): Promise<Page> {
    const startTime = new Date(Date.parse(NOW) - 86_400_000).toISOString()
    const query = new URLSearchParams({ startTime, endTime: new Date(fleet.now).toISOString() })
    const answer = await fetch(`${fake.url}${LOGS}?${query}`, {
      headers: { authorization: 'Bearer fake-token-1' },
    })
    return (await answer.json()) as Page
  }

  /** Syncs once with these pages instead of the provider's. */
  async function syncWith(ending: Ending, ...pages: readonly object[]): Promise<void> {
    const answers = pages.map(
      (body) => ({ kind: 'status', status: 200, endpoint: `GET ${LOGS}`, body }) as const,
    )
    await fake.fail(...answers)
    expect(await fleet.sync()).toEqual(ending)
    fleet.moveClock(LATER_MS)
  }

  const keyOf = (driver: string, { logStartTime }: Log) => `${driver}:${new Date(logStartTime).toISOString()}`

  test('are deleted if their start changes, and those of other drivers stay', async () => {
    const before = await stored()
    const page = await reported()
    const edited = page.data.find(({ hosLogs }) => hosLogs.length > 3)
    if (!edited) throw new Error('no driver has logs')
    const { driver, hosLogs } = edited
    const [first, second, third, ...rest] = hosLogs as [Log, Log, Log]
    const moved = {
      ...second,
      logStartTime: new Date(Date.parse(second.logStartTime) + 60_000).toISOString(),
    }
    // The third log merges with this one; the response has no other driver.
    const body = {
      ...page,
      data: [{ driver, hosLogs: [first, { ...moved, logEndTime: third.logEndTime }, ...rest] }],
    }
    await syncWith(completed, body)
    const gone = [second, third].map((log) => keyOf(driver.id, log))
    const after = [...before.filter((key) => !gone.includes(key)), keyOf(driver.id, moved)]
    expect(await stored()).toEqual(after.toSorted())
    await syncWith(completed, page)
    expect(await stored()).toEqual(before)
  })

  test('stay if some logs of the response are unreadable', async () => {
    const before = await stored()
    const page = await reported()
    const spoiled = page.data.map(({ driver, hosLogs }) => ({
      driver,
      hosLogs: hosLogs.map((log, index) => (index === 1 ? { ...log, logStartTime: 'yesterday' } : log)),
    }))
    const lost = page.data.filter(({ hosLogs }) => hosLogs.length > 1).length
    const from = fleet.now - LATER_MS - DAY_MS
    const left = issue(unreadable(lost, 'HOSLog', 'Samsara', from))
    await syncWith(left, { ...page, data: spoiled })
    expect(await stored()).toEqual(before)
    // The next window starts a minute later, so the issue stays.
    await syncWith(left, page)
    expect(await stored()).toEqual(before)
    await fleet.sync({ startFrom: from })
  })

  test('stay if a driver continues on the next page, or the response has no driver', async () => {
    const before = await stored()
    const page = await reported()
    const halves = (isFirst: boolean) =>
      page.data.map(({ driver, hosLogs }) => ({
        driver,
        hosLogs: hosLogs.filter((_, index) => index < hosLogs.length / 2 === isFirst),
      }))
    const more = { endCursor: 'more', hasNextPage: true }
    await syncWith(completed, { data: halves(true), pagination: more }, { ...page, data: halves(false) })
    expect(await stored()).toEqual(before)
    await syncWith(completed, { ...page, data: [] })
    expect(await stored()).toEqual(before)
  })
})

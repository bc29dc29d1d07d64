import { expect, test } from 'vitest'
import { temporaryDatabase } from '../../../support/factories.ts'
import { startFake } from '../../../fakes/kit/start-fake.ts'
import { completed } from '../../../support/providers/expected-endings.ts'
import { LinkedFleet } from '../../../support/providers/linked-fleet.ts'
import { motive } from '../../../support/providers/subjects/motive-subject.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const LATER_MS = 60_000

interface Log {
  readonly date: string
  readonly driver: { readonly id: number }
  readonly events: readonly { readonly event: { readonly id: number } }[]
}

test('an event that is missing from an edited log is removed, and the events of others stay', async () => {
  await using db = await temporaryDatabase('sqlite')
  await using fake = await startFake('motive', { vehicles: 4, days: 4, now: NOW })
  const fleet = await LinkedFleet.link({ db, subject: motive, fake, now: NOW }, { days: 3 })
  await fleet.sync()
  const stored = () => fleet.stored('hos_logs')
  const before = await stored()
  const response = await fetch(
    `${fake.url}/v1/logs?start_date=2026-06-14&end_date=2026-06-15&per_page=100&page_no=1`,
    {
      headers: { 'x-api-key': 'fake-key-1' },
    },
  )
  const { logs, ...paging } = (await response.json()) as { logs: readonly { readonly log: Log }[] }
  const edited = logs.find(({ log }) => log.date === '2026-06-15' && log.events.length > 2)?.log
  if (!edited) throw new Error('no driver has events')
  const [kept, removed] = edited.events
  const shorter = { ...edited, events: edited.events.filter((one) => one !== removed) }
  const body = { ...paging, logs: logs.map(({ log }) => ({ log: log === edited ? shorter : log })) }
  const fault = { kind: 'status', status: 200, endpoint: 'GET /v1/logs', body } as const
  // A sync reads the logs twice: for the events and for the daily sums.
  await fake.fail(fault, fault)
  fleet.moveClock(LATER_MS)
  expect(await fleet.sync()).toEqual(completed)
  expect(before).toEqual(expect.arrayContaining([String(kept?.event.id), String(removed?.event.id)]))
  expect(await stored()).toEqual(before.filter((id) => id !== String(removed?.event.id)))
  fleet.moveClock(LATER_MS)
  await fleet.sync()
  expect(await stored()).toEqual(before)
  await fleet.close()
})

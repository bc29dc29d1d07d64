import { expect, test } from 'vitest'
import { query, runSamsara, type Page } from '../../../fakes/samsara/rig.ts'

interface Report {
  readonly time: string
  readonly j1939?: { readonly diagnosticTroubleCodes: readonly { spnId: number; fmiId: number }[] }
  readonly obdii?: {
    readonly diagnosticTroubleCodes: readonly {
      readonly confirmedDtcs: readonly { dtcShortCode: string }[]
      readonly pendingDtcs: readonly { dtcShortCode: string }[]
    }[]
  }
}

/** The codes that are set, each with whether it is only pending. */
const codesIn = ({ j1939, obdii }: Report): ReadonlyMap<string, string> =>
  new Map([
    ...(j1939?.diagnosticTroubleCodes ?? []).map(
      ({ spnId, fmiId }) => [`SPN${spnId}-FMI${fmiId}`, 'open'] as const,
    ),
    ...(obdii?.diagnosticTroubleCodes ?? []).flatMap(({ confirmedDtcs, pendingDtcs }) => [
      ...confirmedDtcs.map(({ dtcShortCode }) => [dtcShortCode, 'open'] as const),
      ...pendingDtcs.map(({ dtcShortCode }) => [dtcShortCode, 'pending'] as const),
    ]),
  ])

/** What came and went from report to report. */
function eventsOf(vehicle: string, reports: readonly Report[]): string[] {
  const events: string[] = []
  const open = new Map<string, { since: string; status: string }>()
  const told = (code: string, since: string, status: string) =>
    events.push(`${vehicle}:${code}:${new Date(since).toISOString()} ${status}`)
  for (const report of reports) {
    const codes = codesIn(report)
    for (const [code, { since }] of open)
      if (!codes.has(code) && open.delete(code)) told(code, since, 'closed')
    for (const [code, status] of codes) if (!open.has(code)) open.set(code, { since: report.time, status })
  }
  for (const [code, { since, status }] of open) told(code, since, status)
  return events
}

test('fault codes that come and go from report to report are the events of the oracle', async () => {
  await using samsara = await runSamsara({ vehicles: 60, days: 30, now: '2026-06-15T18:00:00.000Z' })
  const asked = { types: 'faultCodes', startTime: '2026-05-01T00:00:00Z', endTime: '2026-06-16T00:00:00Z' }
  const told = await samsara.all<{ id: string; faultCodes: Report[] }>(
    `/fleet/vehicles/stats/history?${query(asked)}`,
  )
  const drafts = await samsara.fake.truth<{ sourceId: string; status: string }[]>('FaultCodeEvent')
  const expected = told.flatMap(({ id, faultCodes }) => eventsOf(id, faultCodes))
  expect(drafts.map(({ sourceId, status }) => `${sourceId} ${status}`).toSorted()).toEqual(
    expected.toSorted(),
  )
  expect(new Set(drafts.map(({ status }) => status))).toEqual(new Set(['open', 'closed']))
})

test('a code that waited is told again when it is confirmed', async () => {
  await using samsara = await runSamsara({ vehicles: 60, days: 3, now: '2026-06-01T18:00:00.000Z' })
  const drafts = () => samsara.fake.truth<{ sourceId: string; status: string }[]>('FaultCodeEvent')
  let waiting: string | undefined
  while (!waiting) {
    await samsara.fake.move({ advanceMilliseconds: 110 * 60_000 })
    waiting = (await drafts()).find(({ status }) => status === 'pending')?.sourceId
  }
  const [vehicle = '', code = ''] = waiting.split(':')
  const feed = (after: string) =>
    samsara.get<Page<{ faultCodes: Report[] }>>(
      `/fleet/vehicles/stats/feed?${query({ types: 'faultCodes', vehicleIds: vehicle, after })}`,
    )
  const first = (await feed('')).body
  expect(codesIn(first.data[0]?.faultCodes[0] as Report).get(code)).toBe('pending')
  await samsara.fake.move({ advanceMilliseconds: 120 * 60_000 })
  const next = (await feed(first.pagination.endCursor)).body
  expect(codesIn(next.data[0]?.faultCodes.at(-1) as Report).get(code)).toBe('open')
  expect((await drafts()).find(({ sourceId }) => sourceId === waiting)?.status).toBe('open')
})

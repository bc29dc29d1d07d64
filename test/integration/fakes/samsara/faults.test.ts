import { expect, test } from 'vitest'
import { query, runSamsara, type Page } from '../../../fakes/samsara/harness.ts'

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

/** Returns the active codes with their status: open or pending. */
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

/** Returns the fault events that the differences between reports imply. */
function eventsOf(vehicle: string, reports: readonly Report[]): string[] {
  const events: string[] = []
  const open = new Map<string, { since: string; status: string }>()
  const addEvent = (code: string, since: string, status: string) =>
    events.push(`${vehicle}:${code}:${new Date(since).toISOString()} ${status}`)
  for (const report of reports) {
    const codes = codesIn(report)
    for (const [code, { since }] of open)
      if (!codes.has(code) && open.delete(code)) addEvent(code, since, 'closed')
    for (const [code, status] of codes) if (!open.has(code)) open.set(code, { since: report.time, status })
  }
  for (const [code, { since, status }] of open) addEvent(code, since, status)
  return events
}

test('the codes in consecutive reports match the fault events of the oracle', async () => {
  await using samsara = await runSamsara({ vehicles: 60, days: 30, now: '2026-06-15T18:00:00.000Z' })
  const parameters = {
    types: 'faultCodes',
    startTime: '2026-05-01T00:00:00Z',
    endTime: '2026-06-16T00:00:00Z',
  }
  const listed = await samsara.all<{ id: string; faultCodes: Report[] }>(
    `/fleet/vehicles/stats/history?${query(parameters)}`,
  )
  const records = await samsara.fake.truth<{ sourceId: string; status: string }[]>('FaultCodeEvent')
  const expected = listed.flatMap(({ id, faultCodes }) => eventsOf(id, faultCodes))
  expect(records.map(({ sourceId, status }) => `${sourceId} ${status}`).toSorted()).toEqual(
    expected.toSorted(),
  )
  expect(new Set(records.map(({ status }) => status))).toEqual(new Set(['open', 'closed']))
})

test('a pending code is reported again when it is confirmed', async () => {
  await using samsara = await runSamsara({ vehicles: 60, days: 3, now: '2026-06-01T18:00:00.000Z' })
  const records = () => samsara.fake.truth<{ sourceId: string; status: string }[]>('FaultCodeEvent')
  let pendingId: string | undefined
  while (!pendingId) {
    await samsara.fake.move({ advanceMilliseconds: 110 * 60_000 })
    pendingId = (await records()).find(({ status }) => status === 'pending')?.sourceId
  }
  const [vehicle = '', code = ''] = pendingId.split(':')
  const feed = (after: string) =>
    samsara.get<Page<{ faultCodes: Report[] }>>(
      `/fleet/vehicles/stats/feed?${query({ types: 'faultCodes', vehicleIds: vehicle, after })}`,
    )
  const first = (await feed('')).body
  expect(codesIn(first.data[0]?.faultCodes[0] as Report).get(code)).toBe('pending')
  await samsara.fake.move({ advanceMilliseconds: 120 * 60_000 })
  const next = (await feed(first.pagination.endCursor)).body
  expect(codesIn(next.data[0]?.faultCodes.at(-1) as Report).get(code)).toBe('open')
  expect((await records()).find(({ sourceId }) => sourceId === pendingId)?.status).toBe('open')
})

import { expect, test } from 'vitest'
import { followed, type Report } from '../../../src/providers/samsara/reading/fault-reports.ts'
import { toldSince } from '../../../src/providers/samsara/reading/faults.ts'

const HOUR_MS = 3_600_000
const NOON = Date.parse('2026-06-10T12:00:00.000Z')
const iso = (at: number) => new Date(at).toISOString()

/** A report of a van's computer with these codes, those with a question mark pending. */
const report = (at: number, codes: string[], vehicleId = '7'): Report => ({
  vehicleId,
  at,
  told: {
    time: iso(at),
    obdii: {
      diagnosticTroubleCodes: [
        {
          txId: 2024,
          milStatus: true,
          confirmedDtcs: codes.filter((code) => !code.endsWith('?')).map(dtc),
          pendingDtcs: codes.filter((code) => code.endsWith('?')).map(dtc),
          permanentDtcs: [],
        },
      ],
    },
  },
})
const dtc = (code: string) => ({ dtcShortCode: code.replace('?', ''), dtcDescription: 'of a test' })

const told = (touched: Iterable<{ code: unknown; openedAt: string; status: string }>) =>
  [...touched].map(({ code, openedAt, status }) => [
    (code as { dtcShortCode: string }).dtcShortCode,
    openedAt,
    status,
  ])

test('a code is one event from the report that shows it first to that which does not', () => {
  const { open, touched } = followed({}, [
    report(NOON, ['P0087?']),
    report(NOON + HOUR_MS, ['P0087', 'P0301']),
    report(NOON + 2 * HOUR_MS, ['P0301']),
  ])
  expect(told(touched.values())).toEqual([
    ['P0087', iso(NOON), 'closed'],
    ['P0301', iso(NOON + HOUR_MS), 'open'],
  ])
  expect(Object.values(open)).toHaveLength(1)
})

test('a code that comes again is another event, and that of another vehicle is none of its business', () => {
  const { touched } = followed({}, [
    report(NOON, ['P0087']),
    report(NOON + 1, [], '8'),
    report(NOON + HOUR_MS, []),
    report(NOON + 2 * HOUR_MS, ['P0087']),
  ])
  expect(told(touched.values())).toEqual([
    ['P0087', iso(NOON), 'closed'],
    ['P0087', iso(NOON + 2 * HOUR_MS), 'open'],
  ])
})

const DAY_MS = 24 * HOUR_MS
const FIRST = { from: iso(NOON - 30 * DAY_MS), open: {} }

test('a report that comes late is seen by the next sync, in its place', () => {
  const known = report(NOON, ['P0087'])
  const first = toldSince(FIRST, [known], NOON + HOUR_MS)
  expect(told(first.faults)).toEqual([['P0087', iso(NOON), 'open']])
  const late = report(NOON - HOUR_MS, ['P0301'])
  expect(told(toldSince(first.next, [known, late], NOON + 2 * HOUR_MS).faults)).toEqual([
    ['P0301', iso(NOON - HOUR_MS), 'closed'],
    ['P0087', iso(NOON), 'open'],
  ])
})

test('a code that was set long ago keeps its beginning, however little is read again', () => {
  const all = [report(NOON, ['P0087'])]
  let place = FIRST
  for (let day = 0; day <= 40; day++) {
    const since = all.filter(({ at }) => at >= Date.parse(place.from))
    place = toldSince(place, since, NOON + HOUR_MS + day * DAY_MS).next as typeof FIRST
  }
  expect(place.from).toBe(iso(NOON + HOUR_MS + 36 * DAY_MS))
  const end = NOON + 41 * DAY_MS
  expect(told(toldSince(place, [report(end - 1, [])], end).faults)).toEqual([['P0087', iso(NOON), 'closed']])
})

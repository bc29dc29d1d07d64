import { expect, test } from 'vitest'
import { applyReports, type FaultReport } from '../../../../src/providers/samsara/readers/fault-diff.ts'
import {
  type FaultState,
  emptyFaultState,
  changesSince,
} from '../../../../src/providers/samsara/readers/fault-state.ts'

const HOUR_MS = 3_600_000
const NOON = Date.parse('2026-06-10T12:00:00.000Z')
const iso = (at: number) => new Date(at).toISOString()

/** A report of a van's computer with these codes, those with a question mark pending. */
const report = (at: number, codes: string[], vehicleId = '7'): FaultReport => ({
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
  const { open, touched } = applyReports({}, [
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
  const { touched } = applyReports({}, [
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

/** What a sync tells of reports, of which those before so many hours are settled. */
const since = (known: FaultState, reports: readonly FaultReport[], settledHours = 0) =>
  changesSince(known, reports, NOON + settledHours * HOUR_MS)

test('a report that comes late is seen by the next sync, in its place', () => {
  const known = report(NOON, ['P0087'])
  const first = since(emptyFaultState, [known], -24)
  expect(told(first.faults)).toEqual([['P0087', iso(NOON), 'open']])
  const late = report(NOON - HOUR_MS, ['P0301'])
  expect(told(since(first.known, [known, late], -24).faults)).toEqual([
    ['P0301', iso(NOON - HOUR_MS), 'closed'],
    ['P0087', iso(NOON), 'open'],
  ])
})

test('a late report that shows a code earlier makes no second event of it: the first was never so', () => {
  const [late, known, next] = [
    report(NOON - HOUR_MS, ['P0087']),
    report(NOON, ['P0087']),
    report(NOON + HOUR_MS, ['P0087', 'P0301']),
  ]
  const first = since(emptyFaultState, [known], -24)
  const second = since(first.known, [late, known], -24)
  expect(told(second.faults)).toEqual([
    ['P0087', iso(NOON - HOUR_MS), 'open'],
    ['P0087', iso(NOON), 'gone'],
  ])
  expect(told(since(second.known, [late, known, next], -24).faults)).toEqual([
    ['P0087', iso(NOON - HOUR_MS), 'open'],
    ['P0301', iso(NOON + HOUR_MS), 'open'],
  ])
})

test('late reports may divide what was one event, or join two', () => {
  const [shown, hidden, again] = [report(NOON, ['P0087']), report(NOON + 1, []), report(NOON + 2, ['P0087'])]
  const one = since(emptyFaultState, [shown, again], -24)
  const divided = since(one.known, [shown, hidden, again], -24)
  expect(told(divided.faults)).toEqual([
    ['P0087', iso(NOON), 'closed'],
    ['P0087', iso(NOON + 2), 'open'],
  ])
  expect(told(since(divided.known, [shown, again], -24).faults)).toEqual([
    ['P0087', iso(NOON), 'open'],
    ['P0087', iso(NOON + 2), 'gone'],
  ])
})

test('whatever reports come late, what is left is what all of them tell', () => {
  const all = [0, 1, 2, 3, 4, 5].map((hour) => report(NOON + hour * HOUR_MS, hour % 3 === 1 ? [] : ['P0087']))
  const truth = told(since(emptyFaultState, all, -24).faults)
  for (let late = 0; late < 2 ** all.length; late++) {
    const first = since(
      emptyFaultState,
      all.filter((_, index) => (late >> index) % 2 === 0),
      -24,
    )
    const second = since(first.known, all, -24)
    const left = new Map([...first.faults, ...second.faults].map((fault) => [fault.openedAt, fault]))
    const there = [...left.values()].filter(({ status }) => status !== 'gone')
    expect(told(there).toSorted(), `late: ${late.toString(2)}`).toEqual(truth.toSorted())
  }
})

test('a code that was set long ago keeps its beginning, however little is read again', () => {
  const all = [report(NOON, ['P0087'])]
  let known = emptyFaultState
  for (let day = 0; day <= 40; day++) {
    const unsettled = all.filter(({ at }) => at >= NOON + (day - 5) * DAY_MS)
    known = since(known, unsettled, (day - 4) * 24).known
  }
  const end = report(NOON + 41 * DAY_MS, [])
  expect(told(since(known, [end], 37 * 24).faults)).toEqual([['P0087', iso(NOON), 'closed']])
})

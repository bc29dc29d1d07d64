import { describe, expect, test } from 'vitest'
import type { NormalizedJ1939 } from '../../../../src/domain/models/fault-code-event.ts'
import type { ProviderApi } from '../../../../src/providers/provider-api.ts'
import type { ReaderState, ReadPage, Roster } from '../../../../src/providers/provider.ts'
import { faultCodes } from '../../../../src/providers/samsara/readers/faults.ts'
import { applyReports, type FaultReport } from '../../../../src/providers/samsara/readers/fault-diff.ts'
import {
  type FaultState,
  emptyFaultState,
  changesSince,
} from '../../../../src/providers/samsara/readers/fault-state.ts'

const HOUR_MS = 3_600_000
const NOON = Date.parse('2026-06-10T12:00:00.000Z')
const iso = (at: number) => new Date(at).toISOString()

/** Returns a report of a van with these codes. A question mark makes a code pending. */
const report = (at: number, codes: string[], vehicleId = '7'): FaultReport => ({
  vehicleId,
  at,
  reading: {
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

const summaryOf = (changed: Iterable<{ code: unknown; openedAt: string; status: string }>) =>
  [...changed].map(({ code, openedAt, status }) => [
    (code as { dtcShortCode: string }).dtcShortCode,
    openedAt,
    status,
  ])

test('a code is one event from the first report with it to the first report without it', () => {
  const { open, changed } = applyReports({}, [
    report(NOON, ['P0087?']),
    report(NOON + HOUR_MS, ['P0087', 'P0301']),
    report(NOON + 2 * HOUR_MS, ['P0301']),
  ])
  expect(summaryOf(changed.values())).toEqual([
    ['P0087', iso(NOON), 'closed'],
    ['P0301', iso(NOON + HOUR_MS), 'open'],
  ])
  expect(Object.values(open)).toHaveLength(1)
})

test('a code that returns is a new event, and reports of other vehicles do not affect it', () => {
  const { changed } = applyReports({}, [
    report(NOON, ['P0087']),
    report(NOON + 1, [], '8'),
    report(NOON + HOUR_MS, []),
    report(NOON + 2 * HOUR_MS, ['P0087']),
  ])
  expect(summaryOf(changed.values())).toEqual([
    ['P0087', iso(NOON), 'closed'],
    ['P0087', iso(NOON + 2 * HOUR_MS), 'open'],
  ])
})

const DAY_MS = 24 * HOUR_MS

/** Returns the changes that a sync reports. Reports before `settledHours` are settled. */
const sync = (known: FaultState, reports: readonly FaultReport[], settledHours = 0) =>
  changesSince(known, reports, NOON + settledHours * HOUR_MS)

test('the next sync inserts a late report at its own time', () => {
  const known = report(NOON, ['P0087'])
  const first = sync(emptyFaultState, [known], -24)
  expect(summaryOf(first.faults)).toEqual([['P0087', iso(NOON), 'open']])
  const late = report(NOON - HOUR_MS, ['P0301'])
  expect(summaryOf(sync(first.known, [known, late], -24).faults)).toEqual([
    ['P0301', iso(NOON - HOUR_MS), 'closed'],
    ['P0087', iso(NOON), 'open'],
  ])
})

test('a late report with an earlier start of a code replaces its event', () => {
  const [late, known, next] = [
    report(NOON - HOUR_MS, ['P0087']),
    report(NOON, ['P0087']),
    report(NOON + HOUR_MS, ['P0087', 'P0301']),
  ]
  const first = sync(emptyFaultState, [known], -24)
  const second = sync(first.known, [late, known], -24)
  expect(summaryOf(second.faults)).toEqual([
    ['P0087', iso(NOON - HOUR_MS), 'open'],
    ['P0087', iso(NOON), 'gone'],
  ])
  expect(summaryOf(sync(second.known, [late, known, next], -24).faults)).toEqual([
    ['P0087', iso(NOON - HOUR_MS), 'open'],
    ['P0301', iso(NOON + HOUR_MS), 'open'],
  ])
})

test('late reports can split one event or join two', () => {
  const [first, gap, last] = [report(NOON, ['P0087']), report(NOON + 1, []), report(NOON + 2, ['P0087'])]
  const joined = sync(emptyFaultState, [first, last], -24)
  const divided = sync(joined.known, [first, gap, last], -24)
  expect(summaryOf(divided.faults)).toEqual([
    ['P0087', iso(NOON), 'closed'],
    ['P0087', iso(NOON + 2), 'open'],
  ])
  expect(summaryOf(sync(divided.known, [first, last], -24).faults)).toEqual([
    ['P0087', iso(NOON), 'open'],
    ['P0087', iso(NOON + 2), 'gone'],
  ])
})

test('the final events do not depend on which reports arrive late', () => {
  const all = [0, 1, 2, 3, 4, 5].map((hour) => report(NOON + hour * HOUR_MS, hour % 3 === 1 ? [] : ['P0087']))
  const expected = summaryOf(sync(emptyFaultState, all, -24).faults)
  for (let late = 0; late < 2 ** all.length; late++) {
    const first = sync(
      emptyFaultState,
      all.filter((_, index) => (late >> index) % 2 === 0),
      -24,
    )
    const second = sync(first.known, all, -24)
    const merged = new Map([...first.faults, ...second.faults].map((fault) => [fault.openedAt, fault]))
    const remaining = [...merged.values()].filter(({ status }) => status !== 'gone')
    expect(summaryOf(remaining).toSorted(), `late: ${late.toString(2)}`).toEqual(expected.toSorted())
  }
})

test('an old code keeps its start even if only recent reports are read again', () => {
  const all = [report(NOON, ['P0087'])]
  let known = emptyFaultState
  for (let day = 0; day <= 40; day++) {
    const unsettled = all.filter(({ at }) => at >= NOON + (day - 5) * DAY_MS)
    known = sync(known, unsettled, (day - 4) * 24).known
  }
  const end = report(NOON + 41 * DAY_MS, [])
  expect(summaryOf(sync(known, [end], 37 * 24).faults)).toEqual([['P0087', iso(NOON), 'closed']])
})

test('a report that arrives seven days late is read by the next sync', async () => {
  const reports = [report(NOON, ['P0087'])]
  const roster: Roster = { sourceIdsAfter: async (_kind, after) => (after === '' ? ['7'] : []) }
  const api = {
    async get(_path: string, { startTime, endTime }: Record<string, string>) {
      const isRead = ({ at }: FaultReport) => iso(at) >= String(startTime) && iso(at) < String(endTime)
      const faultReadings = reports.filter(isRead).map(({ reading }) => reading)
      return {
        data: [{ id: '7', faultCodes: faultReadings }],
        pagination: { endCursor: '', hasNextPage: false },
      }
    },
  } as unknown as ProviderApi
  let state: ReaderState = null
  const syncAt = async (to: number) => {
    const records: unknown[] = []
    for (let isCaughtUp = false; !isCaughtUp;) {
      const page: ReadPage = await faultCodes.read(api, state, { from: NOON - DAY_MS, to }, roster)
      records.push(...page.records)
      state = page.next
      isCaughtUp = page.isCaughtUp === true
    }
    return summaryOf(records as Parameters<typeof summaryOf>[0])
  }
  await syncAt(NOON + HOUR_MS)
  for (let day = 1; day <= 7; day++) await syncAt(NOON + day * DAY_MS)
  reports.push(report(NOON + 2 * HOUR_MS, ['P0087', 'P0301']))
  expect(await syncAt(NOON + 7 * DAY_MS + 2 * HOUR_MS)).toContainEqual([
    'P0301',
    iso(NOON + 2 * HOUR_MS),
    'open',
  ])
})

describe('one J1939 code of two controllers', () => {
  const spn = (txId: number) => ({ spnId: 100, fmiId: 1, txId })
  const heavy = (at: number, ...addresses: number[]): FaultReport => ({
    vehicleId: '7',
    at,
    reading: { time: iso(at), j1939: { diagnosticTroubleCodes: addresses.map(spn) } },
  })
  const idsOf = (changed: Iterable<object>) =>
    [...changed].map((record) => {
      const { sourceId, status, sourceAddress } = faultCodes.normalize(record, NOON) as NormalizedJ1939
      return [sourceId, status, sourceAddress]
    })

  test('is two faults, which end separately', () => {
    const first = sync(emptyFaultState, [heavy(NOON, 3, 0)], 24)
    expect(idsOf(first.faults)).toEqual([
      [`7:SPN100-FMI1:${iso(NOON)}`, 'open', 0],
      [`7:SPN100-FMI1@3:${iso(NOON)}`, 'open', 3],
    ])
    const second = sync(first.known, [heavy(NOON + 48 * HOUR_MS, 3)], 72)
    expect(idsOf(second.faults)).toEqual([
      [`7:SPN100-FMI1:${iso(NOON)}`, 'closed', 0],
      [`7:SPN100-FMI1@3:${iso(NOON)}`, 'open', 3],
    ])
  })

  test('keeps its id when the other controller reports the code later', () => {
    const { changed } = applyReports({}, [heavy(NOON, 3), heavy(NOON + HOUR_MS, 0, 3)])
    expect(idsOf(changed.values()).toSorted()).toEqual([
      [`7:SPN100-FMI1:${iso(NOON)}`, 'open', 3],
      [`7:SPN100-FMI1:${iso(NOON + HOUR_MS)}`, 'open', 0],
    ])
  })

  test('continues the state of an earlier version, whose keys have no source address', () => {
    const { known } = sync(emptyFaultState, [heavy(NOON, 3)], -24)
    const [stored] = Object.values(known.told)
    if (!stored) throw new Error('no fault')
    const earlier = { open: {}, told: { [`7 SPN100-FMI1 ${iso(NOON)}`]: stored } }
    expect(idsOf(sync(earlier, [heavy(NOON, 3)], -24).faults)).toEqual([
      [`7:SPN100-FMI1:${iso(NOON)}`, 'open', 3],
    ])
  })
})

import { describe, expect, test } from 'vitest'
import {
  diffFaults,
  applyReports,
  type DeviceFault,
  type FaultReport,
} from '../../../src/providers/traccar/faults/fault-state.ts'

const at = (minute: number, ...codes: string[]): FaultReport => ({
  id: minute,
  at: minute,
  codes,
  position: null,
})
const since = (minute: number, code: string, closedAt: number | null = null): DeviceFault => ({
  code,
  id: minute,
  at: minute,
  closedAt,
})

const day = { from: 0, to: 100 }

describe('the codes of a device', () => {
  test('are open from the first position with them to the first position without them', () => {
    const reports = [at(10), at(20, 'P0087'), at(30, 'P0087', 'P0301'), at(40, 'P0301'), at(50, 'P0301')]
    expect(applyReports([], reports, day)).toEqual([since(20, 'P0087', 40), since(30, 'P0301')])
  })

  test('become new faults when they return', () => {
    const reports = [at(10, 'P0087'), at(20), at(30, 'P0087')]
    expect(applyReports([], reports, day)).toEqual([since(10, 'P0087', 20), since(30, 'P0087')])
  })

  test('do not change when any part of their time is read again', () => {
    const reports = [at(10, 'P0087'), at(20, 'P0087'), at(30), at(40, 'P0301'), at(60), at(70, 'U0100')]
    const known = applyReports([], reports, day)
    for (let from = 0; from <= 80; from += 5)
      for (let to = from + 5; to <= 100; to += 5) {
        const some = reports.filter((one) => one.at >= from && one.at < to)
        const again = applyReports(known, some, { from, to })
        expect(diffFaults(1, known, again, some), `${from} to ${to}`).toEqual([])
        expect(byTime(again)).toEqual(byTime(known))
      }
  })

  test('start earlier after a late position with them', () => {
    const known = applyReports([], [at(10), at(40, 'P0087')], day)
    const late = [at(10), at(20, 'P0087'), at(40, 'P0087')]
    const after = applyReports(known, late, day)
    expect(after).toEqual([since(20, 'P0087')])
    const changes = diffFaults(1, known, after, late).map(({ status, since: { positionId } }) => [
      status,
      positionId,
    ])
    expect(changes).toEqual([
      ['open', 20],
      ['gone', 40],
    ])
  })

  test('keep an end after the range if they start earlier', () => {
    const known = applyReports([], [at(40, 'P0087'), at(60)], day)
    const late = [at(20, 'P0087'), at(40, 'P0087')]
    const after = applyReports(known, late, { from: 0, to: 50 })
    expect(after).toEqual([since(20, 'P0087', 60)])
  })

  test('end earlier after a late position without them', () => {
    const known = applyReports([], [at(10, 'P0087'), at(60)], day)
    const late = [at(10, 'P0087'), at(30), at(60)]
    expect(applyReports(known, late, day)).toEqual([since(10, 'P0087', 30)])
    expect(diffFaults(1, known, applyReports(known, late, day), late)).toEqual([])
  })
})

const byTime = (known: readonly DeviceFault[]) => known.toSorted((one, other) => one.at - other.at)

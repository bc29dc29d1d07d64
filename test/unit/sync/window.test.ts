import { describe, expect, test } from 'vitest'
import type { SyncedModel } from '../../../src/domain/record-models.ts'
import type { Checkpoint } from '../../../src/sync/pipeline/checkpoint.ts'
import type { SyncRun } from '../../../src/sync/sync-run.ts'
import { readWindowOf } from '../../../src/sync/pipeline/lookback-window.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LINKED = 1_700_000_000_000

/** Returns the lookback in minutes of consecutive syncs at a fixed interval. */
function lookbacks(model: SyncedModel, everyMs: number, count: number): number[] {
  let before: Checkpoint | undefined
  return Array.from({ length: count }, (_, index) => {
    const requestedAt = LINKED + index * everyMs
    const run = {
      connection: { createdAt: LINKED - 10 * 24 * HOUR, backfillFrom: null },
      sync: { requestedAt, startFrom: null },
      keptFrom: 0,
    } as SyncRun
    const { window, lookedBack } = readWindowOf(run, model, before)
    const read = before?.state.window.to ?? window.from
    before = { model, done: 1, state: { reader: null, window, lookedBack } } as Checkpoint
    return (read - window.from) / MINUTE
  })
}

test('a time series has a short lookback, a longer one every two hours, three days a day and fifteen a week', () => {
  const minutes = lookbacks('VehicleLocation', 30 * MINUTE, 98)
  expect(minutes.slice(1, 5)).toEqual([15, 15, 15, 120])
  expect(minutes.filter((back) => back === 15)).toHaveLength(73)
  expect(minutes.filter((back) => back === 120)).toHaveLength(22)
  expect(minutes.filter((back) => back === 3 * 24 * 60)).toHaveLength(2)
  const days = lookbacks('VehicleLocation', 24 * HOUR, 16).map((back) => back / 60 / 24)
  expect(days.filter((back) => back > 3)).toHaveLength(2)
})

test('other records have a lookback of a day, and of eight days once a day', () => {
  const days = lookbacks('Trip', 30 * MINUTE, 98).map((back) => back / 60 / 24)
  expect(days.slice(1, 5)).toEqual([1, 1, 1, 1])
  expect(days.filter((back) => back === 8)).toHaveLength(2)
})

test.each<SyncedModel>([
  'VehicleLocation',
  'VehicleStatLog',
  'Trip',
  'SafetyEvent',
  'FaultCodeEvent',
  'VehicleUtilization',
])('a record of %s that arrives up to seven days late is in a window after its arrival', (model) => {
  const everyMs = HOUR
  const syncs = lookbacks(model, everyMs, 30 * 24).map((backMinutes, index) => ({
    at: index * everyMs,
    from: (index - 1) * everyMs - backMinutes * MINUTE,
  }))
  for (const lateBy of [HOUR, 10 * HOUR, 30 * HOUR, 3 * 24 * HOUR, 7 * 24 * HOUR])
    for (let recordedAt = 24 * HOUR; recordedAt < 15 * 24 * HOUR; recordedAt += 5 * HOUR) {
      const arrivedAt = recordedAt + lateBy
      const reads = syncs.filter(({ at, from }) => at >= arrivedAt && from <= recordedAt)
      expect([lateBy / HOUR, recordedAt / HOUR, reads.length > 0]).toEqual([
        lateBy / HOUR,
        recordedAt / HOUR,
        true,
      ])
    }
})

test('the next sync reads an unfinished window again', () => {
  const unfinished = {
    model: 'SafetyEvent',
    done: 0,
    state: { reader: { cursor: 'x' }, window: { from: LINKED - 90 * 24 * HOUR, to: LINKED } },
  } as unknown as Checkpoint
  const run = {
    connection: { createdAt: LINKED, backfillFrom: LINKED - 90 * 24 * HOUR },
    sync: { requestedAt: LINKED + HOUR, startFrom: null },
    keptFrom: 0,
  } as SyncRun
  expect(readWindowOf(run, 'SafetyEvent', unfinished).window).toEqual({
    from: LINKED - 90 * 24 * HOUR,
    to: LINKED + HOUR,
  })
})

describe('a sync with a requested start', () => {
  const WEEK = 7 * 24 * HOUR
  const before = (done: number) =>
    ({ done, state: { reader: null, window: { from: LINKED - WEEK, to: LINKED } } }) as unknown as Checkpoint
  const from = (startFrom: number, known?: Checkpoint) =>
    readWindowOf(
      {
        connection: { createdAt: LINKED, backfillFrom: LINKED - 4 * WEEK },
        sync: { requestedAt: LINKED + WEEK, startFrom },
        keptFrom: 0,
      } as SyncRun,
      'Trip',
      known,
    ).window.from

  test('starts at the requested time if everything before it is read', () => {
    expect(from(LINKED - HOUR, before(1))).toBe(LINKED - HOUR)
    expect(from(LINKED - 9 * WEEK, before(1))).toBe(LINKED - 9 * WEEK)
    expect(from(LINKED - 9 * WEEK, before(0))).toBe(LINKED - 9 * WEEK)
    expect(from(LINKED - 9 * WEEK)).toBe(LINKED - 9 * WEEK)
  })

  test('starts no later than the unread window', () => {
    expect(from(LINKED + HOUR, before(1))).toBe(LINKED - 8 * 24 * HOUR)
    expect(from(LINKED - HOUR, before(0))).toBe(LINKED - WEEK - 8 * 24 * HOUR)
    expect(from(LINKED + HOUR)).toBe(LINKED - 4 * WEEK)
  })
})

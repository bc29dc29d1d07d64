import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ClocksRecord } from '../../../src/providers/sandbox/simulator/records/hos/clocks.ts'
import { clocksRecord } from '../../../src/providers/sandbox/simulator/records/hos/clocks.ts'
import type { DailyLogRecord } from '../../../src/providers/sandbox/simulator/records/hos/daily-logs.ts'
import { type HosLogRecord, hosLogs } from '../../../src/providers/sandbox/simulator/records/hos/logs.ts'
import { assignmentOf } from '../../../src/providers/sandbox/simulator/records/hos/driver-assignment.ts'
import type { TripRecord } from '../../../src/providers/sandbox/simulator/records/trips.ts'
import { NO_EDITS } from '../../../src/providers/sandbox/simulator/records/world.ts'
import { driverCount } from '../../../src/providers/sandbox/simulator/world/fleet.ts'
import { breachesOf, dutiesOf } from '../../support/simulator/duty-rules.ts'
import { runSimulator } from '../../support/simulator/simulator.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FROM = Date.UTC(2025, 9, 1)
const fleet = { seed: 11, size: 120 }

const logsBetween = (driver: number, sinceMs: number, untilMs: number, nowMs = untilMs): HosLogRecord[] => {
  const assignment = assignmentOf(fleet, driver)
  return assignment ? [...hosLogs(assignment, { sinceMs, untilMs }, nowMs)].map(({ record }) => record) : []
}

const workers = Array.from({ length: driverCount(fleet) }, (_, driver) => driver).filter((driver) =>
  assignmentOf(fleet, driver),
)

describe('the logs of a driver', () => {
  test('obey the duty rules of 49 CFR 395.3 over six weeks with a clock change', () => {
    for (const driver of workers) {
      const [sinceMs, untilMs] = [FROM - 9 * DAY_MS, FROM + 42 * DAY_MS]
      const duties = dutiesOf(logsBetween(driver, sinceMs, untilMs), untilMs)
      const rested = duties.findIndex(({ startMs, endMs }) => endMs - startMs >= 20 * HOUR_MS)
      expect({ driver, breaches: breachesOf(duties.slice(rested)) }).toEqual({ driver, breaches: [] })
    }
  })

  test('follow each other without a gap, and only the last is open', () => {
    for (const driver of workers.filter((_, i) => i % 7 === 0)) {
      const nowMs = FROM + 11 * DAY_MS + driver * 977_000
      const logs = logsBetween(driver, FROM, nowMs)
      for (const [i, { endedAt, updatedAt }] of logs.entries()) {
        expect(endedAt).toBe(logs[i + 1]?.startedAt ?? null)
        expect(Date.parse(updatedAt)).toBeLessThanOrEqual(nowMs)
      }
      expect(Date.parse(logs[0]!.startedAt)).toBeLessThanOrEqual(FROM)
      expect(new Set(logs.map(({ id }) => id)).size).toBe(logs.length)
    }
  })

  test('have every status, remarks, and corrections hours later', () => {
    const statuses = new Set<string>()
    let corrected = 0
    for (const driver of workers) {
      const nowMs = FROM + 14 * DAY_MS
      const before = new Map(logsBetween(driver, FROM, nowMs).map((log) => [log.id, log]))
      for (const log of logsBetween(driver, FROM, nowMs, nowMs + 12 * HOUR_MS)) {
        statuses.add(log.status)
        const old = before.get(log.id)
        if (old?.endedAt && old.remarks.length < log.remarks.length) {
          corrected++
          expect(Date.parse(log.updatedAt)).toBeGreaterThan(Date.parse(old.updatedAt))
        }
      }
    }
    expect([...statuses].sort()).toEqual([
      'driving',
      'off_duty',
      'on_duty',
      'personal_conveyance',
      'sleeper_berth',
      'well_site_waiting',
      'yard_move',
    ])
    expect(corrected).toBeGreaterThan(10)
  })

  test('name the codriver of a team, who never drives at the same time', () => {
    const teams = workers.filter((driver) => (assignmentOf(fleet, driver)?.codriver ?? null) !== null)
    expect(teams.length).toBeGreaterThan(4)
    for (const driver of teams) {
      const codriver = assignmentOf(fleet, driver)!.codriver!
      expect(assignmentOf(fleet, codriver)?.codriver).toBe(driver)
      const driving = (of: number) =>
        dutiesOf(logsBetween(of, FROM, FROM + 7 * DAY_MS), FROM + 7 * DAY_MS).filter(
          ({ status }) => status === 'driving',
        )
      const theirs = driving(codriver)
      for (const { startMs, endMs } of driving(driver))
        expect(theirs.filter((other) => other.startMs < endMs && other.endMs > startMs)).toEqual([])
    }
    const log = logsBetween(teams[0]!, FROM, FROM + 7 * DAY_MS).find(({ status }) => status === 'driving')
    expect(log?.codriverIds).toHaveLength(1)
  })
})

test('the rule check finds a breach of each rule', () => {
  const days = (...hours: [status: string, hours: number][]) => {
    let endMs = 0
    return hours.map(([status, h]) => ({ status, startMs: endMs, endMs: (endMs += h * HOUR_MS) }))
  }
  const rest = ['off_duty', 40] as [string, number]
  const rules = (...hours: [string, number][]) =>
    breachesOf(days(rest, ...hours)).map((text) => text.split(' ')[0])
  expect(rules(['driving', 7], ['on_duty', 0.5], ['driving', 4])).toEqual([])
  expect(rules(['driving', 7], ['on_duty', 0.5], ['driving', 4.1])).toEqual(['(a)(3)(i)'])
  expect(rules(['driving', 6], ['on_duty', 0.4], ['driving', 3])).toEqual(['(a)(3)(ii)'])
  expect(rules(['on_duty', 13], ['driving', 1.5])).toEqual(['(a)(2)'])
  const day = [
    ['driving', 6],
    ['on_duty', 6],
    ['sleeper_berth', 10],
  ] as [string, number][]
  expect(rules(...day, ...day, ...day, ...day, ...day, ...day, ...day)).toEqual(['(b)(2)'])
  expect(breachesOf(days(['off_duty', 9], ['driving', 1]))).toHaveLength(1)
})

describe('the hours of service over HTTP', () => {
  const key = 'sandbox-60-5'
  const period = 'since=2025-11-01T00:00:00Z&until=2025-11-08T00:00:00Z'
  let simulator: Awaited<ReturnType<typeof runSimulator>>
  let logs: HosLogRecord[]
  beforeAll(async () => {
    simulator = await runSimulator()
    logs = await simulator.all<HosLogRecord>(`/hos/logs?${period}&limit=1000`, key)
  })
  afterAll(() => simulator[Symbol.asyncDispose]())

  test('every trip with a driver matches a driving log, and every driving log a trip', async () => {
    const trips = await simulator.all<TripRecord>(`/trips?${period}&limit=1000`, key)
    const driving = logs.filter(({ status }) => status === 'driving')
    const spans = new Set(
      driving.map((log) => `${log.driverId} ${log.vehicleId} ${log.startedAt} ${log.endedAt}`),
    )
    const driven = trips.filter(({ driverId }) => driverId !== null)
    for (const { driverId, vehicleId, startedAt, endedAt } of driven)
      expect(spans).toContain(`${driverId} ${vehicleId} ${startedAt} ${endedAt}`)
    const tripTimes = new Set(trips.map(({ vehicleId, startedAt }) => `${vehicleId} ${startedAt}`))
    const complete = driving.filter(
      ({ startedAt, endedAt }) => startedAt > '2025-11-01' && endedAt !== null && endedAt < '2025-11-08',
    )
    for (const log of complete) expect(tripTimes).toContain(`${log.vehicleId} ${log.startedAt}`)
    expect(driven.length).toBeGreaterThan(500)
  })

  test('a daily log is the sum of its logs in the time zone of the fleet, even on a day of 25 hours', async () => {
    const days = await simulator.all<DailyLogRecord>(`/hos/daily-logs?${period}&limit=1000`, key)
    const changed = days.filter(({ date }) => date === '2025-11-02')
    expect(changed.length).toBeGreaterThan(50)
    for (const { seconds } of changed) expect(sum(Object.values(seconds))).toBe(25 * 3600)
    for (const { seconds, miles } of days.filter(({ date }) => date === '2025-11-05')) {
      expect(sum(Object.values(seconds))).toBe(24 * 3600)
      expect(miles.total).toBeCloseTo(miles.driving + miles.yardMove + miles.personalConveyance, 2)
      if (seconds.driving > 0) expect((miles.driving * 3600) / seconds.driving).toBeGreaterThan(45)
      else expect(miles.driving).toBe(0)
    }
    const driverId = changed.find(({ seconds }) => seconds.driving > 0)!.driverId
    const one = await simulator.all<DailyLogRecord>(`/hos/daily-logs?${period}&driverId=${driverId}`, key)
    expect(one.map(({ date }) => date)).toEqual(
      ['10-31', '11-01', '11-02', '11-03', '11-04', '11-05', '11-06', '11-07'].map((day) => `2025-${day}`),
    )
    const driving = (from: string, to: string) =>
      logs
        .filter((log) => log.driverId === driverId && log.status === 'driving')
        .filter(({ startedAt }) => startedAt >= from && startedAt < to)
        .reduce((total, log) => total + Date.parse(log.endedAt!) - Date.parse(log.startedAt), 0)
    const week = driving('2025-11-02T04:00', '2025-11-07T04:00') / 1000
    const daily = one.slice(2, 7).reduce((total, { seconds }) => total + seconds.driving, 0)
    expect(Math.abs(week - daily)).toBeLessThan(5 * 3600)
  })

  test('the clocks stay within the limits of the rules', async () => {
    const clocks = await simulator.all<ClocksRecord>('/hos/clocks', key)
    expect(clocks.length).toBeGreaterThan(60)
    for (const { remainingSeconds } of clocks) {
      expect(remainingSeconds.drive).toBeLessThanOrEqual(11 * 3600)
      expect(remainingSeconds.shift).toBeLessThanOrEqual(14 * 3600)
      expect(remainingSeconds.break).toBeLessThanOrEqual(8 * 3600)
      expect(remainingSeconds.cycle).toBeLessThanOrEqual(70 * 3600)
    }
  })
})

test('the clocks run down while driving, and a rest of 34 hours resets them', () => {
  const at = (driver: number, nowMs: number) =>
    clocksRecord({ fleet, edits: NO_EDITS, nowMs }, driver)!.remainingSeconds
  for (const driver of workers.filter((_, i) => i % 11 === 0)) {
    const logs = logsBetween(driver, FROM, FROM + 10 * DAY_MS)
    for (const log of logs.slice(1, -1)) {
      const [startMs, endMs] = [Date.parse(log.startedAt), Date.parse(log.endedAt!)]
      const [start, end] = [at(driver, startMs + 1000), at(driver, endMs - 1000)]
      const seconds = (endMs - startMs) / 1000 - 2
      if (log.status !== 'driving') continue
      expect(start.drive - end.drive).toBeCloseTo(seconds, -1)
      expect(start.break - end.break).toBeCloseTo(seconds, -1)
      expect(start.shift - end.shift).toBeCloseTo(seconds, -1)
      expect(start.cycle - end.cycle).toBeCloseTo(seconds, -1)
      expect(Math.min(...Object.values(end))).toBeGreaterThan(0)
    }
    const rest = logs.find((log) => Date.parse(log.endedAt ?? '') - Date.parse(log.startedAt) > 34 * HOUR_MS)
    if (!rest) continue
    expect(at(driver, Date.parse(rest.endedAt!) - 1)).toEqual({
      cycle: 70 * 3600,
      shift: 14 * 3600,
      drive: 11 * 3600,
      break: 8 * 3600,
    })
  }
})

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

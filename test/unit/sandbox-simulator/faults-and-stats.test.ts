import { describe, expect, test } from 'vitest'
import {
  type FaultCodeRecord,
  faultCodes,
} from '../../../src/providers/sandbox/simulator/records/faults/fault-codes.ts'
import { breadcrumbs } from '../../../src/providers/sandbox/simulator/records/history.ts'
import { locationAt } from '../../../src/providers/sandbox/simulator/records/locations.ts'
import { iftaMonths } from '../../../src/providers/sandbox/simulator/records/measures/ifta.ts'
import { stats } from '../../../src/providers/sandbox/simulator/records/measures/stats.ts'
import { utilization } from '../../../src/providers/sandbox/simulator/records/measures/utilization.ts'
import type { TimeOrdered } from '../../../src/providers/sandbox/simulator/records/time-ordered.ts'
import { trips } from '../../../src/providers/sandbox/simulator/records/trips.ts'
import { vehicleModelOf } from '../../../src/providers/sandbox/simulator/records/vehicles.ts'
import { uploadedMs } from '../../../src/providers/sandbox/simulator/world/upload-delays.ts'
import { DAY_MS, HOUR_MS } from '../../../src/providers/sandbox/simulator/world/durations.ts'
import {
  legAt,
  legNumberAt,
  type VehicleRoute,
  vehicleRouteOf,
} from '../../../src/providers/sandbox/simulator/world/vehicle-route.ts'

const fleet = { seed: 1, size: 50 }
const FROM = Date.UTC(2025, 9, 20)
const routes = Array.from({ length: 50 }, (_, vehicle) => vehicleRouteOf(fleet, vehicle))
const records = <T>(timed: Iterable<TimeOrdered<T>>): T[] => Array.from(timed, ({ record }) => record)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

describe('fault codes', () => {
  const week = { sinceMs: FROM, untilMs: FROM + 7 * DAY_MS }
  const at = (nowMs: number) => routes.flatMap((route) => records(faultCodes(route, week, nowMs)))

  test('have both protocols, lamps on and off, and every status', () => {
    const all = at(FROM + 3 * DAY_MS)
    const seen = (of: (record: FaultCodeRecord) => unknown) => new Set(all.map(of))
    expect(seen(({ protocol }) => protocol)).toEqual(new Set(['J1939', 'OBD-II']))
    expect(seen(({ status }) => status)).toEqual(new Set(['pending', 'active', 'cleared']))
    expect(seen(({ lamp }) => lamp)).toEqual(new Set(['on', 'off', null]))
    for (const { protocol, vehicleId } of all) {
      const vehicle = Number.parseInt(vehicleId.split('-')[2]!, 36)
      expect(protocol === 'OBD-II').toBe(vehicleModelOf(fleet, vehicle).kind === 'Van')
    }
  })

  test('are cleared later, with a later updatedAt', () => {
    const later = new Map(at(FROM + 14 * DAY_MS).map((record) => [record.id, record]))
    const open = at(FROM + 3 * DAY_MS).filter(({ status }) => status !== 'cleared')
    expect(open.length).toBeGreaterThan(5)
    for (const { id, updatedAt } of open) {
      expect(later.get(id)?.status).toBe('cleared')
      expect(later.get(id)!.updatedAt > updatedAt).toBe(true)
    }
  })

  test('are listed for every period in which they were open', () => {
    const [lasting] = at(FROM + 14 * DAY_MS).filter(
      ({ observedAt, clearedAt }) => Date.parse(clearedAt!) - Date.parse(observedAt) > DAY_MS,
    )
    const clearedMs = Date.parse(lasting!.clearedAt!)
    const route = routes[Number.parseInt(lasting!.vehicleId.split('-')[2]!, 36)]!
    const ids = (sinceMs: number) =>
      records(faultCodes(route, { sinceMs, untilMs: sinceMs + HOUR_MS }, FROM + 14 * DAY_MS)).map(
        ({ id }) => id,
      )
    expect(ids(clearedMs - HOUR_MS / 2)).toContain(lasting!.id)
    expect(ids(clearedMs + 1)).not.toContain(lasting!.id)
  })
})

describe('measurements', () => {
  const day = { sinceMs: FROM, untilMs: FROM + DAY_MS }
  const nowMs = FROM + 3 * DAY_MS
  const diesel = routes.filter(({ vehicle }) => vehicleModelOf(fleet, vehicle).fuelType === 'diesel')

  test('have twelve types, or seven for an electric vehicle', () => {
    const types = (route: VehicleRoute) =>
      new Set(
        records(stats(route, { sinceMs: FROM, untilMs: FROM + 3 * DAY_MS }, nowMs)).map(({ type }) => type),
      )
    expect(types(diesel[0]!).size).toBe(12)
    const electric = vehicleRouteOf(
      fleet,
      firstVehicle((vehicle) => vehicleModelOf(fleet, vehicle).fuelType === 'electric'),
    )
    expect(types(electric).size).toBe(7)
  })

  test('have distinct times in order', () => {
    for (const route of routes.slice(0, 10)) {
      const times = [...stats(route, day, nowMs)].map(({ timeMs }) => timeMs)
      expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
    }
  })

  test('agree with the locations on odometer, fuel and engine time', () => {
    for (const route of diesel.slice(0, 8))
      for (const { type, value, time } of records(stats(route, day, nowMs))) {
        const place = locationAt(route, Date.parse(time))
        if (type === 'odometerMiles') expect(value).toBe(place.odometerMiles)
        if (type === 'fuelPercent') expect(value).toBe(place.fuelPercent)
        if (type === 'engineSeconds') expect(value).toBe(place.engineSeconds)
      }
  })

  test('show falling fuel with refills, and growing total consumption', () => {
    const week = { sinceMs: FROM, untilMs: FROM + 7 * DAY_MS }
    const all = records(stats(diesel[1]!, week, FROM + 9 * DAY_MS))
    const of = (type: string) => all.filter((record) => record.type === type).map(({ value }) => value!)
    const steps = (values: number[]) => values.slice(1).map((value, i) => value - values[i]!)
    expect(Math.min(...steps(of('totalFuelGallons')))).toBeGreaterThanOrEqual(0)
    expect(Math.min(...steps(of('fuelPercent')))).toBeLessThan(0)
    expect(Math.max(...steps(of('fuelPercent')))).toBeGreaterThan(20)
  })

  test('stay within plausible ranges', () => {
    const limits: Record<string, [number, number]> = {
      engineRpm: [550, 1700],
      oilPercent: [70, 100],
      oilPressurePsi: [20, 60],
      oilTemperatureF: [60, 225],
      coolantTemperatureF: [60, 200],
      coolantPercent: [90, 100],
      batteryVolts: [13, 14.5],
      fuelPercent: [0, 100],
    }
    for (const { type, value } of routes.slice(0, 12).flatMap((route) => records(stats(route, day, nowMs)))) {
      const [low, high] = limits[type] ?? [0, Number.POSITIVE_INFINITY]
      if (value === null) expect(type).toBe('engineState')
      else expect(value >= low && value <= high, `${type} ${value}`).toBe(true)
    }
  })

  test('report each change of the engine state, in a fixed cycle', () => {
    const states = records(stats(diesel[0]!, day, nowMs)).flatMap(({ state }) => state ?? [])
    const start = states.indexOf('idle')
    const cycle = ['idle', 'on', 'idle', 'off']
    const wholeCycles = states.slice(states.indexOf('off', start) + 1)
    expect(wholeCycles.length).toBeGreaterThan(3)
    for (const [i, state] of wholeCycles.entries()) expect(state).toBe(cycle[i % 4])
  })
})

describe('utilization and IFTA', () => {
  const allTrips = (route: VehicleRoute) =>
    records(trips(route, { sinceMs: 0, untilMs: FROM + 60 * DAY_MS }, Infinity))

  test('a day agrees with its trips', () => {
    const route = routes[7]!
    // Midnights in Denver, in a week without a clock change.
    const [sinceMs, untilMs] = [Date.UTC(2025, 9, 20, 6), Date.UTC(2025, 9, 27, 6)]
    const days = records(utilization(route, { sinceMs, untilMs }, untilMs))
    expect(days.map(({ date }) => date)).toEqual(
      ['20', '21', '22', '23', '24', '25', '26'].map((d) => `2025-10-${d}`),
    )
    const within = allTrips(route).filter(
      ({ startedAt, endedAt }) => Date.parse(startedAt) >= sinceMs && Date.parse(endedAt) < untilMs,
    )
    const tolerance = 4.5 * 60
    expect(
      Math.abs(sum(days.map(({ miles }) => miles)) - sum(within.map((t) => t.distanceMiles))),
    ).toBeLessThan(2 * tolerance)
    const idling = days.filter(({ drivingSeconds }) => drivingSeconds > 0).map((d) => d.idlingSeconds)
    expect(Math.min(...idling)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...idling)).toBeLessThan(8 * 7 * 60)
  })

  test('the jurisdictions of a month add up to its distance, for every month since the start', () => {
    const nowMs = Date.UTC(2025, 10, 15)
    for (const route of routes.slice(0, 12)) {
      const months = records(iftaMonths(route, { from: '2024-01', to: '2025-11', untilMs: nowMs }))
      expect(new Set(months.map(({ month }) => month)).size).toBe(23)
      const driven =
        locationAt(route, nowMs).odometerMiles - locationAt(route, Date.UTC(2024, 0, 1)).odometerMiles
      expect(sum(months.map(({ miles }) => miles)) / driven).toBeCloseTo(1, 3)
    }
  })

  test('the jurisdiction distances of a month agree with the breadcrumbs', () => {
    const route = routes.find(({ lengthMiles }) => lengthMiles > 600)!
    const nowMs = Date.UTC(2025, 6, 1, 12)
    const [june] = [records(iftaMonths(route, { from: '2025-06', to: '2025-06', untilMs: nowMs }))]
    const milesByState = new Map<string, number>()
    const period = { sinceMs: Date.UTC(2025, 5, 1, 6), untilMs: Date.UTC(2025, 6, 1, 6) }
    let last = locationAt(route, period.sinceMs)
    for (const { timeMs } of breadcrumbs(route, period, Infinity)) {
      const now = locationAt(route, timeMs)
      const state = last.address.slice(-2)
      milesByState.set(state, (milesByState.get(state) ?? 0) + now.odometerMiles - last.odometerMiles)
      last = now
    }
    expect(june!.length).toBeGreaterThan(1)
    for (const { jurisdiction, miles } of june!)
      expect(Math.abs((milesByState.get(jurisdiction) ?? 0) - miles)).toBeLessThan(0.002 * miles + 5)
  })

  test('the fleet drives in many states, some of them in Canada', () => {
    const months = routes.flatMap((route) =>
      records(iftaMonths(route, { from: '2024-10', to: '2025-10', untilMs: Date.UTC(2025, 9, 31) })),
    )
    const states = new Set(months.map(({ jurisdiction }) => jurisdiction))
    expect(states.size).toBeGreaterThan(12)
    expect([...states].some((state) => ['ON', 'QC', 'BC', 'AB', 'SK', 'MB'].includes(state))).toBe(true)
    expect(new Set(months.map(({ month }) => month)).size).toBe(13)
  })
})

describe('a late upload', () => {
  test('adds the trip, its breadcrumbs and measurements hours after their own times', () => {
    const { route, leg } = lateLeg()
    const arrivesMs = uploadedMs(route, leg)
    const period = { sinceMs: leg.startMs, untilMs: leg.endMs + 1 }
    const lists = (nowMs: number) =>
      [trips, breadcrumbs, stats].map((read) => [...read(route, period, nowMs)].length)
    expect(arrivesMs - leg.endMs).toBeGreaterThanOrEqual(HOUR_MS)
    expect(lists(arrivesMs - 1).slice(0, 2)).toEqual([0, 1])
    const arrived = lists(arrivesMs)
    expect(arrived[0]).toBe(1)
    expect(Math.min(...arrived.slice(1))).toBeGreaterThan(100)
  })

  test('affects about one leg in thirty', () => {
    const late = routes.flatMap((route) => legsOf(route).filter((leg) => uploadedMs(route, leg) > 0))
    const part = late.length / routes.flatMap(legsOf).length
    expect(part).toBeGreaterThan(1 / 60)
    expect(part).toBeLessThan(1 / 15)
  })
})

function legsOf(route: VehicleRoute) {
  const first = legNumberAt(route, FROM)
  return Array.from({ length: 40 }, (_, i) => legAt(route, first + i))
}

function lateLeg() {
  for (const route of routes)
    for (const leg of legsOf(route)) if (uploadedMs(route, leg) > 0) return { route, leg }
  throw new Error('no leg is late')
}

function firstVehicle(matches: (vehicle: number) => boolean): number {
  for (let vehicle = 0; vehicle < 1000; vehicle++) if (matches(vehicle)) return vehicle
  throw new Error('there is no such vehicle')
}

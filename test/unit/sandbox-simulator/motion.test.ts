import { describe, expect, test } from 'vitest'
import { locationAt } from '../../../src/providers/sandbox/simulator/records/locations.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/providers/sandbox/simulator/world/durations.ts'
import { vehicleIsSilent } from '../../../src/providers/sandbox/simulator/world/fleet.ts'
import { milesBetween } from '../../../src/providers/sandbox/simulator/world/road-network/geometry.ts'
import { motionAt, positionAfter } from '../../../src/providers/sandbox/simulator/world/motion.ts'
import {
  legAt,
  legNumberAt,
  type VehicleRoute,
  vehicleRouteOf,
} from '../../../src/providers/sandbox/simulator/world/vehicle-route.ts'

const fleet = { seed: 11, size: 1000 }
const MONDAY = Date.UTC(2025, 8, 1)
const SAMPLED = [0, 1, 2, 5, 137, 500, 999]

describe('a vehicle', () => {
  test.each(SAMPLED)('never jumps: vehicle %i over a week of 5 s samples', (vehicle) => {
    const route = vehicleRouteOf(fleet, vehicle)
    let last = positionAfter(route, motionAt(route, MONDAY).miles)
    let furthest = 0
    for (let t = MONDAY + 5000; t < MONDAY + 7 * DAY_MS; t += 5000) {
      const position = positionAfter(route, motionAt(route, t).miles)
      furthest = Math.max(furthest, milesBetween(last, position))
      last = position
    }
    expect(furthest * 720).toBeGreaterThan(45)
    expect(furthest * 720).toBeLessThan(75)
  })

  test.each(SAMPLED)(
    'never loses miles or engine time, and never runs out of fuel: vehicle %i over five weeks',
    (vehicle) => {
      const route = vehicleRouteOf(fleet, vehicle)
      let last = locationAt(route, MONDAY)
      for (let t = MONDAY; t < MONDAY + 35 * DAY_MS; t += 307_000) {
        const now = locationAt(route, t)
        expect(now.odometerMiles).toBeGreaterThanOrEqual(last.odometerMiles)
        expect(now.engineSeconds).toBeGreaterThanOrEqual(last.engineSeconds)
        expect(now.engineSeconds - last.engineSeconds).toBeLessThanOrEqual(308)
        expect(now.fuelPercent).toBeGreaterThan(3)
        expect(now.fuelPercent).toBeLessThanOrEqual(100)
        last = now
      }
    },
  )

  test.each(SAMPLED)('refuels only while its engine is off: vehicle %i', (vehicle) => {
    const route = vehicleRouteOf(fleet, vehicle)
    const minutes = Array.from({ length: 7 * 1440 }, (_, i) => locationAt(route, MONDAY + i * 60_000))
    const fills = minutes.filter((now, i) => i > 0 && now.fuelPercent > minutes[i - 1]!.fuelPercent + 0.1)
    expect(fills.length).toBeGreaterThan(2)
    expect(new Set(fills.map(({ engineState }) => engineState))).toEqual(new Set(['off']))
  })

  test.each(SAMPLED)('drives legs of 1.4 to 4.5 hours, with stops between: vehicle %i', (vehicle) => {
    const route = vehicleRouteOf(fleet, vehicle)
    for (const leg of legsFrom(route, 200)) {
      const hours = (leg.endMs - leg.startMs) / HOUR_MS
      expect(hours).toBeGreaterThan(1.4)
      expect(hours).toBeLessThan(4.5)
      expect(legAt(route, leg.number + 1).startMs - leg.endMs).toBeGreaterThanOrEqual(15 * MINUTE_MS)
      expect(legNumberAt(route, leg.startMs)).toBe(leg.number)
      expect(legNumberAt(route, leg.startMs - 1)).toBe(leg.number - 1)
    }
  })

  test.each(SAMPLED)('drives at 45 to 70 mph: vehicle %i', (vehicle) => {
    const route = vehicleRouteOf(fleet, vehicle)
    const speeds = legsFrom(route, 200).map(
      ({ startMs }, i) => motionAt(route, startMs + i * 20_000).speedMph,
    )
    expect(Math.min(...speeds)).toBeGreaterThan(45)
    expect(Math.max(...speeds)).toBeLessThan(70)
  })

  test('with one driver drives at most eleven hours, then rests for ten', () => {
    const route = vehicleRouteOf(fleet, 7)
    const legs = legsFrom(route, 100)
    for (const day of new Set(legs.map((leg) => leg.day))) {
      const work = legs.filter((leg) => leg.day === day)
      const hours = work.reduce((sum, { startMs, endMs }) => sum + (endMs - startMs) / HOUR_MS, 0)
      expect(hours).toBeLessThanOrEqual(11)
      expect(work.at(-1)!.endMs - work[0]!.startMs).toBeLessThanOrEqual(14 * HOUR_MS)
    }
    const rests = legs
      .map((leg) => [leg, legAt(route, leg.number + 1)] as const)
      .filter(([leg, next]) => leg.day !== next.day)
      .map(([leg, next]) => (next.startMs - leg.endMs) / HOUR_MS)
    expect(rests.length).toBeGreaterThan(20)
    expect(Math.min(...rests)).toBeGreaterThanOrEqual(10)
  })
})

test('at least 30 % of a fleet moves at each hour of the week', () => {
  for (const size of [200, 1000]) {
    const vehicles = Array.from({ length: size }, (_, vehicle) => vehicle).filter((v) => !vehicleIsSilent(v))
    const routes = vehicles.map((vehicle) => vehicleRouteOf({ seed: 3, size }, vehicle))
    for (let t = MONDAY; t < MONDAY + 7 * DAY_MS; t += HOUR_MS) {
      const moving = routes.filter((route) => motionAt(route, t).moving).length
      expect(moving / size).toBeGreaterThanOrEqual(0.3)
    }
  }
})

test('the cost of a position does not depend on the size of the fleet', () => {
  const count = 50_000
  const run = (size: number) => {
    const started = process.cpuUsage()
    for (let v = 0; v < count; v++) {
      const route = vehicleRouteOf({ seed: 5, size }, v % size)
      positionAfter(route, motionAt(route, MONDAY + v * 1000).miles)
    }
    return process.cpuUsage(started).user
  }
  const best = (size: number) => Math.min(run(size), run(size), run(size))
  best(100)
  expect(best(100_000) / best(100)).toBeLessThan(5)
})

/** Returns the legs that start after a Monday. */
function legsFrom(route: VehicleRoute, count: number) {
  const first = legNumberAt(route, MONDAY) + 1
  return Array.from({ length: count }, (_, i) => legAt(route, first + i))
}

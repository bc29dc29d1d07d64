import { describe, expect, test } from 'vitest'
import { metersBetween } from '../../../fakes/world/roads/road.ts'
import type { Fix, Ms, Trip, World } from '../../../fakes/world/truth.ts'
import { worldOf } from '../../../fakes/world/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const startsAt = Date.parse('2026-02-15T06:00:00Z')
const after = (days: number): Ms => startsAt + days * DAY

const fleet = (days: number, vehicles = 40, options = {}): World =>
  worldOf({ seed: 7, vehicles, startsAt, now: () => after(days), options })

const numbers = (members: readonly { number: number }[]): number[] => members.map(({ number }) => number)
const everyTrip = (world: World): Trip[] =>
  world.vehicles().flatMap(({ number }) => [...world.trips(number, startsAt, world.now)])

describe('a world', () => {
  test('is the same for the same seed, independent of earlier queries', () => {
    const [one, other] = [fleet(30), fleet(30)]
    for (const vehicle of [31, 4, 17]) one.fixes(vehicle, after(20), after(25))
    for (const vehicle of [4, 31]) {
      expect(one.fixes(vehicle, after(3), after(5))).toEqual(other.fixes(vehicle, after(3), after(5)))
      expect(one.trips(vehicle, after(0), after(30))).toEqual(other.trips(vehicle, after(0), after(30)))
    }
    expect(one.drivers()).toEqual(other.drivers())
    expect(fleet(30).vehicles()).not.toEqual(
      worldOf({ seed: 8, vehicles: 40, startsAt, now: () => after(30) }).vehicles(),
    )
  })

  test('has trips that agree with the odometers', () => {
    const world = fleet(14, 12, { fixEveryMilliseconds: 30_000, lateShare: 0 })
    const trips = everyTrip(world).filter(({ endedAt }) => endedAt !== null)
    expect(trips.length).toBeGreaterThan(100)
    for (const trip of trips) {
      const fixes = world.fixes(trip.vehicle, trip.startedAt, (trip.endedAt as Ms) + 1)
      const [first, last] = [fixes[0] as Fix, fixes.at(-1) as Fix]
      expect(last.odometerMeters - first.odometerMeters).toBeCloseTo(trip.meters, 3)
      expect(last.engineRunMilliseconds - first.engineRunMilliseconds).toBe(
        trip.drivingMilliseconds + trip.idlingMilliseconds,
      )
      const straightMeters = fixes
        .slice(1)
        .reduce((sum, fix, index) => sum + straightLineMeters(fixes[index] as Fix, fix), 0)
      expect(straightMeters / trip.meters).toBeGreaterThan(0.985)
      expect(straightMeters / trip.meters).toBeLessThan(1.001)
      expect(last.fuel).toBeLessThan(first.fuel)
      expect(last.engine).toBe('off')
    }
  })

  test('divides the driven distance among the jurisdictions without overlap or gap', () => {
    const world = fleet(40, 20)
    const driven = everyTrip(world).reduce((sum, { meters }) => sum + meters, 0)
    const shares = ['2026-02', '2026-03'].flatMap((month) => world.jurisdictionDistances(month))
    expect(shares.reduce((sum, { meters }) => sum + meters, 0) / driven).toBeCloseTo(1, 9)
    const crossed = new Set(shares.map(({ jurisdiction }) => jurisdiction))
    expect(crossed.size).toBeGreaterThan(15)
    for (const abroad of ['BC', 'ON', 'NB']) expect(crossed).toContain(abroad)
  })

  test('starts and ends months at midnight in the time zone of the fleet', () => {
    const month = (options: object) => fleet(40, 20, options).jurisdictionDistances('2026-03')
    expect(month({ timeZone: 'America/Chicago' })).not.toEqual(month({ timeZone: 'America/Los_Angeles' }))
  })
})

describe('as the clock moves on', () => {
  test('vehicles are added, removed, renamed and deactivated', () => {
    const [before, later] = [fleet(30, 300), fleet(37, 300)]
    const was = new Map(before.vehicles().map((vehicle) => [vehicle.number, vehicle]))
    const is = later.vehicles()
    expect(is.length).toBeGreaterThan(was.size)
    const changed = is.filter((vehicle) => was.has(vehicle.number) && vehicle.updatedAt > before.now)
    const differs = (key: 'name' | 'isActive' | 'removedAt' | 'plate') =>
      changed.filter((vehicle) => vehicle[key] !== was.get(vehicle.number)?.[key])
    for (const key of ['name', 'isActive', 'removedAt', 'plate'] as const)
      expect(differs(key)).not.toHaveLength(0)
    const settled = is.filter((vehicle) => vehicle.updatedAt <= before.now)
    expect(settled).toEqual(settled.map(({ number }) => was.get(number)))
  })

  test('no fix is visible before it arrives, and late fixes arrive hours later', () => {
    const clock = { now: after(20) }
    const world = worldOf({ seed: 7, vehicles: 60, startsAt, now: () => clock.now })
    const visibleFixes = () =>
      numbers(world.vehicles()).flatMap((vehicle) => world.fixes(vehicle, after(19), after(20)))
    const early = visibleFixes()
    clock.now = after(22)
    const late = visibleFixes().filter(({ arrivedAt }) => arrivedAt > after(20) + HOUR)
    expect(early.length).toBeGreaterThan(0)
    expect(early.filter(({ arrivedAt }) => arrivedAt > after(20))).toEqual([])
    expect(late).not.toHaveLength(0)
    expect(visibleFixes()).toHaveLength(
      early.length + visibleFixes().filter(({ arrivedAt }) => arrivedAt > after(20)).length,
    )
  })

  test('a running trip has no end until the clock passes it', () => {
    const clock = { now: after(15) + 15 * HOUR }
    const world = worldOf({ seed: 7, vehicles: 60, startsAt, now: () => clock.now })
    const running = everyTrip(world).filter(({ endedAt }) => endedAt === null)
    expect(running.length).toBeGreaterThan(5)
    expect(new Set(running.map(({ vehicle }) => vehicle)).size).toBe(running.length)
    clock.now += DAY
    const ended = everyTrip(world).filter(({ number }) => numbers(running).includes(number))
    expect(ended).toHaveLength(running.length)
    for (const trip of ended) {
      const was = running.find(({ number }) => number === trip.number) as Trip
      expect(trip.endedAt).not.toBeNull()
      expect(trip.meters).toBeGreaterThan(was.meters)
      expect(trip.updatedAt).toBeGreaterThan(was.updatedAt)
    }
  })

  test('some trips and faults are corrected after they end', () => {
    const world = fleet(30, 100)
    const corrected = everyTrip(world).filter(
      ({ endedAt, updatedAt }) => updatedAt > (endedAt ?? world.now) + 21 * HOUR,
    )
    expect(corrected).not.toHaveLength(0)
    const faults = numbers(world.vehicles()).flatMap((vehicle) => [
      ...world.faults(vehicle, startsAt, world.now),
    ])
    expect(faults.filter(({ closedAt }) => closedAt === null)).not.toHaveLength(0)
    for (const { closedAt, updatedAt } of faults)
      if (closedAt !== null) expect(updatedAt).toBeGreaterThanOrEqual(closedAt)
    expect(new Set(numbers(faults)).size).toBe(faults.length)
  })

  test('a fault does not start again while it is open', () => {
    const world = fleet(200, 60)
    let repeats = 0
    for (const vehicle of numbers(world.vehicles())) {
      const faults = world.faults(vehicle, startsAt, world.now)
      for (const [index, { code, openedAt }] of faults.entries())
        for (const before of faults.slice(0, index).filter((one) => one.code === code)) {
          repeats++
          expect(before.closedAt).toBeLessThan(openedAt)
        }
      const later = world.now - 20 * 24 * HOUR
      expect(world.faults(vehicle, later, world.now)).toEqual(
        faults.filter(({ openedAt }) => openedAt >= later),
      )
    }
    expect(repeats).toBeGreaterThan(0)
  })
})

describe('the duty statuses of a driver', () => {
  const world = fleet(21, 60, { lateShare: 0 })
  const changesOf = (driver: number) => world.dutyChanges(driver, startsAt, world.now)

  test('follow one another without a gap, and the last one is open', () => {
    for (const driver of numbers(world.drivers())) {
      const changes = changesOf(driver)
      for (const [index, { endedAt }] of changes.entries())
        expect(endedAt).toBe(changes[index + 1]?.startedAt ?? null)
      expect(new Set(numbers(changes)).size).toBe(changes.length)
    }
  })

  test('match the trips', () => {
    const trips = everyTrip(world).filter(({ driver, endedAt }) => driver !== null && endedAt !== null)
    expect(trips.length).toBeGreaterThan(100)
    for (const trip of trips) {
      const duty = changesOf(trip.driver as number).find(({ startedAt }) => startedAt === trip.startedAt)
      expect(['driving', 'personal']).toContain(duty?.duty)
      expect(duty).toMatchObject({ vehicle: trip.vehicle, endedAt: trip.endedAt })
    }
  })

  test('leave time on every clock of a driver who is driving', () => {
    const clock = { now: startsAt }
    const moved = worldOf({
      seed: 7,
      vehicles: 30,
      startsAt,
      now: () => clock.now,
      options: { lateShare: 0 },
    })
    let drivingCount = 0
    for (clock.now = after(8); clock.now < after(16); clock.now += 3 * HOUR) {
      for (const { duty, ...left } of numbers(moved.drivers()).map((driver) => moved.clocks(driver)))
        if (duty === 'driving') {
          drivingCount++
          expect(Math.min(...Object.values(left))).toBeGreaterThan(0)
        }
    }
    expect(drivingCount).toBeGreaterThan(0)
  })
})

const straightLineMeters = (from: Fix, to: Fix): number =>
  metersBetween([from.latitude, from.longitude], [to.latitude, to.longitude])

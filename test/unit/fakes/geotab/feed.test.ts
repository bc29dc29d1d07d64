import { describe, expect, test } from 'vitest'
import { callGeotab } from '../../../fakes/geotab/caller.ts'
import { at, idIn, Reader, tripKey } from '../../../fakes/geotab/reader.ts'
import { DAY, HOUR, MINUTE } from '../../../fakes/geotab/times.ts'
import { versionText } from '../../../fakes/geotab/formats.ts'

const NOTHING = versionText(0)

describe('a feed', () => {
  test('returns entities in order of arrival, including late ones', () => {
    const caller = callGeotab({ vehicles: 25 })
    const { toVersion } = caller.feed('LogRecord')
    const before = caller.world.now
    caller.move(12 * HOUR)
    const { data } = caller.feed('LogRecord', { fromVersion: toVersion })
    const times = data.map(({ dateTime }) => at(dateTime))
    expect(times.some((time, index) => index > 0 && time < (times[index - 1] as number))).toBe(true)
    expect(times.some((time) => time < before - HOUR)).toBe(true)
    const seen = new Set(new Reader(caller).readFeed('LogRecord').map(({ id }) => id))
    expect(seen.size).toBe(caller.truth('VehicleLocation').length)
    for (const { id } of data) expect(seen).toContain(id)
  })

  test('returns the entities with the latest change last', () => {
    const { data } = callGeotab({ vehicles: 25 }).feed('ExceptionEvent', { fromVersion: NOTHING })
    const changes = data.map(({ lastModifiedDateTime }) => at(lastModifiedDateTime))
    expect(changes).toEqual(changes.toSorted((one, other) => one - other))
    const starts = data.map(({ activeFrom }) => at(activeFrom))
    expect(starts).not.toEqual(starts.toSorted((one, other) => one - other))
  })

  test.each([1, 7, 49, 50_000])('returns every entity once, in pages of %i', (resultsLimit) => {
    const caller = callGeotab({ vehicles: 4, days: 3 })
    const ids: unknown[] = []
    let fromVersion = NOTHING
    for (let isMore = true; isMore;) {
      const { data, toVersion } = caller.feed('StatusData', { fromVersion, resultsLimit })
      expect(data.length).toBeLessThanOrEqual(resultsLimit)
      ids.push(...data.map(({ id }) => id))
      isMore = data.length === resultsLimit
      fromVersion = toVersion
    }
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBe(caller.truth('VehicleStatLog').length)
  })

  test('returns the same entities step by step and all at once', () => {
    const [stepwise, atOnce] = [callGeotab({ vehicles: 20 }), callGeotab({ vehicles: 20 })]
    const reader = new Reader(stepwise)
    for (let step = 0; step < 40; step++) {
      for (const type of ['Trip', 'ExceptionEvent', 'DutyStatusLog', 'FaultData', 'LogRecord'])
        reader.readFeed(type, type === 'Trip' ? tripKey : undefined)
      stepwise.move(37 * MINUTE)
    }
    atOnce.move(40 * 37 * MINUTE)
    for (const type of ['Trip', 'ExceptionEvent', 'DutyStatusLog', 'FaultData', 'LogRecord']) {
      const keyOf = type === 'Trip' ? tripKey : ({ id }: Readonly<Record<string, unknown>>) => String(id)
      const normalized = (entities: readonly object[]) =>
        entities.map((entity) => JSON.stringify({ ...entity, id: 0, version: 0, engineHours: 0 })).sort()
      const [one, other] = [
        normalized(reader.readFeed(type, keyOf)),
        normalized(new Reader(atOnce).readFeed(type, keyOf)),
      ]
      const known = new Set(other)
      expect(one.filter((each) => !known.has(each))).toEqual([])
      expect(one.length).toBe(other.length)
    }
  })

  test('is empty without a version and a date, and starts now', () => {
    const caller = callGeotab()
    const { data, toVersion } = caller.feed('LogRecord')
    expect(data).toEqual([])
    expect(caller.feed('LogRecord', { fromVersion: toVersion }).data).toEqual([])
    caller.move(DAY)
    expect(caller.feed('LogRecord', { fromVersion: toVersion }).data.length).toBeGreaterThan(0)
  })

  test('returns from a date on all arrivals, even those of earlier times', () => {
    const caller = callGeotab({ vehicles: 25 })
    const { world } = caller
    const fixes = world.vehicles().flatMap(({ number }) => world.fixes(number, world.startsAt, world.now))
    const late = fixes.find((fix) => fix.arrivedAt - fix.at > HOUR)
    const since = (late?.arrivedAt ?? 0) - MINUTE
    const { data } = caller.feed('LogRecord', { search: { fromDate: new Date(since).toISOString() } })
    const times = new Set(data.map(({ dateTime }) => at(dateTime)))
    expect(times).toContain(late?.at)
    for (const fix of fixes.filter(({ arrivedAt }) => arrivedAt >= since)) expect(times).toContain(fix.at)
    expect(Math.min(...times)).toBeLessThan(since)
  })

  test('returns a trip again under a new id after the next trip starts and after a correction', () => {
    const caller = callGeotab({ vehicles: 25 })
    const ids = new Map<string, Set<unknown>>()
    let fromVersion = caller.feed('Trip').toVersion
    for (let step = 0; step < 24; step++) {
      caller.move(HOUR)
      const { data, toVersion } = caller.feed('Trip', { fromVersion })
      for (const trip of data) ids.set(tripKey(trip), (ids.get(tripKey(trip)) ?? new Set()).add(trip['id']))
      fromVersion = toVersion
    }
    expect([...ids.values()].filter((each) => each.size > 1).length).toBeGreaterThan(5)
    const now = caller.get('Trip')
    expect(new Set(now.map(tripKey)).size).toBe(now.length)
  })

  test('returns the end of a removed device, or omits the device', () => {
    for (const removal of ['archived', 'gone'] as const) {
      const caller = callGeotab({ vehicles: 30, switches: { removal } })
      const { toVersion } = caller.feed('Device')
      caller.move(20 * DAY)
      caller.signInAgain()
      const removed = caller.world
        .vehicles()
        .filter((each) => (each.removedAt ?? 0) > caller.world.now - 20 * DAY)
      expect(removed.length).toBeGreaterThan(0)
      const ended = caller
        .feed('Device', { fromVersion: toVersion })
        .data.filter(({ activeTo }) => at(activeTo) < caller.world.now)
      for (const { vin, removedAt } of removed) {
        const one = ended.find((device) => device['engineVehicleIdentificationNumber'] === vin)
        if (one) expect(at(one['activeTo'])).toBe(removedAt)
        if (removal === 'gone') expect(one).toBeUndefined()
      }
    }
  })

  test('can be limited to one device or one diagnostic', () => {
    const caller = callGeotab({ vehicles: 4, days: 3 })
    const id = idIn(caller.get('StatusData')[0]?.['device'])
    const search = { deviceSearch: { id }, diagnosticSearch: { id: 'DiagnosticOdometerId' } }
    const { data } = caller.feed('StatusData', { fromVersion: NOTHING, search })
    expect(new Set(data.map(({ device }) => idIn(device)))).toEqual(new Set([id]))
    expect(new Set(data.map(({ diagnostic }) => idIn(diagnostic)))).toEqual(new Set(['DiagnosticOdometerId']))
  })
})

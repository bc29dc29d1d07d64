import { describe, expect, test } from 'vitest'
import {
  addDays,
  dayBounds,
  dayOf,
  instantOf,
  isDay,
  timeOfDay,
} from '../../../dashboard/src/vehicle/day-bounds.ts'
import { entriesOf, totalsOf, type Trip } from '../../../dashboard/src/vehicle/day-entries.ts'
import { vehicleSearch } from '../../../dashboard/src/vehicle/vehicle-search.ts'

const HOUR = 3_600_000
const NEW_YORK = 'America/New_York'

describe('a day', () => {
  test.each([
    ['2026-11-30', 'UTC', '2026-11-30T00:00:00.000Z', 24],
    ['2026-11-30', NEW_YORK, '2026-11-30T05:00:00.000Z', 24],
    ['2026-03-08', NEW_YORK, '2026-03-08T05:00:00.000Z', 23],
    ['2026-11-01', NEW_YORK, '2026-11-01T04:00:00.000Z', 25],
    ['2026-11-30', 'Asia/Kolkata', '2026-11-29T18:30:00.000Z', 24],
  ])('%s in %s starts at %s and has %d hours', (day, zone, start, hours) => {
    const { startAt, endAt } = dayBounds(day, zone)
    expect([new Date(startAt).toISOString(), (endAt - startAt) / HOUR]).toEqual([start, hours])
    expect([dayOf(startAt, zone), dayOf(endAt - 1, zone), dayOf(endAt, zone)]).toEqual([
      day,
      day,
      addDays(day, 1),
    ])
  })

  test.each([
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ])('begins after midnight where clocks skip it: %s', (zone, day, start) => {
    const { startAt, endAt } = dayBounds(day, zone)
    expect([new Date(startAt).toISOString(), (endAt - startAt) / HOUR]).toEqual([start, 23])
    expect([dayOf(startAt - 1, zone), dayOf(startAt, zone)]).toEqual([addDays(day, -1), day])
  })

  test('is a day of the calendar', () => {
    expect(['2026-02-28', '2028-02-29'].every(isDay)).toBe(true)
    expect(['2026-02-29', '2026-13-01', '2026-2-1', '', 'today', 20_260_101, null].some(isDay)).toBe(false)
  })

  test('holds times since its start', () => {
    const bounds = dayBounds('2026-11-30', NEW_YORK)
    const at = bounds.startAt + 14 * HOUR + 5 * 60_000 + 9_000
    expect([timeOfDay(at, bounds), instantOf('14:05:09', bounds), instantOf('24:00:00', bounds)]).toEqual([
      '14:05:09',
      at,
      null,
    ])
    expect(['soon', '14:75:00', '14:05:99'].map((text) => instantOf(text, bounds))).toEqual([
      null,
      null,
      null,
    ])
  })
})

test.each([
  [
    { day: '2026-11-30', at: '05:00:00' },
    { day: '2026-11-30', at: '05:00:00' },
  ],
  [{ day: '2026-11-31', at: '5' }, {}],
])('the address %j is read as %j', (parameters, search) => {
  expect(vehicleSearch(parameters)).toEqual(search)
})

describe('the entries of a day', () => {
  const bounds = dayBounds('2026-11-30', 'UTC')
  const place = (longitude: number) => ({ longitude, latitude: 40 })
  const trip = (from: string, to: string, values: Partial<Trip> = {}): Trip => {
    const [startedAt, endedAt] = [`2026-11-30T${from}:00Z`, `2026-11-30T${to}:00Z`]
    return {
      id: from,
      startedAt,
      endedAt,
      distance: 100,
      duration: Date.parse(endedAt) - Date.parse(startedAt),
      driver: null,
      startLocation: place(1),
      endLocation: place(2),
      ...values,
    }
  }
  const summary = (entries: ReturnType<typeof entriesOf>) =>
    entries.map(({ kind, startAt, endAt }) => [
      kind,
      new Date(startAt).toISOString().slice(11, 16),
      new Date(endAt).toISOString().slice(11, 16),
    ])

  test('are trips and the stops between them, until the day ends', () => {
    const entries = entriesOf(
      { trips: [trip('12:00', '13:00'), trip('08:00', '09:00')], track: [] },
      bounds,
      bounds.endAt + HOUR,
    )
    expect(summary(entries)).toEqual([
      ['stop', '00:00', '08:00'],
      ['trip', '08:00', '09:00'],
      ['stop', '09:00', '12:00'],
      ['trip', '12:00', '13:00'],
      ['stop', '13:00', '00:00'],
    ])
    expect(entries.map((entry) => entry.kind === 'stop' && entry.place?.longitude)).toEqual([
      1,
      false,
      2,
      false,
      2,
    ])
    expect(totalsOf(entries)).toEqual({ trips: 2, distance: 200, drivingMs: 2 * HOUR, stoppedMs: 22 * HOUR })
  })

  test('end now on the present day, and leave out a stop of a moment', () => {
    const now = bounds.startAt + 10 * HOUR
    const entries = entriesOf(
      { trips: [trip('00:01', '08:00'), trip('08:02', '09:00')], track: [] },
      bounds,
      now,
    )
    expect(summary(entries)).toEqual([
      ['trip', '00:01', '08:00'],
      ['trip', '08:02', '09:00'],
      ['stop', '09:00', '10:00'],
    ])
  })

  test('have a trip over midnight on both days, and count it on the day on which it started', () => {
    const overnight: Partial<Trip> = {
      startedAt: '2026-11-29T22:00:00Z',
      endedAt: '2026-11-30T02:00:00Z',
      distance: 300,
    }
    const entries = entriesOf({ trips: [trip('22:00', '02:00', overnight)], track: [] }, bounds, bounds.endAt)
    expect(summary(entries)).toEqual([
      ['trip', '00:00', '02:00'],
      ['stop', '02:00', '00:00'],
    ])
    expect(totalsOf(entries)).toEqual({
      trips: 0,
      distance: null,
      drivingMs: 2 * HOUR,
      stoppedMs: 22 * HOUR,
    })
    const before = dayBounds('2026-11-29', 'UTC')
    const totals = totalsOf(
      entriesOf({ trips: [trip('22:00', '02:00', overnight)], track: [] }, before, before.endAt),
    )
    expect(totals).toMatchObject({ trips: 1, distance: 300, drivingMs: 2 * HOUR })
  })

  test('end with a vehicle that drives on, whose trip is not reported yet', () => {
    const at = (time: string) => Date.parse(`2026-11-30T${time}:00Z`)
    const seen = (time: string, speed: number | null) => ({
      at: at(time),
      speed,
      longitude: 3,
      latitude: 40,
      heading: null,
    })
    const track = [seen('08:30', 90), seen('09:30', 0), seen('10:00', null), seen('10:30', 80)]
    const now = at('11:00')
    expect(summary(entriesOf({ trips: [trip('08:00', '09:00')], track }, bounds, now)).slice(1)).toEqual([
      ['trip', '08:00', '09:00'],
      ['stop', '09:00', '10:30'],
      ['under-way', '10:30', '11:00'],
    ])
    expect(summary(entriesOf({ trips: [], track }, bounds, now))).toEqual([
      ['stop', '00:00', '08:30'],
      ['under-way', '08:30', '11:00'],
    ])
  })

  test('have no negative stop if trips overlap', () => {
    const entries = entriesOf(
      { trips: [trip('08:00', '12:00'), trip('09:00', '10:00')], track: [] },
      bounds,
      bounds.endAt,
    )
    expect(summary(entries).filter(([kind]) => kind === 'stop')).toEqual([
      ['stop', '00:00', '08:00'],
      ['stop', '12:00', '00:00'],
    ])
  })

  test('have no distance if no trip has one, and none without trips', () => {
    expect(
      totalsOf(
        entriesOf({ trips: [trip('08:00', '09:00', { distance: null })], track: [] }, bounds, bounds.endAt),
      ).distance,
    ).toBeNull()
    expect(entriesOf({ trips: [], track: [] }, bounds, bounds.endAt)).toEqual([])
  })
})

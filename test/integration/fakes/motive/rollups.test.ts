import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeHarness, runMotive } from '../../../fakes/motive/harness.ts'

interface Row {
  readonly message: string
  readonly total_distance: number
  readonly total_fuel: number
  readonly driving_time: number
  readonly idle_time: number
  readonly vehicle: { readonly id: number; readonly metric_units: boolean }
}

const near = (value: number) => expect.closeTo(value, 2)
let motive: FakeHarness
beforeAll(async () => {
  motive = await runMotive({ vehicles: 40, days: 45 })
})
afterAll(() => motive[Symbol.asyncDispose]())

const rowsOf = (start: string, end: string, headers?: Record<string, string>): Promise<Row[]> =>
  motive.all<Row>(`/v2/vehicle_utilization?start_at=${start}&end_at=${end}`, headers)

/** 10 June in the time zone of the company. */
const [startsAt, endsAt] = ['2026-06-10T05:00:00Z', '2026-06-11T05:00:00Z']

test('utilization has days of the company and units of the vehicle, and a message marks unknown values', async () => {
  const rows = await rowsOf(startsAt, endsAt)
  const expected = rows
    .filter(({ message }) => message === '')
    .map(({ vehicle, ...row }) => ({
      sourceId: `${vehicle.id}:2026-06-10`,
      distanceKilometers: near(row.total_distance * (vehicle.metric_units ? 1 : 1.609344)),
      fuelConsumedLiters: near(row.total_fuel * (vehicle.metric_units ? 1 : 3.785411784)),
      drivingMilliseconds: row.driving_time * 1000,
      idlingMilliseconds: row.idle_time * 1000,
    }))
  const records = await motive.fake.truth<object[]>('VehicleUtilization', { from: startsAt, to: endsAt })
  expect(records).toEqual(expected.map((record) => expect.objectContaining(record)))
  expect(expected.length).toBeGreaterThan(10)
  const unknown = rows.filter(({ message }) => message !== '')
  expect(unknown.length).toBeGreaterThan(0)
  expect(unknown.every(({ total_distance, driving_time }) => total_distance + driving_time === 0)).toBe(true)
})

test('neither the requested time zone nor the hour of the day changes a rollup', async () => {
  const rows = await rowsOf(startsAt, endsAt)
  expect(await rowsOf('2026-06-10T15:00:00Z', '2026-06-10T16:00:00Z')).toEqual(rows)
  expect(await rowsOf(startsAt, endsAt, { 'x-time-zone': 'Pacific Time (US & Canada)' })).toEqual(rows)
  const asUtc = await rowsOf('2026-06-10T00:00:00Z', '2026-06-11T00:00:00Z')
  expect(asUtc).not.toEqual(rows)
})

test('IFTA distances have months of the company, and are strings or numbers', async () => {
  interface Distance {
    readonly jurisdiction: string
    readonly distance: string | number
    readonly vehicle: { readonly id: number; readonly metric_units: boolean }
  }
  const path = '/v1/ifta/summary?start_date=2026-06-01&end_date=2026-06-30'
  const window = { from: '2026-06-08T05:00:00Z', to: '2026-06-15T18:00:00Z' }
  const records = await motive.fake.truth<{ sourceId: string }[]>('IFTASummary', window)
  for (const [iftaDistance, type] of [
    ['number', 'number'],
    ['text', 'string'],
  ] as const) {
    await motive.fake.behave({ iftaDistance })
    const rows = await motive.all<Distance>(path)
    expect(new Set(rows.map(({ distance }) => typeof distance))).toEqual(new Set([type]))
    const expected = rows.map(({ vehicle, jurisdiction, distance }) => ({
      sourceId: `${vehicle.id}:2026-06:${jurisdiction}`,
      month: '2026-06',
      distanceKilometers: near(Number(distance) * (vehicle.metric_units ? 1 : 1.609344)),
    }))
    expect(records).toEqual(expected.map((record) => expect.objectContaining(record)))
  }
})

test('driving without a driver has a separate row', async () => {
  const path = '/v2/driver_utilization?start_date=2026-06-01&end_date=2026-06-15'
  const rows = await motive.all<{ driver: object | null; driving_time: number }>(path)
  expect(rows.filter(({ driver }) => driver === null)).toMatchObject([{ driving_time: expect.any(Number) }])
  expect(rows.some(({ driving_time }) => driving_time > 0)).toBe(true)
})

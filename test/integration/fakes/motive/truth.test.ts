import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Behaviour } from '../../../fakes/kit/behaviours.ts'
import { behaviours } from '../../../fakes/motive/behaviours.ts'
import { query, type FakeHarness, runMotive } from '../../../fakes/motive/harness.ts'

/** Compares the oracle with the responses of the fake, which this file converts by hand. */

interface VehicleReference {
  readonly id: number
  readonly metric_units: boolean
}

const [from, to] = ['2026-06-08T05:00:00.000Z', '2026-06-15T18:00:00.000Z']
const central = { 'x-time-zone': 'Central Time (US & Canada)' }
const week = query({ start_date: '2026-06-08', end_date: '2026-06-15' })
let motive: FakeHarness
let vehicles: VehicleReference[]

beforeAll(async () => {
  motive = await runMotive({ vehicles: 16 })
  vehicles = await motive.all<VehicleReference>('/v1/vehicles')
})
afterAll(() => motive[Symbol.asyncDispose]())

afterEach(() => setSwitches({}))

/** Sets these switches, and resets all others to their first position. */
async function setSwitches(positions: Record<string, string>): Promise<void> {
  const switches = Object.entries<Behaviour>(behaviours).flatMap(([name, { positions: known }]) =>
    known?.[0] === undefined ? [] : [[name, known[0]] as const],
  )
  await motive.fake.behave({ ...Object.fromEntries(switches), ...positions })
}

const truth = <NormalizedRecord>(model: string) => motive.fake.truth<NormalizedRecord[]>(model, { from, to })
const time = (text: string | null) => (text === null ? null : Date.parse(text))
const near = (value: number) => expect.closeTo(value, 1)
const bySource = (one: { sourceId: string }, other: { sourceId: string }) =>
  one.sourceId < other.sourceId ? -1 : 1

interface Location {
  readonly id: string
  readonly located_at: string
  readonly lat: number
  readonly lon: number
  readonly bearing: number
  readonly speed: number
  readonly odometer: number
  readonly true_odometer: number | null
  readonly engine_hours: number
  readonly true_engine_hours: number | null
  readonly fuel_primary_remaining_percentage: number | null
  readonly type: string
  readonly driver: { readonly id: number } | null
}

async function histories() {
  const all = []
  for (const { id, metric_units } of vehicles) {
    const listed = await motive.all<Location>(`/v3/vehicle_locations/${id}?${week}`, central)
    all.push(
      ...listed.map((location) => ({ vehicle: String(id), mile: metric_units ? 1 : 1.609344, location })),
    )
  }
  return all
}

test.each<Record<string, string>>([
  {},
  { historyPages: 'pages' },
  { historyNames: 'location_histories' },
  { badPlaces: 'some' },
])('locations match the truth in the units of their vehicle, with %o', async (positions) => {
  await setSwitches(positions)
  const listed = await histories()
  const isGood = ({ lat }: Location) => Math.abs(lat) <= 90
  expect(listed.some(({ location }) => !isGood(location))).toBe(positions['badPlaces'] === 'some')
  const expected = listed
    .filter(({ location }) => isGood(location))
    .map(({ vehicle, mile, location }) => ({
      vehicleSourceId: vehicle,
      sourceId: location.id,
      driverSourceId: location.driver && String(location.driver.id),
      locatedAt: time(location.located_at),
      location: { longitude: location.lon, latitude: location.lat },
      headingDegrees: location.bearing,
      speedKph: near(location.speed * mile),
    }))
  const records = await truth<{ sourceId: string }>('VehicleLocation')
  expect(records.length).toBeGreaterThan(500)
  expect(new Set(records.map(({ sourceId }) => sourceId)).size).toBe(records.length)
  expect(records).toEqual(expected.map((location) => expect.objectContaining(location)))
})

test.each<Record<string, string>>([{}, { locationTypes: 'new_ones' }])(
  'stats match the truth, with the true counters if present, with %o',
  async (positions) => {
    await setSwitches(positions)
    const records = await truth<{ type: string; value: number; state: string }>('VehicleStatLog')
    const listed = await histories()
    const of = (type: string) => records.filter((record) => record.type === type)
    expect(of('odometer').map(({ value }) => value)).toEqual(
      listed.map(({ mile, location }) => near((location.true_odometer ?? location.odometer) * mile)),
    )
    expect(of('engine_runtime').map(({ value }) => value)).toEqual(
      listed.map(({ location }) =>
        Math.round((location.true_engine_hours ?? location.engine_hours) * 3_600_000),
      ),
    )
    expect(of('fuel_level').map(({ value }) => value)).toEqual(
      listed.flatMap(({ location }) => location.fuel_primary_remaining_percentage ?? []),
    )
    const states: Readonly<Record<string, string>> = {
      breadcrumb: 'on',
      vehicle_moving: 'on',
      vehicle_stopped: 'idle',
      engine_stop: 'off',
    }
    expect(of('engine_state').map(({ state }) => state)).toEqual(
      listed.flatMap(({ location }) => states[location.type] ?? []),
    )
    expect(listed.some(({ location }) => location.true_odometer === null)).toBe(true)
    expect(new Set(listed.map(({ mile }) => mile)).size).toBe(2)
  },
)

test.each<Record<string, string>>([
  {},
  { drivingKilometers: 'whole' },
  { drivingOdometers: 'sometimes_null' },
  { drivingEnds: 'left_out' },
])('an ended driving period matches a trip, with %o', async (positions) => {
  await setSwitches(positions)
  interface Driving {
    readonly id: number
    readonly start_time: string
    readonly end_time: string | null
    readonly duration: number
    readonly start_kilometers: number | null
    readonly end_kilometers: number | null
    readonly origin_lat?: number
    readonly origin_lon?: number
    readonly driver: { readonly id: number } | null
    readonly vehicle: VehicleReference
  }
  const listed = await motive.all<Driving>(`/v1/driving_periods?${week}`, central)
  expect(listed.some(({ end_time }) => end_time === null)).toBe(true)
  const expected = listed
    .filter(({ end_time }) => end_time !== null)
    .map((driving) => ({
      sourceId: String(driving.id),
      vehicleSourceId: String(driving.vehicle.id),
      driverSourceId: driving.driver && String(driving.driver.id),
      startedAt: time(driving.start_time),
      endedAt: time(driving.end_time),
      startLocation:
        driving.origin_lat === undefined
          ? null
          : { longitude: driving.origin_lon, latitude: driving.origin_lat },
      distanceKilometers:
        driving.start_kilometers === null || driving.end_kilometers === null
          ? null
          : near(driving.end_kilometers - driving.start_kilometers),
      durationMilliseconds: driving.duration * 1000,
    }))
  const records = await truth<{ sourceId: string }>('Trip')
  const sorted = expected.toSorted(bySource).map((trip) => expect.objectContaining(trip))
  expect(records.toSorted(bySource)).toEqual(sorted)
})

test.each<Record<string, string>>([
  {},
  { eventEnds: 'whole' },
  { openEvent: 'now' },
  { specialDuties: 'as_others' },
  { notes: 'in_events' },
])('duty events and daily logs match the truth, with %o', async (positions) => {
  await setSwitches(positions)
  interface Log {
    readonly id: number
    readonly date: string
    readonly total_miles: number
    readonly metric_units: boolean
    readonly off_duty_duration: number
    readonly driving_duration: number
    readonly driver: { readonly id: number }
    readonly vehicles: readonly object[]
    readonly events: readonly {
      readonly event: {
        readonly id: number
        readonly type: string
        readonly start_time: string
        readonly end_time: string | null
        readonly notes: string | null
      }
    }[]
    readonly remarks: readonly { readonly remark: { readonly notes: string } }[]
  }
  const statuses: Readonly<Record<string, string>> = {
    sleeper: 'sleeper_bed',
    waiting: 'waiting_time',
    yard_moves: 'yard_move',
  }
  const logs = await motive.all<Log>(`/v1/logs?${week}`)
  const days = await truth<{ sourceId: string }>('HOSDailyLog')
  expect(days).toEqual(
    logs.map((log) =>
      expect.objectContaining({
        sourceId: String(log.id),
        driverSourceId: String(log.driver.id),
        date: log.date,
        offDutyMilliseconds: log.off_duty_duration * 1000,
        drivingMilliseconds: log.driving_duration * 1000,
        totalKilometers: near(log.total_miles * (log.metric_units ? 1 : 1.609344)),
      }),
    ),
  )
  const events = await truth<{ sourceId: string; remarks: readonly { notes: string }[] }>('HOSLog')
  const expected = logs.flatMap((log) =>
    log.events.map(({ event }) => ({
      sourceId: String(event.id),
      status: statuses[event.type] ?? event.type,
      driverSourceId: String(log.driver.id),
      vehicleSourceId: log.vehicles.length === 1 ? expect.any(String) : null,
      startedAt: time(event.start_time),
      endedAt: time(event.end_time),
    })),
  )
  expect(events).toEqual(expected.map((event) => expect.objectContaining(event)))
  expect(new Set(events.map(({ sourceId }) => sourceId)).size).toBe(events.length)
  const notes = logs.flatMap((log) => [
    ...log.remarks.map(({ remark }) => remark.notes),
    ...log.events.flatMap(({ event }) => event.notes ?? []),
  ])
  expect(notes.length).toBeGreaterThan(10)
  const listed = events.flatMap(({ remarks }) => remarks.map((remark) => remark.notes))
  expect(listed.toSorted()).toEqual(notes.toSorted())
  const hours = await motive.all<Log>(`/v1/hours_of_service?${week}`)
  expect(hours.map(({ id, driving_duration }) => [id, driving_duration])).toEqual(
    logs.map(({ id, driving_duration }) => [id, driving_duration]),
  )
})

test('available hours match the truth, in seconds', async () => {
  interface AvailableTime {
    readonly id: number
    readonly available_time: Readonly<Record<'drive' | 'shift' | 'cycle' | 'break', number>>
  }
  const listed = await motive.all<AvailableTime>('/v1/available_time')
  expect(await truth('HOSAvailableTime')).toEqual(
    listed.map(({ id, available_time }) => ({
      driverSourceId: String(id),
      currentStatus: expect.any(String),
      cycleMilliseconds: available_time.cycle * 1000,
      shiftMilliseconds: available_time.shift * 1000,
      driveMilliseconds: available_time.drive * 1000,
      breakMilliseconds: available_time.break * 1000,
    })),
  )
})

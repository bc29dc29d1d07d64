import { afterAll, beforeAll, expect, test } from 'vitest'
import { query, runSamsara, type FakeHarness } from '../../../fakes/samsara/harness.ts'

/** Compares the oracle with the responses of the fake, which this file converts by hand. */

interface Place {
  readonly latitude: number
  readonly longitude: number
}

const [from, to] = ['2026-06-08T05:00:00.000Z', '2026-06-15T18:00:00.000Z']
const week = { startTime: from, endTime: to }
let samsara: FakeHarness
let vehicleIds: string[]

beforeAll(async () => {
  samsara = await runSamsara({ now: to, vehicles: 12 })
  vehicleIds = (await samsara.all<{ id: string }>('/fleet/vehicles')).map(({ id }) => id)
})
afterAll(() => samsara[Symbol.asyncDispose]())

const truth = <NormalizedRecord>(model: string) => samsara.fake.truth<NormalizedRecord[]>(model, { from, to })
const point = ({ latitude, longitude }: Place) => ({ longitude, latitude })
const bySource = (one: { sourceId: string }, other: { sourceId: string }) =>
  one.sourceId < other.sourceId ? -1 : 1

test('locations match the truth in km/h', async () => {
  interface Gps extends Place {
    readonly time: string
    readonly headingDegrees: number
    readonly speedMilesPerHour: number
  }
  const listed = await samsara.all<{ id: string; gps: Gps[] }>(
    `/fleet/vehicles/stats/history?${query({ ...week, types: 'gps' })}`,
  )
  const expected = listed.flatMap(({ id, gps }) =>
    gps.map((fix) => ({
      vehicleSourceId: id,
      locatedAt: Date.parse(fix.time),
      location: point(fix),
      headingDegrees: fix.headingDegrees,
      speedKph: expect.closeTo(fix.speedMilesPerHour * 1.609344, 9),
    })),
  )
  const records = await truth<Record<string, unknown>>('VehicleLocation')
  expect(records.length).toBeGreaterThan(500)
  expect(records).toEqual(expected.map((location) => expect.objectContaining(location)))
})

test('stats match the truth in kilometers and milliseconds', async () => {
  interface Reading {
    readonly time: string
    readonly value: number
  }
  const types = 'obdOdometerMeters,gpsOdometerMeters,obdEngineSeconds'
  const listed = await samsara.all<{ id: string } & Record<string, Reading[]>>(
    `/fleet/vehicles/stats/history?${query({ ...week, types })}`,
  )
  const records = await truth<{ vehicleSourceId: string; type: string; value: number }>('VehicleStatLog')
  expect(listed.some(({ obdOdometerMeters }) => !obdOdometerMeters)).toBe(true)
  for (const { id, obdOdometerMeters, gpsOdometerMeters, obdEngineSeconds } of listed) {
    const values = (type: string) =>
      records
        .filter((record) => record.vehicleSourceId === id && record.type === type)
        .map(({ value }) => value)
    const odometer = obdOdometerMeters ?? gpsOdometerMeters ?? []
    expect(values('odometer')).toEqual(odometer.map(({ value }) => value / 1000))
    expect(values('engine_runtime')).toEqual((obdEngineSeconds ?? []).map(({ value }) => value * 1000))
  }
})

test('trips match the truth, except running ones', async () => {
  interface Trip {
    readonly startMs: number
    readonly endMs: number
    readonly distanceMeters: number
    readonly driverId: number
    readonly startCoordinates: Place
    readonly endCoordinates: Place
  }
  const expected = []
  for (const id of vehicleIds) {
    const parameters = { vehicleId: id, startMs: Date.parse(from), endMs: Date.parse(to) }
    const { body } = await samsara.get<{ trips: Trip[] }>(`/v1/fleet/trips?${query(parameters)}`)
    for (const trip of body.trips.filter(({ endMs }) => endMs < 4e15))
      expected.push({
        sourceId: `${id}:${new Date(trip.startMs).toISOString()}`,
        vehicleSourceId: id,
        driverSourceId: trip.driverId === 0 ? null : String(trip.driverId),
        startedAt: trip.startMs,
        endedAt: trip.endMs,
        startLocation: point(trip.startCoordinates),
        endLocation: point(trip.endCoordinates),
        distanceKilometers: trip.distanceMeters / 1000,
        durationMilliseconds: trip.endMs - trip.startMs,
      })
  }
  const records = await truth<{ sourceId: string }>('Trip')
  expect(records.toSorted(bySource)).toEqual(expected.toSorted(bySource))
})

test('duty logs match the truth, with a source id of driver and start', async () => {
  interface Log {
    readonly hosStatusType: string
    readonly logStartTime: string
    readonly logEndTime?: string
    readonly vehicle?: { readonly id: string }
  }
  const statuses: Readonly<Record<string, string>> = {
    offDuty: 'off_duty',
    sleeperBed: 'sleeper_bed',
    onDuty: 'on_duty',
    yardMove: 'yard_move',
    personalConveyance: 'personal_conveyance',
  }
  const listed = await samsara.all<{ driver: { id: string }; hosLogs: Log[] }>(
    `/fleet/hos/logs?${query(week)}`,
  )
  const expected = listed.flatMap(({ driver, hosLogs }) =>
    hosLogs
      .filter(({ logStartTime }) => Date.parse(logStartTime) >= Date.parse(from))
      .map((log) => ({
        sourceId: `${driver.id}:${new Date(log.logStartTime).toISOString()}`,
        status: statuses[log.hosStatusType] ?? log.hosStatusType,
        endedAt: log.logEndTime ? Date.parse(log.logEndTime) : null,
        vehicleSourceId: log.vehicle?.id ?? null,
      })),
  )
  const records = await truth('HOSLog')
  expect(records).toEqual(expected.map((log) => expect.objectContaining(log)))
})

test('utilization and daily logs have days in the time zone of the fleet', async () => {
  interface Report {
    readonly vehicle: { readonly id: string }
    readonly distanceTraveledMeters: number
    readonly fuelConsumedMl: number
  }
  const records = await truth<{ date: string; vehicleSourceId: string }>('VehicleUtilization')
  const parameters = query({ startDate: '2026-06-10T05:00:00Z', endDate: '2026-06-11T05:00:00Z' })
  const { body } = await samsara.get<{ data: { vehicleReports: Report[] } }>(
    `/fleet/reports/vehicles/fuel-energy?${parameters}`,
  )
  expect(records.filter(({ date }) => date === '2026-06-10')).toEqual(
    body.data.vehicleReports.map(({ vehicle, distanceTraveledMeters, fuelConsumedMl }) =>
      expect.objectContaining({
        sourceId: `${vehicle.id}:2026-06-10`,
        distanceKilometers: distanceTraveledMeters / 1000,
        fuelConsumedLiters: fuelConsumedMl / 1000,
      }),
    ),
  )
  const dates = new Set((await truth<{ date: string }>('HOSDailyLog')).map(({ date }) => date))
  expect([...dates].toSorted()).toEqual(['08', '09', 10, 11, 12, 13, 14, 15].map((day) => `2026-06-${day}`))
})

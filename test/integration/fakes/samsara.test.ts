import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query, runSamsara, type Page, type FakeHarness } from '../../fakes/samsara/harness.ts'

/** Requests every endpoint of the fake. The rig validates each response against the published document. */

const now = '2026-06-15T18:00:00.000Z'
const [startTime, endTime] = ['2026-06-08T00:00:00Z', now]
const week = { startTime, endTime }

describe('every response conforms to the OpenAPI document:', () => {
  let samsara: FakeHarness
  let vehicleIds: string

  beforeAll(async () => {
    samsara = await runSamsara({ now })
    vehicleIds = (await samsara.all<{ id: string }>('/fleet/vehicles')).map(({ id }) => id).join()
  })
  afterAll(() => samsara[Symbol.asyncDispose]())

  test.each([
    '/me',
    '/tags',
    '/gateways',
    '/fleet/vehicles',
    '/fleet/drivers',
    '/fleet/drivers?driverActivationStatus=deactivated',
    '/fleet/trailers',
    '/fleet/hos/clocks',
    '/fleet/vehicles/locations',
    '/fleet/vehicles/locations/feed',
    '/fleet/trailers/stats?types=gps',
    '/fleet/trailers/stats/feed?types=gps',
    '/fleet/vehicles/stats?types=gps,engineStates,obdOdometerMeters',
    '/fleet/vehicles/stats?types=fuelPercents,obdEngineSeconds,gpsOdometerMeters',
    '/fleet/vehicles/stats?types=faultCodes',
    '/fleet/vehicles/stats/feed?types=gps,faultCodes',
    '/v1/fleet/maintenance/list',
    '/fleet/reports/ifta/vehicle?year=2026&month=June',
    '/fleet/reports/ifta/vehicle?year=2026&quarter=Q2',
    `/fleet/vehicles/locations/history?${query(week)}`,
    `/fleet/trailers/stats/history?${query({ ...week, types: 'gps,gpsOdometerMeters' })}`,
    `/fleet/vehicles/stats/history?${query({ ...week, types: 'gps', decorations: 'obdOdometerMeters' })}`,
    `/fleet/vehicles/stats/history?${query({ ...week, types: 'engineStates,fuelPercents,obdEngineSeconds' })}`,
    `/fleet/vehicles/stats/history?${query({ ...week, types: 'faultCodes' })}`,
    `/fleet/hos/logs?${query(week)}`,
    `/fleet/hos/daily-logs?${query({ startDate: '2026-06-08', endDate: '2026-06-15' })}`,
    `/safety-events/stream?${query({ startTime, includeAsset: 'true', includeDriver: 'true' })}`,
    `/fleet/reports/vehicles/fuel-energy?${query({ startDate: startTime, endDate: endTime })}`,
    `/idling/events?${query(week)}`,
  ])('%s', async (path) => {
    const { status, body } = await samsara.get<{ data?: unknown; vehicles?: unknown }>(path)
    expect({ status, hasData: (body.data ?? body.vehicles) !== undefined }).toEqual({
      status: 200,
      hasData: true,
    })
  })

  test('safety events by id', async () => {
    const stream = await samsara.all<{ id: string }>(`/safety-events/stream?${query({ startTime })}`)
    const ids = stream.slice(0, 2).map(({ id }) => id)
    const { body } = await samsara.get(`/safety-events?${query({ safetyEventIds: ids.join() })}`)
    expect(body.data.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(ids).toHaveLength(2)
  })

  test('trips and speeding by vehicle id', async () => {
    const trips = await samsara.get(
      `/trips/stream?${query({ ids: vehicleIds, startTime, includeAsset: 'true' })}`,
    )
    expect(trips.body.data.length).toBeGreaterThan(10)
    const speeding = { assetIds: vehicleIds, startTime: '2026-06-01T00:00:00Z', includeDriverId: 'true' }
    expect((await samsara.get(`/speeding-intervals/stream?${query(speeding)}`)).status).toBe(200)
    const [vehicleId = ''] = vehicleIds.split(',')
    const ms = { startMs: Date.parse(startTime), endMs: Date.parse(endTime) }
    const old = await samsara.get<{ trips: unknown[] }>(`/v1/fleet/trips?${query({ vehicleId, ...ms })}`)
    expect(old.status).toBe(200)
    expect((await samsara.get(`/fleet/vehicles/${vehicleId}`)).status).toBe(200)
  })

  test('one record of a list', async () => {
    for (const list of ['/fleet/drivers', '/fleet/trailers']) {
      const [first] = (await samsara.get<Page<{ id: string }>>(list)).body.data
      expect((await samsara.get(`${list}/${first?.id}`)).status).toBe(200)
      expect((await samsara.get(`${list}/1`)).status).toBe(404)
    }
  })

  test('media by day', async () => {
    const media = []
    for (let day = Date.parse(startTime); day < Date.parse(endTime); day += 86_400_000) {
      const [from, to] = [day, day + 86_400_000].map((at) => new Date(at).toISOString()) as [string, string]
      const parameters = query({ vehicleIds, startTime: from, endTime: to })
      media.push(
        ...(await samsara.get<{ data: { media: object[] } }>(`/cameras/media?${parameters}`)).body.data.media,
      )
    }
    expect(media.length).toBeGreaterThan(0)
  })

  test('every refusal', async () => {
    const refused = [
      ['/me', 'fake-nothing', 401],
      ['/trips/stream', 'fake-token-1', 400],
      ['/fleet/vehicles/1', 'fake-token-1', 404],
      ['/fleet/vehicles?limit=513', 'fake-token-1', 400],
    ] as const
    for (const [path, token, status] of refused) {
      const response = await samsara.get<{ message: string; requestId: string }>(path, token)
      expect(response.status).toBe(status)
      expect(response.body).toEqual({
        message: expect.any(String),
        requestId: expect.stringMatching(/^[0-9a-f]{8}$/),
      })
    }
  })
})

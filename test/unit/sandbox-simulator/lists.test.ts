import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from '../../../src/providers/sandbox/simulator/pagination.ts'
import type { DeviceRecord } from '../../../src/providers/sandbox/simulator/records/devices.ts'
import type { DriverRecord } from '../../../src/providers/sandbox/simulator/records/drivers.ts'
import type { GroupRecord } from '../../../src/providers/sandbox/simulator/records/groups.ts'
import type {
  Breadcrumb,
  LocationRecord,
} from '../../../src/providers/sandbox/simulator/records/locations.ts'
import type { StatRecord } from '../../../src/providers/sandbox/simulator/records/measures/stats.ts'
import type { TripRecord } from '../../../src/providers/sandbox/simulator/records/trips.ts'
import type { VehicleRecord } from '../../../src/providers/sandbox/simulator/records/vehicles.ts'
import { checkDigit } from '../../../src/providers/sandbox/simulator/records/vin.ts'
import { CORRIDORS } from '../../../src/providers/sandbox/simulator/world/road-network/corridors.ts'
import { type Identified, runSimulator } from '../../support/simulator/simulator.ts'

const DAY = 'since=2025-06-02T00:00:00Z&until=2025-06-03T00:00:00Z'
let simulator: Awaited<ReturnType<typeof runSimulator>>
beforeAll(async () => {
  simulator = await runSimulator()
})
afterAll(() => simulator[Symbol.asyncDispose]())

const LISTS = [
  '/groups',
  '/drivers',
  '/vehicles',
  '/trailers',
  '/devices',
  `/trips?${DAY}`,
  `/safety-events?${DAY}`,
  `/fault-codes?${DAY}`,
  `/hos/logs?${DAY}`,
  `/hos/daily-logs?${DAY}`,
  `/utilization?${DAY}`,
  `/vehicles/stats?${DAY}`,
  '/ifta?fromMonth=2025-01&toMonth=2025-03',
]

describe.each([...LISTS, `/locations/history?${DAY}`])('%s', (path) => {
  const separator = path.includes('?') ? '&' : '?'

  test('has the same records for any page size, each once', async () => {
    const key = 'sandbox-30-4'
    const unpaged = await simulator.all<Partial<Identified & Breadcrumb & StatRecord>>(
      `${path}${separator}limit=1000`,
      key,
    )
    const paged = await simulator.all<Partial<DeviceRecord>>(
      `${path}${separator}limit=${unpaged.length > 500 ? 333 : 7}`,
      key,
    )
    expect(unpaged.length).toBeGreaterThan(3)
    expect(paged.map(withoutLastContact)).toEqual(unpaged.map(withoutLastContact))
    const ids = unpaged.map((record) => record.id ?? `${record.vehicleId} ${record.time} ${record.type}`)
    expect(new Set(ids).size).toBe(unpaged.length)
  })
})

test('two simulators return the same records', async () => {
  await using other = await runSimulator()
  for (const path of [...LISTS, '/account', `/locations/history?${DAY}`]) {
    const { body } = await simulator.get(path)
    const same = (await other.get(path)).body
    expect({ ...same, data: same.data?.map(withoutLastContact) }).toEqual({
      ...body,
      data: body.data?.map(withoutLastContact),
    })
    expect((await other.get(path, 'sandbox-50-2')).body).not.toEqual(body)
  }
})

test('every key has its own account', async () => {
  const one = await simulator.get<Identified>('/account', 'anything')
  const two = await simulator.get<Identified>('/account', 'something')
  expect(one.body.id).not.toBe(two.body.id)
  expect(await simulator.live('/vehicles', 'anything')).toHaveLength(50)
})

test('every reference between records refers to an existing record', async () => {
  const key = 'sandbox-200-9'
  const groups = await simulator.all<GroupRecord>('/groups', key)
  const drivers = await simulator.all<DriverRecord>('/drivers', key)
  const vehicles = await simulator.all<VehicleRecord>('/vehicles', key)
  const devices = await simulator.all<DeviceRecord>('/devices', key)
  const trips = await simulator.all<TripRecord>(`/trips?${DAY}`, key)
  const [groupIds, driverIds, vehicleIds] = [idsOf(groups), idsOf(drivers), idsOf(vehicles)]
  for (const { parentId } of groups) expect(groupIds).toContain(parentId)
  for (const { groupIds: theirs } of [...vehicles, ...drivers]) {
    for (const id of theirs) expect(groupIds).toContain(id)
  }
  for (const { vehicleId } of [...devices, ...trips]) expect(vehicleIds).toContain(vehicleId)
  for (const { driverId } of trips) expect(driverIds).toContain(driverId)
})

test('every VIN is unique and has its check digit', async () => {
  const vins = (await simulator.all<VehicleRecord>('/vehicles?limit=1000', 'sandbox-1000-2')).map(
    ({ vin }) => vin,
  )
  expect(vins.length).toBeGreaterThanOrEqual(1000)
  expect(new Set(vins).size).toBe(vins.length)
  for (const vin of vins) {
    expect(vin).toMatch(/^[A-HJ-NPR-Z0-9]{17}$/)
    expect(vin[8]).toBe(checkDigit(vin))
  }
  expect(checkDigit('1M8GDM9AXKP042788')).toBe('X')
})

test('a trip agrees with its breadcrumbs', async () => {
  const { body } = await simulator.get<Page<TripRecord>>(`/trips?${DAY}&limit=1`)
  const trip = body.data[0]!
  const period = `since=${trip.startedAt}&until=${trip.endedAt}`
  const crumbs = await simulator.all<Breadcrumb>(
    `/locations/history?${period}&vehicleId=${trip.vehicleId}&limit=1000`,
  )
  expect(crumbs).toHaveLength(Math.ceil(trip.durationSeconds / 30))
  expect({ lat: crumbs[0]?.lat, lng: crumbs[0]?.lng }).toEqual(trip.startLocation)
  const [first, ...others] = crumbs.map(({ address }) => address)
  expect(first).toMatch(/^[\w /-]+ near .+, [A-Z]{2}$/)
  expect(others.filter((address) => address !== null)).toEqual([])
  for (const crumb of crumbs) {
    expect(crumb.driverId).toBe(trip.driverId)
    expect(crumb.speedMph).toBeGreaterThan(0)
  }
})

test('locations are recent and exclude vehicles that never reported', async () => {
  const locations = await simulator.all<LocationRecord>('/locations?limit=7', 'sandbox-120-1')
  expect(locations).toHaveLength(117)
  for (const { time, speedMph, address } of locations) {
    const age = Date.now() - Date.parse(time)
    expect(age).toBeGreaterThanOrEqual(0)
    expect(age).toBeLessThan(speedMph > 0 ? 10_000 : 310_000)
    expect(address).toMatch(/^[\w /-]+ near .+, [A-Z]{2}$/)
  }
})

test('a future period has no records', async () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const later = new Date(Date.now() + 7_200_000).toISOString()
  expect(await simulator.all(`/trips?since=${soon}&until=${later}`)).toEqual([])
  expect(await simulator.all(`/locations/history?since=${soon}`)).toEqual([])
})

test('the largest fleet returns a full page and a short period', async () => {
  const { body } = await simulator.get('/locations?limit=1000', 'sandbox-100000-1')
  expect(body.data).toHaveLength(1000)
  const quiet = await simulator.all(
    '/trips?since=2025-06-02T00:00:00Z&until=2025-06-02T00:00:01Z',
    'sandbox-100000-1',
  )
  expect(quiet.length).toBeLessThan(60)
})

test('the corridors cover a continent', () => {
  const states = new Set(CORRIDORS.flatMap(({ places }) => places.map(({ state }) => state)))
  expect(CORRIDORS.length).toBeGreaterThanOrEqual(12)
  expect(states.size).toBeGreaterThanOrEqual(30)
  for (const { places, sections } of CORRIDORS) {
    expect(places.length).toBeGreaterThanOrEqual(8)
    for (const { from, to } of sections) {
      expect(to.mile - from.mile).toBeGreaterThan(2)
      expect(to.mile - from.mile).toBeLessThan(260)
    }
  }
})

/** Removes the field that changes every few seconds. */
const withoutLastContact = (record: object) => ({ ...record, lastConnectedAt: null })

/** Returns the valid values of a reference to one of the records. */
function idsOf(records: Identified[]): Set<string | null> {
  return new Set<string | null>(records.map(({ id }) => id)).add(null)
}

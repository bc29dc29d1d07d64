import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { camerasOf, type DeviceRecord } from '../../../src/providers/sandbox/simulator/records/devices.ts'
import type { DriverRecord } from '../../../src/providers/sandbox/simulator/records/drivers.ts'
import type { GroupRecord } from '../../../src/providers/sandbox/simulator/records/groups.ts'
import type { LocationRecord } from '../../../src/providers/sandbox/simulator/records/locations.ts'
import type { TrailerLocationRecord } from '../../../src/providers/sandbox/simulator/records/trailers/locations.ts'
import type { TrailerRecord } from '../../../src/providers/sandbox/simulator/records/trailers/roster.ts'
import type { VehicleRecord } from '../../../src/providers/sandbox/simulator/records/vehicles.ts'
import { runSimulator } from '../../support/simulator/simulator.ts'

let simulator: Awaited<ReturnType<typeof runSimulator>>
beforeAll(async () => {
  simulator = await runSimulator()
})
afterAll(() => simulator[Symbol.asyncDispose]())

describe.each([
  ['/groups', 15],
  ['/vehicles', 50],
  ['/drivers', 60],
  ['/trailers', 40],
  ['/devices', 67],
] as const)('%s of the default fleet', (path, live) => {
  test('lists live records, then removed records with the time of their removal', async () => {
    type Removable = { removedAt: string | null; updatedAt: string; createdAt: string }
    const records = await simulator.all<Removable>(path)
    const removed = records.slice(live)
    expect(records.slice(0, live).filter(({ removedAt }) => removedAt !== null)).toEqual([])
    expect(removed.length).toBeGreaterThan(0)
    for (const { removedAt, updatedAt, createdAt } of removed) {
      expect(updatedAt).toBe(removedAt)
      expect(Date.parse(removedAt!)).toBeGreaterThan(Date.parse(createdAt))
      expect(Date.parse(removedAt!)).toBeLessThan(Date.now())
    }
  })
})

test('a fleet has the requested number of vehicles, and small fleets have no removed ones', async () => {
  for (const size of [1, 2, 12, 77]) {
    expect(await simulator.live('/vehicles', `sandbox-${size}-3`)).toHaveLength(size)
    for (const path of ['/trailers', '/trailers/locations', '/hos/clocks', '/ifta?fromMonth=2026-01'])
      expect((await simulator.get(path, `sandbox-${size}-3`)).status).toBe(200)
  }
  expect(await simulator.all('/vehicles', 'sandbox-12-3')).toHaveLength(12)
})

test('a vehicle and a driver of the default fleet are inactive', async () => {
  const vehicles = await simulator.live<VehicleRecord>('/vehicles')
  const drivers = await simulator.live<DriverRecord>('/drivers')
  for (const records of [vehicles, drivers])
    expect(records.filter(({ status }) => status === 'inactive').length).toBeGreaterThan(0)
})

test('some vehicles with fuel have a fuel economy', async () => {
  const vehicles = await simulator.live<VehicleRecord>('/vehicles')
  const withEconomy = (isKnown: boolean) =>
    vehicles.filter(({ fuelEconomyMpg }) => (fuelEconomyMpg !== null) === isKnown)
  for (const { fuelType, fuelEconomyMpg } of withEconomy(true)) {
    expect(fuelType).not.toBe('electric')
    expect(fuelEconomyMpg).toBeGreaterThan(5)
    expect(fuelEconomyMpg).toBeLessThan(25)
  }
  expect(withEconomy(true).length).toBeGreaterThan(20)
  expect(withEconomy(false).some(({ fuelType }) => fuelType !== 'electric')).toBe(true)
})

test('groups are nested three deep, and every parent is in the list', async () => {
  const groups = await simulator.all<GroupRecord>('/groups')
  const parents = new Map(groups.map(({ id, parentId }) => [id, parentId]))
  const depth = (id: string | null | undefined): number => (id ? 1 + depth(parents.get(id)) : 0)
  expect(Math.max(...groups.map(({ id }) => depth(id)))).toBe(3)
  expect(groups.filter(({ parentId }) => parentId === null)).toHaveLength(1)
  for (const { parentId } of groups) if (parentId !== null) expect(parents.has(parentId)).toBe(true)
})

test('devices are trackers and cameras, and cameras have one or two directions', async () => {
  const devices = await simulator.live<DeviceRecord>('/devices')
  expect(new Set(devices.map(({ type }) => type))).toEqual(new Set(['tracker', 'camera']))
  const descriptions = devices.filter(({ type }) => type === 'camera').map(({ description }) => description)
  expect(new Set(descriptions).size).toBe(2)
  expect([0, 1, 3, 6].map(camerasOf)).toEqual([
    { front: true, rear: true },
    { front: false, rear: false },
    { front: true, rear: false },
    { front: true, rear: true },
  ])
})

test('a trailer is behind its truck, in a yard, or without a location', async () => {
  const trailers = await simulator.live<TrailerRecord>('/trailers')
  const locations = await simulator.all<TrailerLocationRecord>('/trailers/locations')
  const trucks = new Map(
    (await simulator.all<LocationRecord>('/locations')).map((place) => [place.vehicleId, place]),
  )
  expect(locations.length).toBeLessThan(trailers.length)
  const ids = new Set(trailers.map(({ id }) => id))
  for (const { trailerId } of locations) expect(ids).toContain(trailerId)
  const hooked = locations.filter(({ address }) => !address.includes('terminal'))
  expect(hooked.length).toBeGreaterThan(locations.length / 4)
  expect(locations.length - hooked.length).toBeGreaterThan(3)
  for (const { trailerId, lat, lng } of hooked) {
    const truck = trucks.get(trailerId.replace('trl', 'veh'))!
    // The truck drives for a few seconds between the two responses.
    expect(Math.abs(truck.lat - lat) + Math.abs(truck.lng - lng)).toBeLessThan(0.05)
  }
})

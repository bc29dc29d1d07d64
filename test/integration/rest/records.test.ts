import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import { toIso } from '../../../src/domain/time.ts'
import {
  DAY,
  latestLocationRow,
  MINUTE,
  NOON,
  type SeededApplication,
  seedApplication,
  tripRow,
} from '../../support/factories.ts'
import {
  bareVehicle,
  rawOf,
  expectedDriver,
  expectedGroup,
  expectedVehicle,
} from '../../support/rest/expected-bodies.ts'
import { found, seedFleet } from '../../support/rest/fleet.ts'
import { type RestHarness, startRest } from '../../support/rest/rest-harness.ts'

let rest: RestHarness
let seeded: SeededApplication

beforeAll(async () => {
  rest = await startRest()
  seeded = await seedFleet(rest)
})

afterAll(() => rest[Symbol.asyncDispose]())

const own = () => seeded.connections[0]!
const ok = (path: string, client = seeded.narrowed(0)) => found(rest, path, client)

const byVehicle = (one: { vehicle: string }, other: { vehicle: string }) =>
  one.vehicle < other.vehicle ? -1 : 1

describe('vehicle locations', () => {
  const locations = () => {
    const { vehicles, drivers } = own()
    return [
      {
        provider: 'sandbox',
        vehicle: vehicles[0]!.id,
        driver: drivers[0]!.id,
        locatedAt: toIso(NOON),
        location: { longitude: -97.7, latitude: 30.3 },
        address: { formatted: 'I-35, Austin, TX' },
        heading: 90,
        speed: 88.5,
        odometer: 123_456.7,
        fuel: { primaryPercentage: 61, secondaryPercentage: 20 },
        engineState: 'on',
        engineRuntime: 1_000_000,
      },
      {
        provider: 'sandbox',
        vehicle: vehicles[1]!.id,
        locatedAt: toIso(NOON),
        location: { longitude: -97.7, latitude: 30.3 },
      },
    ]
  }

  test('are listed with references as ids', async () => {
    expect(await ok('/vehicles/locations')).toEqual({ results: locations().toSorted(byVehicle) })
  })

  test('are found by vehicle and by driver', async () => {
    const [first, second] = locations()
    expect(
      (await ok(`/vehicles/locations?vehicleIds=${second!.vehicle},${second!.vehicle}`)).results,
    ).toEqual([second])
    expect((await ok(`/vehicles/locations?driverIds=${first!.driver}`)).results).toEqual([first])
  })

  test.each(['vehicle,driver', 'driver,vehicle'])('show expand=%s as whole records', async (expand) => {
    const [first, second] = locations()
    const locationsOf = async (id: string) =>
      (await ok(`/vehicles/locations?vehicleIds=${id}&expand=${expand}`)).results
    expect(await locationsOf(first!.vehicle)).toEqual([
      { ...first, vehicle: expectedVehicle(own()), driver: expectedDriver(own()) },
    ])
    expect(await locationsOf(second!.vehicle)).toEqual([{ ...second, vehicle: bareVehicle(own()) }])
  })
})

describe('drivers', () => {
  test('are listed', async () => {
    expect(await ok('/drivers')).toEqual({ results: [expectedDriver(own())] })
  })

  test('show groups with expand, and raw records with raw=true', async () => {
    const { results } = await ok('/drivers?expand=groups&raw=true&hidden=false')
    expect(results).toEqual([{ ...expectedDriver(own()), groups: [expectedGroup(own())], raw: rawOf() }])
  })
})

describe('trips', () => {
  const trips = () =>
    own()
      .trips.slice(0, 2)
      .map((row, index) => ({
        id: row.id,
        sourceId: row.sourceId,
        provider: 'sandbox',
        vehicle: row.vehicleId,
        ...(index === 0 ? { driver: row.driverId } : {}),
        startedAt: toIso(row.startedAt),
        endedAt: toIso(row.endedAt),
        ...(index === 0 ? { startLocation: { longitude: -97.7, latitude: 30.3 }, distance: 41.2 } : {}),
        duration: 30 * MINUTE,
        metadata: { addedAt: toIso(NOON - 10 * DAY), modifiedAt: toIso(NOON - 5 * DAY) },
      }))

  test('are listed by their start', async () => {
    expect(await ok('/trips')).toEqual({ results: trips() })
  })

  test('include removed ones, with the time of the removal, with deleted=true', async () => {
    const { results } = await ok(`/trips?deleted=true&modifiedAfter=${toIso(NOON - DAY)}`)
    const removedAt = toIso(NOON - MINUTE)
    expect(results).toMatchObject([
      {
        id: own().trips[2]!.id,
        metadata: { addedAt: toIso(NOON - 10 * DAY), modifiedAt: removedAt, deletedAt: removedAt },
      },
    ])
    expect((await ok(`/trips?modifiedAfter=${toIso(NOON - DAY)}`)).results).toEqual([])
  })

  test('are found by record time and by id lists', async () => {
    const [first, second] = trips()
    const started = toIso(NOON - DAY + MINUTE)
    expect((await ok(`/trips?startedAfter=${started}`)).results).toEqual([second])
    expect((await ok(`/trips?startedBefore=${started}`)).results).toEqual([first])
    expect((await ok(`/trips?endedAfter=${toIso(NOON)}`)).results).toEqual([])
    expect((await ok(`/trips?endedBefore=${toIso(NOON)}`)).results).toHaveLength(2)
    expect((await ok(`/trips?driverIds=${first!.driver}`)).results).toEqual([first])
    expect((await ok(`/trips?vehicleIds=${first!.vehicle},${second!.vehicle}`)).results).toHaveLength(2)
    expect(
      (await ok(`/trips?startedAfter=${toIso(NOON)}&startedBefore=${toIso(NOON - DAY)}`)).results,
    ).toEqual([])
  })

  test.each(['vehicle,driver', 'driver,vehicle'])('show expand=%s as whole records', async (expand) => {
    const [first, second] = trips()
    expect((await ok(`/trips?expand=${expand}`)).results).toEqual([
      { ...first, vehicle: expectedVehicle(own()), driver: expectedDriver(own()) },
      { ...second, vehicle: bareVehicle(own()) },
    ])
  })

  test('have a raw list with raw=true', async () => {
    expect((await ok('/trips?raw=true')).results[0]).toEqual({ ...trips()[0], raw: [] })
  })
})

test('a reference to a missing record stays an id', async () => {
  const lost = newId('vehicle')
  const { secretKey, narrowed } = await seedApplication(rest.db, [
    (owner) => ({
      trips: [tripRow(owner, { vehicleId: lost })],
      latestLocations: [latestLocationRow(owner, { vehicleId: lost })],
    }),
  ])
  const client = { ...narrowed(0), secretKey }
  for (const path of ['/trips', '/vehicles/locations'])
    expect((await ok(`${path}?expand=vehicle,driver`, client)).results[0].vehicle).toBe(lost)
})

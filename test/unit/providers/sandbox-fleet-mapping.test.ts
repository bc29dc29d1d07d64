import { describe, expect, test } from 'vitest'
import { ProviderError } from '../../../src/providers/provider-error.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'
import { monthQueryOf } from '../../../src/providers/sandbox/readers.ts'

/** The records and the expected results are written by hand; neither comes from the simulator. */
const { readers, latest } = sandboxAdapter('http://127.0.0.1:1')

const TIME = '2025-06-02T13:30:00.250Z'
const at = Date.UTC(2025, 5, 2, 13, 30, 0, 250)
const LATER = '2025-06-02T08:45:00-06:00'
const later = Date.UTC(2025, 5, 2, 14, 45)
const removable = { removedAt: null, createdAt: TIME, updatedAt: LATER }

describe('rosters', () => {
  test('a removed vehicle has the time of its removal, and gallons become liters', () => {
    const record = {
      ...removable,
      id: 'v1',
      removedAt: LATER,
      status: 'inactive',
      vin: '1M8GDM9AXKP042788',
      name: 'Truck 7',
      make: null,
      model: 'T680',
      year: 2022,
      groupIds: ['g1', 'g2'],
      licensePlate: { state: 'TX', number: null },
      fuelType: 'hydrogen',
      fuelTankGallons: 240,
      fuelEconomyMpg: 6.9,
    }
    expect(readers.Vehicle?.normalize(record)).toEqual({
      sourceId: 'v1',
      deletedAt: later,
      createdAt: at,
      updatedAt: later,
      status: 'inactive',
      vin: '1M8GDM9AXKP042788',
      name: 'Truck 7',
      make: null,
      model: 'T680',
      year: 2022,
      groupSourceIds: ['g1', 'g2'],
      licensePlate: { state: 'TX', number: null },
      fuelType: null,
      fuelTankCapacityLiters: 908.5,
      fuelEfficiencyLitersPer100Kilometers: 34.09,
    })
  })

  test('a trailer keeps its serial number', () => {
    const record = {
      ...removable,
      id: 't1',
      status: 'active',
      vin: null,
      name: 'Trailer 5',
      serialNumber: 'S-5',
      make: 'Wabash',
      model: null,
      year: null,
      groupIds: [],
      licensePlate: null,
    }
    expect(readers.Trailer?.normalize(record)).toEqual({
      sourceId: 't1',
      deletedAt: null,
      createdAt: at,
      updatedAt: later,
      status: 'active',
      vin: null,
      name: 'Trailer 5',
      serialNumber: 'S-5',
      make: 'Wabash',
      model: null,
      year: null,
      groupSourceIds: [],
      licensePlate: null,
    })
  })

  test.each([
    ['+1 (214) 555-0142', '+12145550142'],
    ['call the office', null],
    [null, null],
  ])('a phone number is normalized or null: %s', (phone, normalized) => {
    const names = { firstName: 'A', middleName: null, lastName: 'B', email: null, username: null }
    const record = { ...removable, ...names, id: 'd', status: 'active', license: null, groupIds: [], phone }
    expect(readers.Driver?.normalize(record)).toMatchObject({ phone: normalized, deletedAt: null })
  })
})

describe('travel', () => {
  const place = { time: TIME, lat: 35.5, lng: -101.25, heading: 270, speedMph: 60 }

  test('a trip is converted from miles and seconds to kilometers and milliseconds', () => {
    const record = {
      id: 'x',
      vehicleId: 'v',
      driverId: null,
      startedAt: TIME,
      endedAt: LATER,
      startLocation: { lat: 1, lng: 2 },
      endLocation: null,
      distanceMiles: 100,
      durationSeconds: 4499.75,
    }
    expect(readers.Trip?.normalize(record)).toEqual({
      sourceId: 'x',
      vehicleSourceId: 'v',
      driverSourceId: null,
      startedAt: at,
      endedAt: later,
      startLocation: { latitude: 1, longitude: 2 },
      endLocation: null,
      distanceKilometers: 160.934,
      durationMilliseconds: 4_499_750,
    })
  })

  test('the latest locations of vehicles and trailers are normalized', () => {
    const vehicle = {
      ...place,
      vehicleId: 'v',
      driverId: 'd',
      odometerMiles: 1000,
      fuelPercent: 41.5,
      engineState: 'idle',
      engineSeconds: 7200,
      address: 'I-40 near Amarillo, TX',
    }
    const expected = { locatedAt: at, location: { longitude: -101.25, latitude: 35.5 }, headingDegrees: 270 }
    expect(latest.LatestVehicleLocation?.normalize(vehicle)).toEqual({
      ...expected,
      vehicleSourceId: 'v',
      driverSourceId: 'd',
      speedKph: 96.56,
      address: 'I-40 near Amarillo, TX',
      odometerKilometers: 1609.344,
      fuelPrimaryPercentage: 41.5,
      fuelSecondaryPercentage: null,
      engineState: 'idle',
      engineRuntimeMilliseconds: 7_200_000,
    })
    expect(latest.LatestTrailerLocation?.normalize({ ...place, trailerId: 't', address: null })).toEqual({
      ...expected,
      trailerSourceId: 't',
      speedKph: 96.56,
      address: null,
    })
  })

  test.each([{ lat: 90.1 }, { lng: -180.5 }, { lat: null }, { time: '2025-02-30T00:00:00Z' }])(
    'an invalid location is refused: %o',
    (invalid) => {
      const record = { ...place, vehicleId: 'v', driverId: null, address: null, ...invalid }
      expect(() => readers.VehicleLocation?.normalize(record)).toThrow(ProviderError)
    },
  )

  test('a day of utilization and a month of IFTA distance are normalized', () => {
    const day = { id: 'u', vehicleId: 'v', date: '2025-06-02', miles: 50, fuelGallons: null }
    expect(
      readers.VehicleUtilization?.normalize({ ...day, drivingSeconds: 3600, idlingSeconds: 60.5 }),
    ).toEqual({
      sourceId: 'u',
      vehicleSourceId: 'v',
      date: '2025-06-02',
      distanceKilometers: 80.467,
      fuelConsumedLiters: null,
      drivingMilliseconds: 3_600_000,
      idlingMilliseconds: 60_500,
    })
    const month = { id: 'i', vehicleId: 'v', month: '2025-06', jurisdiction: 'ON', miles: 1 }
    expect(readers.IFTASummary?.normalize(month)).toEqual({
      sourceId: 'i',
      vehicleSourceId: 'v',
      month: '2025-06',
      jurisdiction: 'ON',
      distanceKilometers: 1.609,
    })
    expect(() => readers.IFTASummary?.normalize({ ...month, month: '2025-13' })).toThrow(ProviderError)
  })

  test('the months of a window are all months that it touches in any time zone', () => {
    const window = (from: string, to: string) => monthQueryOf({ from: Date.parse(from), to: Date.parse(to) })
    expect(window('2025-06-15T00:00:00Z', '2025-06-16T00:00:00Z')).toEqual({
      fromMonth: '2025-06',
      toMonth: '2025-06',
    })
    expect(window('2025-06-01T05:00:00Z', '2025-12-31T20:00:00Z')).toEqual({
      fromMonth: '2025-05',
      toMonth: '2026-01',
    })
  })
})

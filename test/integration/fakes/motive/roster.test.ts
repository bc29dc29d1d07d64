import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeHarness, runMotive } from '../../../fakes/motive/harness.ts'

/** Compares the oracle with the responses of the fake, for rosters and latest models. */

interface Identified {
  readonly id: number
}

let motive: FakeHarness
beforeAll(async () => {
  motive = await runMotive({ vehicles: 60, world: { restlessness: 20 } })
})
afterAll(() => motive[Symbol.asyncDispose]())

const truth = <NormalizedRecord>(model: string) => motive.fake.truth<NormalizedRecord[]>(model)
const time = (text: string) => Date.parse(text)

/** Returns the groups of each vehicle or user, by its id. */
async function membershipOf(kind: 'vehicles' | 'users'): Promise<Map<number, string[]>> {
  const membership = new Map<number, string[]>()
  for (const group of await motive.all<Identified>('/v1/groups'))
    for (const { id } of await motive.all<Identified>(`/v1/groups/${group.id}/${kind}`))
      membership.set(id, [...(membership.get(id) ?? []), String(group.id)])
  return membership
}

test.each(['electric', 'other'])(
  'vehicles match the truth, with electric ones listed as %s',
  async (electricFuel) => {
    interface Vehicle extends Identified {
      readonly number: string
      readonly status: string
      readonly year: string
      readonly fuel_type: string
      readonly license_plate_state: string
      readonly license_plate_number: string
      readonly updated_at: string
    }
    await motive.fake.behave({ electricFuel })
    const [listed, membership] = [await motive.all<Vehicle>('/v1/vehicles'), await membershipOf('vehicles')]
    expect(new Set(listed.map(({ status }) => status))).toEqual(new Set(['active', 'deactivated']))
    expect(listed.some(({ year }) => year === '')).toBe(true)
    expect(listed.some(({ fuel_type }) => fuel_type === electricFuel)).toBe(true)
    const expected = listed.map((vehicle) => ({
      sourceId: String(vehicle.id),
      name: vehicle.number,
      status: vehicle.status === 'active' ? 'active' : 'inactive',
      year: vehicle.year === '' ? null : Number(vehicle.year),
      fuelType: vehicle.fuel_type === 'other' ? null : vehicle.fuel_type,
      licensePlate: { state: vehicle.license_plate_state, number: vehicle.license_plate_number },
      groupSourceIds: membership.get(vehicle.id),
      updatedAt: time(vehicle.updated_at),
    }))
    expect(await truth('Vehicle')).toEqual(expected.map((record) => expect.objectContaining(record)))
  },
)

test('drivers match the truth', async () => {
  interface User extends Identified {
    readonly first_name: string
    readonly last_name: string
    readonly phone: string
    readonly drivers_license_number: string
    readonly updated_at: string
  }
  const [listed, membership] = [await motive.all<User>('/v1/users?role=driver'), await membershipOf('users')]
  const expected = listed.map((user) => ({
    sourceId: String(user.id),
    firstName: user.first_name,
    lastName: user.last_name,
    phone: user.phone,
    license: expect.objectContaining({ number: user.drivers_license_number }),
    groupSourceIds: membership.get(user.id),
    updatedAt: time(user.updated_at),
  }))
  expect(await truth('Driver')).toEqual(expected.map((record) => expect.objectContaining(record)))
})

test('groups, devices and trailers match the truth', async () => {
  const groups = await motive.all<Identified & { name: string; parent_id: number | null }>('/v1/groups')
  expect(await truth('Group')).toEqual(
    groups.map(({ id, name, parent_id }) =>
      expect.objectContaining({ sourceId: String(id), name, parentSourceId: parent_id && String(parent_id) }),
    ),
  )
  const devices = await motive.all<Identified & { identifier: string; vehicle: Identified }>(
    '/v1/eld_devices',
  )
  expect(await truth('Device')).toEqual(
    devices.map(({ id, identifier, vehicle }) =>
      expect.objectContaining({
        sourceId: String(id),
        serialNumber: identifier,
        vehicleSourceId: String(vehicle.id),
      }),
    ),
  )
  const assets = await motive.all<Identified & { name: string; vin: string; year: string }>('/v1/assets')
  expect(await truth('Trailer')).toEqual(
    assets.map(({ id, name, vin, year }) =>
      expect.objectContaining({ sourceId: String(id), name, vin, year: Number(year) }),
    ),
  )
})

test('vehicle locations match the truth, with the true counters of version 3', async () => {
  interface Latest extends Identified {
    readonly metric_units: boolean
    readonly current_location: {
      readonly located_at: string
      readonly speed: number
      readonly odometer: number
      readonly true_odometer: number | null
      readonly fuel_primary_remaining_percentage: number | null
    } | null
  }
  await motive.fake.behave({ latestUnits: 'sent' })
  const listed = await motive.all<Latest>('/v3/vehicle_locations')
  await motive.fake.behave({ latestUnits: 'left_out' })
  const expected = listed.flatMap(({ id, metric_units, current_location: location }) => {
    const mile = metric_units ? 1 : 1.609344
    if (!location) return []
    return {
      vehicleSourceId: String(id),
      locatedAt: time(location.located_at),
      speedKph: expect.closeTo(location.speed * mile, 1),
      odometerKilometers: expect.closeTo((location.true_odometer ?? location.odometer) * mile, 2),
      fuelPrimaryPercentage: location.fuel_primary_remaining_percentage,
    }
  })
  expect(expected.length).toBeGreaterThan(20)
  expect(await truth('LatestVehicleLocation')).toEqual(
    expected.map((record) => expect.objectContaining(record)),
  )
  const [older, newer] = [await motive.all<Latest>('/v2/vehicle_locations'), listed]
  expect(older.map(({ current_location }) => current_location?.odometer)).toEqual(
    newer.map(({ current_location }) => current_location?.odometer),
  )
})

test.each(['last_location', 'current_location'])(
  'trailer locations in %s match the truth',
  async (assetPlace) => {
    await motive.fake.behave({ assetPlace })
    type Asset = Identified & Record<string, { located_at: string; lat: number; lon: number } | null>
    const listed = await motive.all<Asset>('/v1/asset_locations')
    const expected = listed.flatMap((asset) => {
      const location = asset[assetPlace]
      if (!location) return []
      return {
        trailerSourceId: String(asset.id),
        locatedAt: time(location.located_at),
        location: { longitude: location.lon, latitude: location.lat },
        speedKph: null,
      }
    })
    expect(expected.length).toBeGreaterThan(5)
    expect(await truth('LatestTrailerLocation')).toEqual(
      expected.map((record) => expect.objectContaining(record)),
    )
  },
)

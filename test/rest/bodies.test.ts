import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/ids.ts'
import { modelNames } from '../../src/models.ts'
import { toIso } from '../../src/time.ts'
import { agreementRow, bareVehicleRow, DAY, deviceRow, driverRow, groupRow, latestLocationRow, MINUTE, NOON, type PlantedApplication, plantApplication, rawRow, syncRow, tripRow, vehicleRow, } from '../factories.ts'
import { LINK, manifest, type Rest, startRest } from './rig.ts'

let rest: Rest
let planted: PlantedApplication

const metadata = {
  addedAt: toIso(NOON - 10 * DAY),
  modifiedAt: toIso(NOON - 5 * DAY),
  visibility: 'visible',
}
const recordMetadata = { addedAt: metadata.addedAt, modifiedAt: metadata.modifiedAt }

beforeAll(async () => {
  rest = await startRest()
  planted = await plantApplication(
    rest.db,
    [
      (owner) => {
        const parent = groupRow(owner, { name: 'All' })
        const group = groupRow(owner, { parentId: parent.id, description: 'A "quoted" one' })
        const driver = driverRow(owner, { groupIds: [group.id] })
        const whole = vehicleRow(owner, { groupIds: [group.id], name: 'Nº 7 "Ünï"\n', fuelType: 'hybrid_diesel' as never })
        const bare = bareVehicleRow(owner)
        const gone = vehicleRow(owner, { deletedAt: NOON - DAY })
        return {
          groups: [parent, group],
          drivers: [driver],
          vehicles: [whole, bare, gone],
          devices: [deviceRow(owner, { vehicleId: whole.id })],
          trips: [
            tripRow(owner, { vehicleId: whole.id, driverId: driver.id }),
            tripRow(owner, { vehicleId: bare.id, startedAt: NOON - DAY + MINUTE, startLatitude: null, distance: null }),
          ],
          latestLocations: [
            latestLocationRow(owner, { vehicleId: whole.id, driverId: driver.id, fuelSecondaryPercentage: 20 }),
            latestLocationRow(owner, {
              vehicleId: bare.id, addressText: null, heading: null, speed: null, odometer: null,
              fuelPrimaryPercentage: null, engineState: null, engineRuntime: null,
            }),
          ],
          raw: [rawRow(owner, whole.id), rawRow(owner, driver.id)],
          syncs: [syncRow(owner)],
          agreements: [agreementRow(owner)],
        }
      },
      () => ({}),
    ],
    [{ externalId: 'ours-1' }, { company: { name: null, dotNumbers: [] }, account: { name: null, dotNumbers: [], user: null }, tags: [], sourceId: null, options: {}, filters: { vehicles: { status: 'active' } } }],
  )
})

afterAll(() => rest[Symbol.asyncDispose]())

const own = () => ({ ...planted.connections[0]!, party: planted.narrowed(0) })

function wholeVehicle() {
  const { vehicles: [row], groups, devices } = own()
  return {
    id: row!.id,
    sourceId: row!.sourceId,
    provider: 'sandbox',
    status: 'active',
    vin: '1HGCM82633A004352',
    name: 'Nº 7 "Ünï"\n',
    make: 'Volvo',
    model: 'VNL',
    year: 2021,
    licensePlate: { state: 'ON', number: 'AB 123' },
    fuelType: 'hybrid_diesel',
    fuelEfficiency: 33.5,
    fuelTankCapacity: 900,
    createdAt: toIso(NOON - 500 * DAY),
    updatedAt: toIso(NOON - 9 * DAY),
    metadata,
    groups: [groups[1]!.id],
    devices: [devices[0]!.id],
  }
}

function bareVehicle() {
  const row = own().vehicles[1]!
  return { id: row.id, sourceId: row.sourceId, provider: 'sandbox', status: 'inactive', metadata, groups: [], devices: [] }
}

function wholeDriver() {
  const { drivers: [row], groups } = own()
  return {
    id: row!.id,
    sourceId: row!.sourceId,
    provider: 'sandbox',
    status: 'active',
    firstName: 'Grace',
    lastName: 'Hopper',
    email: 'grace@example.com',
    phone: '+15550100',
    license: { state: 'TX', number: 'D1' },
    createdAt: toIso(NOON - 400 * DAY),
    metadata,
    groups: [groups[1]!.id],
  }
}

const wholeGroup = () => {
  const [parent, row] = own().groups
  return {
    id: row!.id, sourceId: row!.sourceId, provider: 'sandbox', name: 'Region West', description: 'A "quoted" one',
    parent: parent!.id, metadata,
  }
}

const wholeDevice = () => {
  const row = own().devices[0]!
  return {
    id: row.id, sourceId: row.sourceId, provider: 'sandbox', type: 'tracker', vehicle: row.vehicleId, serialNumber: 'S-1',
    lastConnectedAt: toIso(NOON - MINUTE), metadata,
  }
}

const rawOf = () => [
  {
    provider: 'sandbox', schema: 'record', extractedAt: toIso(NOON - DAY),
    data: { nested: { list: [1, 'two', null] }, text: 'ünïcödé' },
  },
]

const ok = async (path: string, party = own().party) => {
  const { status, body, headers } = await rest.get(path, party)
  expect(body).not.toHaveProperty('code')
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  return body
}

describe('vehicles', () => {
  test('are listed with references as ids and without what is null', async () => {
    expect(await ok('/vehicles')).toEqual({ results: [wholeVehicle(), bareVehicle()] })
  })

  test('show what is deleted on request', async () => {
    const { results } = await ok('/vehicles?deleted=true&hidden=true')
    expect(results).toHaveLength(3)
    expect(results[2].metadata).toEqual({ ...metadata, deletedAt: toIso(NOON - DAY), visibility: 'deleted' })
  })

  test.each(['groups,devices', 'devices,groups'])('show expand=%s as whole records', async (expand) => {
    const { results: [first, second] } = await ok(`/vehicles?expand=${expand}`)
    expect(first).toEqual({ ...wholeVehicle(), groups: [wholeGroup()], devices: [wholeDevice()] })
    expect(second).toEqual(bareVehicle())
  })

  test('expand one reference and leave the other an id', async () => {
    const { results: [vehicle] } = await ok('/vehicles?expand=groups')
    expect(vehicle).toEqual({ ...wholeVehicle(), groups: [wholeGroup()] })
  })

  test("show the provider's records with raw=true", async () => {
    const { results: [first, second] } = await ok('/vehicles?raw=true')
    expect(first).toEqual({ ...wholeVehicle(), raw: rawOf() })
    expect(second).toEqual({ ...bareVehicle(), raw: [] })
  })

  test('are found by id', async () => {
    const path = `/vehicles/${wholeVehicle().id}`
    expect(await ok(path)).toEqual(wholeVehicle())
    expect(await ok(`${path}?raw=true&expand=devices`)).toEqual({ ...wholeVehicle(), devices: [wholeDevice()], raw: rawOf() })
  })

  test('are listed by the time of change, from the moment itself on', async () => {
    const at = NOON - 5 * DAY
    expect((await ok(`/vehicles?modifiedAfter=${toIso(at)}`)).results).toHaveLength(2)
    expect((await ok(`/vehicles?modifiedAfter=${toIso(at + 1)}`)).results).toHaveLength(0)
    expect((await ok(`/vehicles?modifiedBefore=${toIso(at)}`)).results).toHaveLength(0)
    expect((await ok(`/vehicles?modifiedBefore=2027-01-01T00:00:00%2B02:00`)).results).toHaveLength(2)
  })
})

describe('vehicle locations', () => {
  const places = () => {
    const { vehicles, drivers } = own()
    return [
      {
        provider: 'sandbox', vehicle: vehicles[0]!.id, driver: drivers[0]!.id, locatedAt: toIso(NOON),
        location: { longitude: -97.7, latitude: 30.3 }, address: { formatted: 'I-35, Austin, TX' }, heading: 90, speed: 88.5,
        odometer: 123_456.7, fuel: { primaryPercentage: 61, secondaryPercentage: 20 }, engineState: 'on', engineRuntime: 1_000_000,
      },
      { provider: 'sandbox', vehicle: vehicles[1]!.id, locatedAt: toIso(NOON), location: { longitude: -97.7, latitude: 30.3 } },
    ]
  }
  const byVehicle = (one: { vehicle: string }, other: { vehicle: string }) => (one.vehicle < other.vehicle ? -1 : 1)

  test('are listed with references as ids', async () => {
    expect(await ok('/vehicles/locations')).toEqual({ results: places().toSorted(byVehicle) })
  })

  test('are found by vehicle and by driver', async () => {
    const [first, second] = places()
    expect((await ok(`/vehicles/locations?vehicleIds=${second!.vehicle},${second!.vehicle}`)).results).toEqual([second])
    expect((await ok(`/vehicles/locations?driverIds=${first!.driver}`)).results).toEqual([first])
  })

  test.each(['vehicle,driver', 'driver,vehicle'])('show expand=%s as whole records', async (expand) => {
    const [first, second] = places()
    const found = async (id: string) => (await ok(`/vehicles/locations?vehicleIds=${id}&expand=${expand}`)).results
    expect(await found(first!.vehicle)).toEqual([{ ...first, vehicle: wholeVehicle(), driver: wholeDriver() }])
    expect(await found(second!.vehicle)).toEqual([{ ...second, vehicle: bareVehicle() }])
  })
})

describe('drivers', () => {
  test('are listed', async () => {
    expect(await ok('/drivers')).toEqual({ results: [wholeDriver()] })
  })

  test('show groups and raw on request', async () => {
    const { results } = await ok('/drivers?expand=groups&raw=true&hidden=false')
    expect(results).toEqual([{ ...wholeDriver(), groups: [wholeGroup()], raw: rawOf() }])
  })
})

describe('trips', () => {
  const trips = () =>
    own().trips.map((row, at) => ({
      id: row.id, sourceId: row.sourceId, provider: 'sandbox', vehicle: row.vehicleId,
      ...(at === 0 ? { driver: row.driverId } : {}),
      startedAt: toIso(row.startedAt), endedAt: toIso(row.endedAt),
      ...(at === 0 ? { startLocation: { longitude: -97.7, latitude: 30.3 }, distance: 41.2 } : {}),
      duration: 30 * MINUTE, metadata: recordMetadata,
    }))

  test('are listed by their start', async () => {
    expect(await ok('/trips')).toEqual({ results: trips() })
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
    expect((await ok(`/trips?startedAfter=${toIso(NOON)}&startedBefore=${toIso(NOON - DAY)}`)).results).toEqual([])
  })

  test.each(['vehicle,driver', 'driver,vehicle'])('show expand=%s as whole records', async (expand) => {
    const [first, second] = trips()
    expect((await ok(`/trips?expand=${expand}`)).results).toEqual([
      { ...first, vehicle: wholeVehicle(), driver: wholeDriver() },
      { ...second, vehicle: bareVehicle() },
    ])
  })

  test('have a raw list with raw=true', async () => {
    expect((await ok('/trips?raw=true')).results[0]).toEqual({ ...trips()[0], raw: [] })
  })
})

describe('connections', () => {
  const connection = (at: number) => {
    const { connection: row, token } = planted.connections[at]!
    return {
      id: row.id, status: 'connected', provider: { code: 'sandbox', name: 'Sandbox' }, syncMode: 'automatic', token,
      linkUrl: `${LINK}/connection/${row.id}`, createdAt: toIso(row.createdAt), updatedAt: toIso(row.updatedAt),
    }
  }
  const first = () => ({
    ...connection(0),
    company: { name: 'Acme Freight', dotNumbers: ['1234567'] },
    account: { name: 'acme', dotNumbers: [], user: { sourceId: 'u-1', firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com' } },
    options: { units: 'metric' }, externalId: 'ours-1', sourceId: 'account-1', tags: ['west'],
  })
  const second = () => ({
    ...connection(1),
    company: { dotNumbers: [] }, account: { dotNumbers: [] }, options: {}, tags: [], filters: { vehicles: { status: 'active' } },
  })

  test('are listed with the secret key alone, whatever token comes along', async () => {
    expect(await ok('/connections', planted.party)).toEqual({ results: [first(), second()] })
    expect(await ok('/connections', { ...planted.party, token: 'con_tkn_unknown' })).toEqual({ results: [first(), second()] })
  })

  test.each([
    ['externalId=ours-1', 1], ['externalId=OURS-1', 0], ['dotNumber=1234567', 1], ['tag=west', 1], ['tags=west', 1], ['tag=%25', 0],
    ['status=connected', 2], ['status=pending_deletion', 0], ['provider=sandbox', 2], ['provider=other', 0],
    [`updatedAfter=${toIso(NOON - DAY)}`, 2], [`updatedBefore=${toIso(NOON - DAY)}`, 2], [`updatedBefore=${toIso(NOON - 2 * DAY)}`, 0],
  ])('are found with %s', async (query, count) => {
    expect((await ok(`/connections?${query}`, planted.party)).results).toHaveLength(count)
  })

  test('the current one shows its agreements and last sync', async () => {
    const { syncs: [sync], agreements: [agreement], connection: { id } } = planted.connections[0]!
    expect(await ok('/connections/current')).toEqual({
      ...first(),
      lastSync: {
        id: sync!.id, status: 'completed', requestedAt: toIso(sync!.requestedAt), completedAt: toIso(sync!.completedAt!),
        progress: 100, attempts: 1,
      },
      agreements: [
        {
          id: agreement!.id, applicationId: planted.id, connectionId: id, agreementUrl: 'https://example.com/agreement',
          acceptedAt: toIso(agreement!.acceptedAt), acceptedBy: { firstName: 'Ada' }, ipAddress: '192.0.2.1',
        },
      ],
    })
    expect(await ok('/connections/current', planted.narrowed(1))).toEqual({ ...second(), agreements: [] })
  })
})

describe('providers', () => {
  const provider = () => {
    const { code, name, logo, icon, references } = manifest
    return {
      code, name, status: 'sandbox', logo, icon, references,
      supportedModels: {
        ...Object.fromEntries(modelNames.map((model) => [model, { supportedOperations: { read: 'not_supported_by_provider' } }])),
        Vehicle: { supportedOperations: { read: 'supported' } },
        VehicleLocation: { supportedOperations: { read: 'supported' }, sampleRate: '15 seconds', availableHistory: '1 year' },
        SafetyEvent: { supportedOperations: { read: 'not_supported' }, types: ['speeding', 'crash'] },
      },
    }
  }

  test('are a bare list', async () => {
    expect(await ok('/providers', planted.party)).toEqual([{ ...provider(), baseCode: 'simulated' }])
  })

  test('hide the base code from those without a key', async () => {
    const { status, body, statements } = await rest.get('/providers')
    expect([status, body, statements]).toEqual([200, [provider()], []])
  })
})

test('a reference to a record that is not there stays an id', async () => {
  const lost = newId('vehicle')
  const { secretKey, narrowed } = await plantApplication(rest.db, [
    (owner) => ({ trips: [tripRow(owner, { vehicleId: lost })], latestLocations: [latestLocationRow(owner, { vehicleId: lost })] }),
  ])
  const party = { ...narrowed(0), secretKey }
  for (const path of ['/trips', '/vehicles/locations'])
    expect((await ok(`${path}?expand=vehicle,driver`, party)).results[0].vehicle).toBe(lost)
})

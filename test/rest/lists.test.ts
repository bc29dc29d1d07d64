import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  deviceRow,
  driverRow,
  groupRow,
  latestLocationRow,
  NOON,
  type Owner,
  type PlantedApplication,
  plantApplication,
  tripRow,
  vehicleRow,
} from '../factories.ts'
import { type Rest, startRest } from './rig.ts'

let rest: Rest
let few: PlantedApplication
let many: PlantedApplication

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** As many of each kind of record, each vehicle with two groups, two devices and a trip. */
const fleetOf = (size: number) => (owner: Owner) => {
  const groups = times(size, (at) => groupRow(owner, { name: `Group ${at}` }))
  const groupIds = (at: number) => [groups[at]!.id, groups[(at + 1) % size]!.id]
  const vehicles = times(size, (at) =>
    vehicleRow(owner, { groupIds: groupIds(at), modifiedAt: NOON + (at % 3) }),
  )
  const drivers = times(size, (at) => driverRow(owner, { groupIds: groupIds(at) }))
  return {
    groups,
    vehicles,
    drivers,
    devices: vehicles.flatMap(({ id }) => times(2, () => deviceRow(owner, { vehicleId: id }))),
    trips: vehicles.map(({ id }, at) =>
      tripRow(owner, { vehicleId: id, driverId: drivers[at]!.id, startedAt: NOON + (at % 5) }),
    ),
    latestLocations: vehicles.map(({ id }, at) =>
      latestLocationRow(owner, { vehicleId: id, driverId: drivers[at]!.id }),
    ),
  }
}

beforeAll(async () => {
  rest = await startRest()
  few = await plantApplication(rest.db, [fleetOf(2)])
  many = await plantApplication(rest.db, [fleetOf(100), ...times(6, () => () => ({}))])
})

afterAll(() => rest[Symbol.asyncDispose]())

async function everyPage(path: string, party: PlantedApplication['party']) {
  const pages: { id?: string; vehicle?: string }[][] = []
  for (let cursor = ''; pages.length < 100;) {
    const { status, body } = await rest.get(`${path}&cursor=${cursor}`, party)
    expect(status).toBe(200)
    pages.push(body.results)
    if (!('next' in body)) return pages
    expect(body.next).toMatch(/^[A-Za-z0-9+/=_-]+$/)
    cursor = encodeURIComponent(body.next)
  }
  throw new Error('the listing does not end')
}

describe('paging', () => {
  test.each([
    ['/vehicles?limit=7', 100],
    ['/vehicles?limit=7&modifiedAfter=2020-01-01T00:00:00Z', 100],
    ['/vehicles?limit=50&expand=groups', 100],
    ['/drivers?limit=30', 100],
    ['/trips?limit=9', 100],
    ['/vehicles/locations?limit=33', 100],
    ['/connections?limit=2', 7],
  ])('%s reaches every record once', async (path, count) => {
    const pages = await everyPage(path, path.startsWith('/connections') ? many.party : many.narrowed(0))
    const keys = pages.flat().map(({ id, vehicle }) => id ?? vehicle)
    expect([keys.length, new Set(keys).size]).toEqual([count, count])
    const limit = Number(/limit=(\d+)/.exec(path)?.[1])
    expect(pages.map((page) => page.length)).toEqual(
      times(Math.ceil(count / limit), (at) => Math.min(limit, count - at * limit)),
    )
  })

  test('a page that is just full is the last one', async () => {
    const { body } = await rest.get('/vehicles?limit=2', few.narrowed(0))
    expect(Object.keys(body)).toEqual(['results'])
  })

  test.each(['1000000000', '1e9', '1001', '99999999999999999999999'])(
    'limit=%s is clamped',
    async (limit) => {
      const { status, body } = await rest.get(`/vehicles?limit=${limit}`, many.narrowed(0))
      expect([status, body.results.length]).toEqual([200, 100])
    },
  )

  test('a cursor of another list, filter or caller is refused', async () => {
    const {
      body: { next },
    } = await rest.get('/vehicles?limit=7', many.narrowed(0))
    const elsewhere = [
      rest.get(`/drivers?cursor=${next}`, many.narrowed(0)),
      rest.get(`/vehicles?cursor=${next}&deleted=true`, many.narrowed(0)),
      rest.get(`/vehicles?cursor=${next}`, few.narrowed(0)),
    ]
    for (const { status, body } of await Promise.all(elsewhere))
      expect([status, body.detail[0].path]).toEqual([400, '{requestQuery}.cursor'])
  })
})

describe('what a list costs does not grow with it', () => {
  test.each([
    ['/vehicles', 2],
    ['/vehicles?expand=groups,devices', 3],
    ['/vehicles?expand=devices', 2],
    ['/vehicles?raw=true', 3],
    ['/drivers', 1],
    ['/drivers?expand=groups', 2],
    ['/trips', 1],
    ['/trips?expand=vehicle,driver', 4],
    ['/trips?expand=driver', 2],
    ['/vehicles/locations', 1],
    ['/vehicles/locations?expand=driver,vehicle', 4],
  ])('%s costs %i statements', async (path, count) => {
    for (const application of [few, many]) {
      const { body, statements } = await rest.get(path, application.narrowed(0))
      expect(body.results).toHaveLength(application === few ? 2 : 100)
      expect(statements).toHaveLength(count)
    }
  })

  test('/connections costs one statement', async () => {
    for (const application of [few, many])
      expect((await rest.get('/connections', application.party)).statements).toHaveLength(1)
  })
})

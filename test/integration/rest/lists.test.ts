import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  deviceRow,
  driverRow,
  groupRow,
  latestLocationRow,
  locationRow,
  NOON,
  type Owner,
  type SeededApplication,
  seedApplication,
  rawRow,
  safetyEventRow,
  syncRow,
  tripRow,
  vehicleRow,
} from '../../support/factories.ts'
import {
  faultCodeRow,
  hosAvailableTimeRow,
  hosDailyLogRow,
  hosLogRow,
  iftaMonthRow,
  issueRow,
  latestTrailerLocationRow,
  obdiiRow,
  rawPointRow,
  statRow,
  syncIssueRow,
  trailerRow,
  vehicleDayRow,
} from '../../support/rows/record-rows.ts'
import { withQuery } from '../../support/rest/route-examples.ts'
import { type RestHarness, startRest } from '../../support/rest/rest-harness.ts'

let rest: RestHarness
let few: SeededApplication
let many: SeededApplication

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** Returns rows of every model, `size` of each, with all their references. */
const fleetOf = (size: number) => (owner: Owner) => {
  const groups = times(size, (at) => groupRow(owner, { name: `Group ${at}` }))
  const groupIds = (at: number) => [groups[at]!.id, groups[(at + 1) % size]!.id]
  const vehicles = times(size, (at) =>
    vehicleRow(owner, { groupIds: groupIds(at), modifiedAt: NOON + (at % 3) }),
  )
  const drivers = times(size, (at) => driverRow(owner, { groupIds: groupIds(at) }))
  const trailers = times(size, (at) => trailerRow(owner, { groupIds: groupIds(at) }))
  const issues = times(size, (at) => issueRow(owner, { model: `model-${at}` }))
  const syncs = times(size, () => syncRow(owner))
  const each = <Row>(make: (of: { vehicleId: string; driverId: string }, at: number) => Row) =>
    times(size, (at) => make({ vehicleId: vehicles[at]!.id, driverId: drivers[at]!.id }, at))
  const vehicleId = vehicles[0]!.id
  return {
    groups: groups.map((group, at) => ({ ...group, parentId: groups[(at + 1) % size]!.id })),
    vehicles,
    drivers,
    trailers,
    issues,
    syncs,
    syncIssues: syncs.map((sync, at) => syncIssueRow(owner, sync.id, issues[at]!.id)),
    devices: vehicles.flatMap(({ id }) => times(2, () => deviceRow(owner, { vehicleId: id }))),
    trips: each((of, at) => tripRow(owner, { ...of, startedAt: NOON + (at % 5) })),
    safetyEvents: each((of) => safetyEventRow(owner, of)),
    faultCodeEvents: each(({ vehicleId: id }, at) =>
      (at % 2 ? faultCodeRow : obdiiRow)(owner, { vehicleId: id }),
    ),
    hosLogs: each((of, at) => hosLogRow(owner, { ...of, codriverIds: [drivers[(at + 1) % size]!.id] })),
    hosDailyLogs: each(({ driverId }) => hosDailyLogRow(owner, { driverId })),
    availableTimes: each(({ driverId }) => hosAvailableTimeRow(owner, { driverId })),
    vehicleDays: each((of) => vehicleDayRow(owner, { vehicleId: of.vehicleId })),
    iftaMonths: each((of) => iftaMonthRow(owner, { vehicleId: of.vehicleId })),
    latestLocations: each((of) => latestLocationRow(owner, of)),
    latestTrailerLocations: trailers.map(({ id }) => latestTrailerLocationRow(owner, { trailerId: id })),
    track: times(size, (at) => locationRow(owner, { vehicleId, locatedAt: NOON + at })),
    statLogs: times(size, (at) => statRow(owner, { vehicleId, timestamp: NOON + at })),
    rawPoints: times(size, (at) => rawPointRow(owner, { ownerId: vehicleId, at: NOON + at })),
    raw: [...vehicles, ...drivers, ...trailers].map(({ id }) => rawRow(owner, id)),
  }
}

beforeAll(async () => {
  rest = await startRest()
  few = await seedApplication(rest.db, [fleetOf(2)])
  many = await seedApplication(rest.db, [fleetOf(100), ...times(6, () => () => ({}))])
})

afterAll(() => rest[Symbol.asyncDispose]())

async function everyPage(path: string, client: SeededApplication['client']) {
  const pages: { id?: string; vehicle?: string }[][] = []
  for (let cursor = ''; pages.length < 100;) {
    const { status, body } = await rest.get(`${path}&cursor=${cursor}`, client)
    expect(status).toBe(200)
    pages.push(body.results)
    if (!('next' in body)) return pages
    expect(body.next).toMatch(/^[A-Za-z0-9+/=_-]+$/)
    cursor = encodeURIComponent(body.next)
  }
  throw new Error('the list has more than 100 pages')
}

describe('paging', () => {
  test.each([
    ['/vehicles?limit=7', 100],
    ['/vehicles?limit=7&modifiedAfter=2020-01-01T00:00:00Z', 100],
    ['/vehicles?limit=50&expand=groups', 100],
    ['/drivers?limit=30', 100],
    ['/trips?limit=9', 100],
    ['/vehicles/locations?limit=33', 100],
    ['/trailers?limit=11', 100],
    ['/groups?limit=13', 100],
    ['/devices?limit=40', 200],
    ['/hos/logs?limit=50', 100],
    ['/hos/daily-logs?limit=50', 100],
    ['/safety/events?limit=30', 100],
    ['/fault-codes/events?limit=60', 100],
    ['/vehicles/utilization?limit=30', 100],
    ['/vehicles/{id}/locations?limit=30', 100],
    ['/vehicles/{id}/stats/historical?limit=30', 100],
    ['/syncs?limit=30', 100],
    ['/issues?limit=30', 100],
    ['/connections?limit=2', 7],
    ['/connections?limit=2&order=desc', 7],
  ])('%s returns every record once', async (path, count) => {
    const url = path.replace('{id}', many.connections[0]!.vehicles[0]!.id)
    const pages = await everyPage(url, /^.(connections|issues)/.test(path) ? many.client : many.narrowed(0))
    const keys = pages.flat().map(({ id, vehicle }) => id ?? vehicle)
    expect([keys.length, new Set(keys).size]).toEqual([count, count])
    const limit = Number(/limit=(\d+)/.exec(path)?.[1])
    expect(pages.map((page) => page.length)).toEqual(
      times(Math.ceil(count / limit), (at) => Math.min(limit, count - at * limit)),
    )
  })

  test('a last page that is full has no cursor', async () => {
    const { body } = await rest.get('/vehicles?limit=2', few.narrowed(0))
    expect(Object.keys(body)).toEqual(['results'])
  })

  test.each(['1000000000', '1e9', '1001', '99999999999999999999999'])(
    'limit=%s is clamped, and a header contains the maximum',
    async (limit) => {
      const { status, body, headers } = await rest.get(`/vehicles?limit=${limit}`, many.narrowed(0))
      expect([status, body.results.length, headers['x-max-limit']]).toEqual([200, 100, '1000'])
    },
  )

  test('the maximum itself is not clamped', async () => {
    for (const query of ['', '?limit=1000'])
      expect((await rest.get(`/vehicles${query}`, many.narrowed(0))).headers).not.toHaveProperty(
        'x-max-limit',
      )
  })

  test('a cursor of another list, filter or caller is refused', async () => {
    const {
      body: { next },
    } = await rest.get('/vehicles?limit=7', many.narrowed(0))
    const requests = [
      rest.get(`/drivers?cursor=${next}`, many.narrowed(0)),
      rest.get(`/vehicles?cursor=${next}&deleted=true`, many.narrowed(0)),
      rest.get(`/vehicles?cursor=${next}`, few.narrowed(0)),
    ]
    for (const { status, body } of await Promise.all(requests))
      expect([status, body.detail[0].path]).toEqual([400, '{requestQuery}.cursor'])
    // Waiting reads of a refused request can outlast its response. Reads of a later request run after them.
    for (const application of [many, few]) await rest.get('/vehicles?limit=1', application.narrowed(0))
  })
})

/** Number of statements for each list, without and with all references and raw records. */
const costs: readonly (readonly [path: string, plain: number, expand: string, whole: number])[] = [
  ['/vehicles', 3, 'groups,devices', 5],
  ['/drivers', 2, 'groups', 4],
  ['/trailers', 1, 'groups', 3],
  ['/groups', 1, 'parent', 3],
  ['/devices', 2, 'vehicle', 5],
  ['/trips', 2, 'driver,vehicle', 6],
  ['/hos/logs', 2, 'vehicle,driver,codrivers', 6],
  ['/hos/daily-logs', 2, 'driver', 4],
  ['/hos/available-time', 3, 'driver', 5],
  ['/safety/events', 2, 'vehicle,driver', 6],
  ['/fault-codes/events', 2, 'vehicle', 5],
  ['/vehicles/locations', 3, 'vehicle,driver', 7],
  ['/trailers/locations', 2, 'trailer', 4],
  ['/vehicles/utilization?startDate=2026-01-01', 2, 'vehicle', 5],
  ['/ifta/summary?startMonth=2026-01&endMonth=2026-01', 2, 'vehicle', 5],
  ['/vehicles/{id}/locations', 3, '', 4],
  ['/vehicles/{id}/stats/historical', 3, 'vehicle', 5],
  ['/syncs', 3, 'issues', 3],
  ['/issues', 1, 'connection', 3],
]

describe('the number of statements is independent of the size of a list', () => {
  const cost = async (path: string, of: SeededApplication) => {
    const url = path.replace('{id}', of.connections[0]!.vehicles[0]!.id)
    const client = path.startsWith('/issues') ? of.client : of.narrowed(0)
    const { status, body, statements } = await rest.get(url, client)
    const least = path.startsWith('/devices') ? 4 : 2
    expect([status, body.results.length]).toEqual([200, of === few ? least : 100])
    return statements.length
  }

  test.each(costs)('%s takes %i statements', async (path, plain) => {
    expect([await cost(path, few), await cost(path, many)]).toEqual([plain, plain])
  })

  test.each(costs.map(([path, , expand, whole]) => [path, expand, whole] as const))(
    '%s with expand=%s and raw takes %i statements',
    async (path, expand, whole) => {
      const raw = path === '/syncs' || path === '/issues' ? '' : '&raw=true'
      const query = withQuery(path, `expand=${expand}${raw}`.replace(/^expand=&/, ''))
      expect([await cost(query, few), await cost(query, many)]).toEqual([whole, whole])
    },
  )

  test('/connections takes two statements, the second for the key in the link URLs', async () => {
    for (const application of [few, many])
      expect((await rest.get('/connections', application.client)).statements).toHaveLength(2)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import {
  type ApiClient,
  DAY,
  dialects,
  latestLocationRow,
  locationRow,
  MINUTE,
  NOON,
  type RecordsOf,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  vehicleRow,
} from '../../support/factories.ts'
import { measureReads, type ReadCost } from '../../support/database/read-costs.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'

const executor = createInProcessExecutor(supergraph)

/** Depot on the meridian of 180 degrees, so that every box around it crosses the meridian. */
const place = { longitude: 180, latitude: 51.8 }
const METERS_PER_DEGREE = 111_195

/** Vehicles by name, each with the distances in meters north of the place at which it was at times in minutes. */
const ways: Readonly<Record<string, readonly (readonly [minutes: number, meters: number])[]>> = {
  'drove past': [
    [-1, 2500],
    [0, 900],
    [1, -900],
    [2, -2500],
  ],
  stopped: [
    [-30, 9000],
    [3, 120],
    [9, 130],
    [60, 9000],
  ],
  parked: [
    [-600, 40],
    [900, 45],
  ],
  silent: [[-600, 300]],
  'silent for weeks': [[-20 * 24 * 60, 300]],
  'left before': [
    [-60, 10],
    [-31, 10],
    [-30, 9000],
    [40, 10],
  ],
  far: [
    [0, 700],
    [5, 700],
  ],
  removed: [[1, 200]],
  'read live elsewhere': [[-60, 20]],
  // 110 km/h, with a position every 90 seconds.
  'drove past fast': [
    [-1.75, 5350],
    [-0.25, 2600],
    [1.25, -150],
    [2.75, -2900],
  ],
  'read live much later': [
    [-600, 60],
    [4 * 24 * 60, 9000],
  ],
}

const fleet: RecordsOf = (owner) => {
  const names = Object.keys(ways)
  const vehicles = names.map((name) =>
    vehicleRow(owner, { name, ...(name === 'removed' && { deletedAt: NOON + DAY }) }),
  )
  const located = (index: number, minutes: number, meters: number) => ({
    vehicleId: vehicles[index]!.id,
    locatedAt: NOON + minutes * MINUTE,
    // Half of the positions are west of the meridian, half east of it.
    longitude: minutes % 2 === 0 ? 179.9999 : -179.9999,
    latitude: place.latitude + meters / METERS_PER_DEGREE,
  })
  return {
    vehicles,
    track: names.flatMap((name, index) =>
      ways[name]!.map(([minutes, meters]) => locationRow(owner, located(index, minutes, meters))),
    ),
    latestLocations: [
      latestLocationRow(owner, located(names.indexOf('read live elsewhere'), -5, 20_000)),
      latestLocationRow(owner, located(names.indexOf('silent'), -600, 300)),
      latestLocationRow(owner, located(names.indexOf('read live much later'), 30 * 24 * 60, 20_000)),
    ],
  }
}

/** Five vehicles that stand at the place, with positions before and after the period, an hour apart. */
const withHistory =
  (positions: number): RecordsOf =>
  (owner) => {
    const vehicles = Array.from({ length: 5 }, () => vehicleRow(owner))
    const hours = [...Array(positions + 1).keys()].flatMap((hour) => (hour === 0 ? [0] : [-hour, hour]))
    return {
      vehicles,
      track: vehicles.flatMap(({ id: vehicleId }) =>
        hours.map((hour) =>
          locationRow(owner, { ...place, vehicleId, locatedAt: NOON + hour * 60 * MINUTE }),
        ),
      ),
    }
  }

interface Answer {
  readonly vehicleCount: number
  readonly nodes: readonly Readonly<Record<string, unknown>>[]
}

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let application: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    application = await seedApplication(db, [fleet, fleet])
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const at = (minutes: number) => new Date(NOON + minutes * MINUTE).toISOString()
  const request = (args: string, client: ApiClient = application.narrowed(0)) =>
    ask(executor, contextFor, {
      client,
      document: documentOf(
        `{ vehiclesNear(${args}) { vehicleCount nodes { vehicle { name } evidence distance nearestAt firstAt lastAt } } }`,
      ),
    })
  const question = (from: number, to: number, more = '', radius = 500) =>
    `location: { longitude: ${place.longitude}, latitude: ${place.latitude} }, radius: ${radius}, startAt: "${at(from)}", endAt: "${at(to)}" ${more}`

  async function near(args: string, client?: ApiClient): Promise<Answer> {
    const { data, errors } = await request(args, client)
    expect(errors).toBeUndefined()
    return (data as { vehiclesNear: Answer }).vehiclesNear
  }

  test('finds who reported, passed and stayed, nearest first', async () => {
    const { vehicleCount, nodes } = await near(question(-10, 10))
    expect(nodes.map(({ vehicle, evidence }) => [(vehicle as { name: string }).name, evidence])).toEqual([
      ['drove past', 'PASSED'],
      ['drove past fast', 'REPORTED'],
      ['parked', 'STAYED'],
      ['read live much later', 'STAYED'],
      ['stopped', 'REPORTED'],
      ['removed', 'REPORTED'],
      ['silent', 'STAYED'],
    ])
    expect(vehicleCount).toBe(7)
    const [drovePast, , parked, , stopped] = nodes
    expect(drovePast).toMatchObject({ nearestAt: at(0.5), firstAt: expect.stringMatching(/12:00:13/) })
    expect(parked).toMatchObject({ firstAt: at(-10), lastAt: at(10) })
    expect(stopped).toMatchObject({ distance: expect.closeTo(120, 0), firstAt: at(3), lastAt: at(9) })
  })

  test('a period in which nothing was reported finds parked vehicles only', async () => {
    const { nodes } = await near(question(-59, -40))
    expect(nodes.map(({ vehicle }) => (vehicle as { name: string }).name)).toEqual([
      'left before',
      'parked',
      'read live much later',
      'silent',
    ])
  })

  test('a small circle is found to be crossed at 110 km/h', async () => {
    const { nodes } = await near(question(-10, 10, '', 100))
    expect(
      nodes.map(({ vehicle, evidence }) => [(vehicle as { name: string }).name, evidence]),
    ).toContainEqual(['drove past fast', 'PASSED'])
  })

  test('`first` limits the vehicles, and `vehicleCount` counts all', async () => {
    const { nodes, vehicleCount } = await near(question(-10, 10, ', first: 2'))
    expect([nodes.length, vehicleCount]).toEqual([2, 7])
  })

  test('one fleet, several, and chosen ones', async () => {
    const [one, other] = application.connections as [
      (typeof application.connections)[0],
      (typeof application.connections)[0],
    ]
    expect((await near(question(-10, 10), application.client)).vehicleCount).toBe(14)
    const only = `, connectionIds: ["${other.connection.id}"]`
    expect((await near(question(-10, 10, only), application.client)).vehicleCount).toBe(7)
    expect((await near(question(-10, 10, only))).vehicleCount).toBe(0)
    const parked = one.vehicles.find(({ name }) => name === 'parked')!
    expect((await near(question(-10, 10, `, vehicleIds: ["${parked.id}"]`))).vehicleCount).toBe(1)
  })

  test('costs nine statements for a batch of vehicles', async () => {
    const statements: string[] = []
    const unsubscribe = db.onStatement((sql) => statements.push(sql))
    await near(question(-10, 10))
    unsubscribe()
    // The vehicles, the filters, four edges, the latest locations, the positions around the place, and the names.
    expect(statements).toHaveLength(9)
  })

  test.each(dialect === 'mysql' ? [2000] : [])(
    'reads as much of a history of %i hours as of a short one',
    async (hours) => {
      const readsWith = async (positions: number) => {
        const seeded = await seedApplication(db, [withHistory(positions)])
        const costs: ReadCost[] = []
        const document = documentOf(`{ vehiclesNear(${question(-10, 10)}) { vehicleCount } }`)
        const context = contextsOver(measureReads(db, (cost) => costs.push(cost)))
        const { data } = await ask(executor, context, { client: seeded.client, document })
        expect(data).toEqual({ vehiclesNear: { vehicleCount: 5 } })
        return costs.reduce((sum, { reads }) => sum + reads, 0)
      }
      const [short, long] = [await readsWith(10), await readsWith(hours)]
      expect(long).toBeLessThan(short + 50)
    },
  )

  test.each([
    ['radius: 0', '`radius` must be from 1 to 5000 meters.'],
    ['radius: 5001', '`radius` must be from 1 to 5000 meters.'],
    ['first: 1001', '`first` must be a whole number from 0 to 1000.'],
    ['location: { longitude: 181, latitude: 0 }', '`longitude` must be from -180 to 180.'],
    ['location: { longitude: 0, latitude: -91 }', '`latitude` must be from -90 to 90.'],
    [`endAt: "${new Date(NOON - 1).toISOString()}"`, '`endAt` must not be before `startAt`.'],
    [
      `endAt: "${new Date(NOON + DAY + 1).toISOString()}"`,
      '`endAt` must be at most 24 hours after `startAt`.',
    ],
  ])('%s is refused', async (wrong, message) => {
    const [name = ''] = wrong.split(':')
    const args = {
      location: 'location: { longitude: 0, latitude: 0 }',
      radius: 'radius: 10',
      startAt: `startAt: "${at(0)}"`,
      endAt: `endAt: "${at(1)}"`,
      [name]: wrong,
    }
    const { data, errors } = await request(Object.values(args).join(', '))
    expect(data).toEqual({ vehiclesNear: null })
    expect(errors?.[0]).toMatchObject({ message, extensions: { code: 'BAD_USER_INPUT' } })
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { toIso } from '../../../src/domain/time.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { IftaVehicleMonth } from '../../../src/subgraphs/records/totals/ifta-summary.ts'
import type { DailyUtilization } from '../../../src/subgraphs/records/totals/daily-utilization.ts'
import {
  DAY,
  dialects,
  MINUTE,
  NOON,
  type ApiClient,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  vehicleRow,
} from '../../support/factories.ts'
import { iftaMonthRow, vehicleDayRow } from '../../support/rows/record-rows.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import {
  type Grouping,
  GROUPINGS,
  IFTA,
  orders,
  type Sum,
  summed,
  type SumPage,
  type Utilization,
  UTILIZATION,
  walked,
} from '../../support/graph/aggregate-rows.ts'

const executor = createInProcessExecutor(supergraph)

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let seeded: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    seeded = await seedApplication(db, [summed, summed])
  })
  afterAll(() => db[Symbol.asyncDispose]())

  async function pageOf<Node>(
    client: ApiClient,
    list: string,
    args: string,
    node: string,
  ): Promise<SumPage<Node>> {
    const argumentList = args ? `(${args})` : ''
    const text = `{ ${list}${argumentList} { totalCount nodes { ${node} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`
    const answer = await ask(executor, contextFor, { client, document: documentOf(text) })
    expect(answer.errors).toBeUndefined()
    return (answer.data as Record<string, SumPage<Node>>)[list]!
  }

  const ifta = (args: string, client = seeded.narrowed(0)) => pageOf<Sum>(client, 'iftaSummary', args, IFTA)
  const utilization = (args: string, client = seeded.narrowed(0)) =>
    pageOf<Utilization>(client, 'vehicleUtilization', args, UTILIZATION)

  const rawOf = ({ raw }: { readonly raw: Sum['raw'] }) => raw.map(({ data }) => data.of).sort()
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort()

  describe('utilization', () => {
    const days = (within: (day: DailyUtilization) => boolean = () => true) =>
      seeded.connections[0]!.vehicleDays.filter((day) => day.deletedAt === null && within(day))
    const vehicle = (at: number) => seeded.connections[0]!.vehicles[at]!.id

    test('is the sum of the days of each vehicle, and null for values without data', async () => {
      const { totalCount, nodes } = await utilization('')
      expect(totalCount).toBe(2)
      expect(nodes.map(({ raw: _, ...node }) => node)).toEqual([
        {
          vehicle: { id: vehicle(0) },
          startAt: '2026-01-28T00:00:00.000Z',
          endAt: '2026-02-01T00:00:00.000Z',
          distance: 700.75,
          fuelConsumed: 50.25,
          durations: { driving: 60 * MINUTE + 1, idling: 5 * MINUTE + 2 },
        },
        {
          vehicle: { id: vehicle(1) },
          startAt: '2026-01-29T00:00:00.000Z',
          endAt: '2026-01-30T00:00:00.000Z',
          distance: 0,
          fuelConsumed: null,
          durations: null,
        },
      ])
      expect(nodes.map(rawOf)).toEqual(
        [0, 1].map((at) => idsOf(days(({ vehicleId }) => vehicleId === vehicle(at)))),
      )
    })

    test.each([
      ['startDate: "2026-01-29"', 600.25, '2026-01-29', '2026-02-01'],
      ['endDate: "2026-01-29"', 300.5, '2026-01-28', '2026-01-30'],
      ['startDate: "2026-01-29", endDate: "2026-01-30"', 200, '2026-01-29', '2026-01-31'],
      ['startDate: "2026-01-31", endDate: "2026-01-31"', 400.25, '2026-01-31', '2026-02-01'],
      ['startDate: "2025-01-01", endDate: "2026-12-31"', 700.75, '2025-01-01', '2027-01-01'],
    ])('with %s includes both ends of the range', async (args, distance, from, to) => {
      const { nodes } = await utilization(`${args}, vehicleIds: ["${vehicle(0)}"]`)
      expect(nodes.map((node) => [node.distance, node.startAt, node.endAt])).toEqual([
        [distance, `${from}T00:00:00.000Z`, `${to}T00:00:00.000Z`],
      ])
    })

    test('since a time of change has a vehicle of which a day was removed', async () => {
      const [kept, changed] = [NOON - 5 * DAY, NOON]
      const own = await seedApplication(db, [
        (owner) => {
          const vehicles = [vehicleRow(owner), vehicleRow(owner)]
          const vehicleDays = vehicles.map(({ id }) =>
            vehicleDayRow(owner, { vehicleId: id, distance: 10, modifiedAt: kept }),
          )
          const removed = vehicleDayRow(owner, {
            vehicleId: vehicles[0]!.id,
            date: '2026-01-31',
            modifiedAt: changed,
            deletedAt: changed,
          })
          return { vehicles, vehicleDays: [...vehicleDays, removed] }
        },
      ])
      const since = `modifiedAfter: "${toIso(changed)}"`
      for (const client of [own.narrowed(0), own.client]) {
        const { totalCount, nodes } = await utilization(since, client)
        expect(nodes.map(({ vehicle: { id }, distance }) => [id, distance])).toEqual([
          [own.connections[0]!.vehicles[0]!.id, 10],
        ])
        expect(totalCount).toBe(1)
        expect((await utilization(`${since}, endDate: "2026-01-30"`, client)).nodes).toEqual([])
      }
    })

    test('includes the fuel of days whose distance is unknown, and leaves out vehicles without any distance', async () => {
      const own = await seedApplication(db, [
        (owner) => {
          const [known, unknown] = [vehicleRow(owner), vehicleRow(owner)]
          const day = (vehicleId: string, date: string, distance: number | null) =>
            vehicleDayRow(owner, { vehicleId, date, distance, fuelConsumed: 30 })
          const vehicleDays = [
            day(known.id, '2026-01-30', 412),
            day(known.id, '2026-01-31', null),
            day(unknown.id, '2026-01-30', null),
          ]
          return { vehicles: [known, unknown], vehicleDays }
        },
      ])
      const { totalCount, nodes } = await utilization('', own.narrowed(0))
      expect(nodes).toMatchObject([
        { vehicle: { id: own.connections[0]!.vehicles[0]!.id }, distance: 412, fuelConsumed: 60 },
      ])
      expect(totalCount).toBe(1)
    })

    test('has its distance in whole meters, its fuel in whole milliliters, its times in whole milliseconds', async () => {
      const own = await seedApplication(db, [
        (owner) => {
          const vehicle = vehicleRow(owner)
          const vehicleDays = Array.from({ length: 10 }, (_, at) =>
            vehicleDayRow(owner, {
              vehicleId: vehicle.id,
              date: `2026-01-1${at}`,
              distance: 0.1,
              fuelConsumed: 1.1 / 3.785411784,
              driving: 333,
              idling: 1,
            }),
          )
          return { vehicles: [vehicle], vehicleDays }
        },
      ])
      expect((await utilization('', own.narrowed(0))).nodes).toMatchObject([
        { distance: 1, fuelConsumed: 2.906, durations: { driving: 3330, idling: 10 } },
      ])
    })

    test('has sums and raw records of the range only', async () => {
      const [node] = (await utilization('startDate: "2026-01-29", endDate: "2026-01-31"')).nodes
      const within = days(({ vehicleId, date }) => vehicleId === vehicle(0) && date >= '2026-01-29')
      expect(rawOf(node!)).toEqual(idsOf(within))
      expect(node!.durations).toEqual({ driving: 1, idling: 5 * MINUTE + 2 })
    })

    test('is empty for a range without data', async () => {
      for (const args of ['startDate: "2026-02-01"', 'startDate: "2026-01-31", endDate: "2026-01-28"'])
        expect(await utilization(args)).toMatchObject({ totalCount: 0, nodes: [] })
    })

    test.each([
      ['modifiedAfter: "2026-01-31T12:00:00Z"', [0]],
      ['modifiedAfter: "2026-01-31T12:00:00.001Z"', []],
      ['modifiedBefore: "2026-01-31T12:00:00Z"', [0, 1]],
      ['modifiedAfter: "2026-01-27T00:00:00Z", modifiedBefore: "2026-01-31T12:00:00Z"', []],
      ['startDate: "2026-01-30", modifiedAfter: "2026-01-31T12:00:00Z"', [0]],
      ['endDate: "2026-01-29", modifiedAfter: "2026-01-31T12:00:00Z"', [0]],
    ])('with %s has the vehicles with a day that was modified then', async (args, vehicleIndexes) => {
      const { nodes, totalCount } = await utilization(args)
      expect(nodes.map((node) => node.vehicle.id)).toEqual(vehicleIndexes.map(vehicle))
      expect(totalCount).toBe(vehicleIndexes.length)
    })

    test('by modification time sums all days, not only the modified ones', async () => {
      const [node] = (await utilization('modifiedAfter: "2026-01-31T12:00:00Z"')).nodes
      expect(node!.distance).toBe(700.75)
      expect(rawOf(node!)).toHaveLength(3)
    })

    test('of an application covers all its connections', async () => {
      const { nodes, totalCount } = await utilization('', seeded.client)
      expect(totalCount).toBe(4)
      expect(nodes.map(({ distance }) => distance)).toEqual([700.75, 0, 700.75, 0])
    })

    test('has each vehicle once across pages', async () => {
      const whole = await utilization('', seeded.client)
      expect(await walked('first', (pageArgs) => utilization(pageArgs, seeded.client))).toEqual(whole.nodes)
      expect(await walked('last', (pageArgs) => utilization(pageArgs, seeded.client))).toEqual(whole.nodes)
    })
  })

  describe('distances by jurisdiction', () => {
    const YEARS = 'startMonth: "2025-01", endMonth: "2026-12"'
    const everyGrouping = orders(GROUPINGS).map((groupBy) => groupBy.join(', '))

    /** Computes the expected sums of the seeded rows. */
    function expected(
      groupBy: readonly Grouping[],
      client: ApiClient,
      within = (_: IftaVehicleMonth) => true,
    ) {
      const rows = seeded.connections
        .filter(({ connection }) => (client.connectionId ?? connection.id) === connection.id)
        .flatMap(({ iftaMonths }) => iftaMonths)
        .filter((row) => row.deletedAt === null && within(row))
      const keyOf = ({ vehicleId, jurisdiction, month }: IftaVehicleMonth) =>
        GROUPINGS.filter((grouping) => groupBy.includes(grouping))
          .map((grouping) => ({ VEHICLE: vehicleId, JURISDICTION: jurisdiction, MONTH: month })[grouping])
          .join('/')
      const groups = new Map<string, IftaVehicleMonth[]>()
      for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
      return [...groups]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, [first, ...rest]]) => ({
          vehicle: groupBy.includes('VEHICLE') ? { id: first!.vehicleId } : null,
          jurisdiction: groupBy.includes('JURISDICTION') ? first!.jurisdiction || null : null,
          month: groupBy.includes('MONTH') ? first!.month : null,
          distance: [first!, ...rest].reduce((sum, { distance }) => sum + distance, 0),
          raw: idsOf([first!, ...rest]),
        }))
    }

    const withRawIds = ({ nodes }: SumPage<Sum>) => nodes.map((node) => ({ ...node, raw: rawOf(node) }))

    test.each(everyGrouping)('by %s equal the sums of the rows', async (groupBy) => {
      for (const client of [seeded.narrowed(0), seeded.narrowed(1), seeded.client]) {
        const page = await ifta(`${YEARS}, groupBy: [${groupBy}]`, client)
        const sums = expected(groupBy.split(', ') as Grouping[], client)
        expect(withRawIds(page)).toEqual(sums)
        expect(page.totalCount).toBe(sums.length)
      }
    })

    test('are by vehicle and jurisdiction by default', async () => {
      expect(withRawIds(await ifta(YEARS))).toEqual(expected(['VEHICLE', 'JURISDICTION'], seeded.narrowed(0)))
    })

    test('ignore a repeated grouping', async () => {
      expect(await ifta(`${YEARS}, groupBy: [MONTH, MONTH]`)).toEqual(
        await ifta(`${YEARS}, groupBy: [MONTH]`),
      )
    })

    test.each([
      ['2025-12', '2026-01', ['2025-12', '2026-01']],
      ['2026-01', '2026-01', ['2026-01']],
      ['2026-02', '2026-12', ['2026-02']],
      ['2026-03', '2026-12', []],
      ['2026-02', '2025-11', []],
    ])('from %s to %s include both months', async (from, to, months) => {
      const range = `startMonth: "${from}", endMonth: "${to}"`
      const byMonth = await ifta(`${range}, groupBy: [MONTH]`)
      expect(byMonth.nodes.map(({ month }) => month)).toEqual(months)
      const within = ({ month }: IftaVehicleMonth) => months.includes(month)
      expect(withRawIds(await ifta(range))).toEqual(
        expected(['VEHICLE', 'JURISDICTION'], seeded.narrowed(0), within),
      )
    })

    test.each(everyGrouping)('by %s are in whole meters', async (groupBy) => {
      const own = await seedApplication(db, [
        (owner) => {
          const vehicle = vehicleRow(owner)
          const iftaMonths = ['01', '02', '03'].flatMap((at) =>
            ['TX', 'OK', 'ON'].map((jurisdiction) =>
              iftaMonthRow(owner, {
                vehicleId: vehicle.id,
                jurisdiction,
                month: `2026-${at}`,
                distance: 0.1,
              }),
            ),
          )
          return { vehicles: [vehicle], iftaMonths }
        },
      ])
      const { nodes } = await ifta(`${YEARS}, groupBy: [${groupBy}]`, own.narrowed(0))
      expect(nodes.map(({ distance }) => distance)).toEqual(nodes.map(() => 0.9 / nodes.length))
    })

    test('without a jurisdiction form a separate group', async () => {
      const { nodes } = await ifta(`${YEARS}, groupBy: [JURISDICTION]`)
      expect(nodes.map(({ jurisdiction }) => jurisdiction)).toEqual([null, 'OK', 'ON', 'TX'])
      expect(nodes.find(({ jurisdiction }) => jurisdiction === 'ON')!.distance).toBe(0)
    })

    test.each(everyGrouping)('by %s have each group once across pages', async (groupBy) => {
      const args = `${YEARS}, groupBy: [${groupBy}]`
      for (const client of [seeded.narrowed(0), seeded.client]) {
        const whole = await ifta(args, client)
        const read = (pageArgs: string) => ifta(`${args}, ${pageArgs}`, client)
        expect(await walked('first', read)).toEqual(whole.nodes)
        expect(await walked('last', read)).toEqual(whole.nodes)
      }
    })
  })
})

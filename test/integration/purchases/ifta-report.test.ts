import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { milesToKilometers, usGallonsToLiters } from '../../../src/domain/units.ts'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { OwnVehicleFacts } from '../../../src/subgraphs/fleet/vehicle-facts/vehicle-facts.ts'
import { FuelType, type Vehicle } from '../../../src/subgraphs/fleet/vehicle.ts'
import { FuelProduct } from '../../../src/subgraphs/purchases/fuel-product.ts'
import { PurchaseCheck } from '../../../src/subgraphs/purchases/purchase-check.ts'
import { PurchasePhase } from '../../../src/subgraphs/purchases/purchase-enums.ts'
import { reportIfta } from '../../../src/subgraphs/purchases/ifta-report/report-ifta.ts'
import { setPurchaseSite } from '../../../src/subgraphs/purchases/sites/set-sites.ts'
import { IftaVehicleMonth } from '../../../src/subgraphs/records/totals/ifta-summary.ts'
import { createVisibleReads } from '../../../src/subgraphs/tables/visible-reads.ts'
import {
  type ApiClient,
  asRow,
  callerOf,
  type ConnectionValues,
  dialects,
  groupRow,
  type Owner,
  seedApplication,
  temporaryDatabase,
  unknownId,
  vehicleRow,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { purchaseCheckRow } from '../../support/rows/purchase-rows.ts'
import { iftaMonthRow } from '../../support/rows/record-rows.ts'

const executor = createInProcessExecutor(supergraph)

const REPORT = documentOf(`query (
  $quarter: String!, $fuel: IftaFuel, $vehicleIds: [ID!], $groupIds: [ID!], $connectionIds: [ID!]
) {
  iftaReport(
    quarter: $quarter, fuel: $fuel, vehicleIds: $vehicleIds, groupIds: $groupIds, connectionIds: $connectionIds
  ) {
    quarter fuel isComplete metric { ...Return } us { ...Return } gaps { kind count distance liters text }
  }
}
fragment Return on IftaReturn {
  distancePerFuel distance bought used taxPaid net
  jurisdictions { jurisdiction isMember distance bought used net }
}`)

interface Report {
  readonly isComplete: boolean
  readonly metric: Return
  readonly us: Return
  readonly gaps: readonly Gap[]
}

interface Return {
  readonly distancePerFuel: number | null
  readonly distance: number
  readonly bought: number
  readonly jurisdictions: readonly {
    readonly jurisdiction: string | null
    readonly distance: number
    readonly bought: number
  }[]
}

interface Gap {
  readonly kind: string
  readonly count: number
  readonly distance: number | null
  readonly liters: number | null
}

const QUARTER = '2026-Q1'
const HOUR = 3_600_000
const FEBRUARY = Date.UTC(2026, 1, 10)
const DEFAULTS = { quarter: QUARTER, fuel: 'DIESEL' }

const merchantIn = (state: string | null, country = 'US', more: object = {}) => ({
  name: 'Far Stop',
  categoryCode: '5542',
  address: { state, country },
  ...more,
})

const lines = ({ jurisdictions }: Return) =>
  jurisdictions.map(({ jurisdiction, distance, bought }) => [jurisdiction, distance, bought])

const gapsOf = ({ gaps }: Report) =>
  gaps.map(({ kind, count, distance, liters }) => [kind, count, distance, liters])

describe.each(dialects)('the fuel tax report on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const send = (client: ApiClient, variables: object) =>
    ask(executor, contextFor, { client, document: REPORT, variables: { ...DEFAULTS, ...variables } })

  async function reportOf(client: ApiClient, variables: object = {}): Promise<Report> {
    const { data, errors } = await send(client, variables)
    expect(errors).toBeUndefined()
    return (data as { iftaReport: Report }).iftaReport
  }

  const store = (rows: {
    readonly months?: readonly IftaVehicleMonth[]
    readonly checks?: readonly PurchaseCheck[]
    readonly facts?: readonly OwnVehicleFacts[]
  }) =>
    db.inBackground().transaction(async (tx) => {
      await tx.insert(tableOf(IftaVehicleMonth), rows.months ?? [])
      await tx.insert(tableOf(PurchaseCheck), rows.checks ?? [])
      await tx.insert(tableOf(OwnVehicleFacts), rows.facts ?? [])
    })

  /** Seeds an application with connections that have vehicles with these values. */
  async function seed(
    vehicles: readonly Partial<Vehicle>[],
    connections: readonly ConnectionValues[] = [{}],
  ) {
    const application = await seedApplication(
      db,
      connections.map(() => (owner: Owner) => ({
        groups: [groupRow(owner)],
        vehicles: vehicles.map((values) => vehicleRow(owner, values)),
      })),
      connections,
    )
    const fleets = application.connections.map((seeded) => {
      const owner = { applicationId: application.id, connectionId: seeded.connection.id }
      const idAt = (at: number) => seeded.vehicles[at]!.id
      return {
        seeded,
        idAt,
        month: (at: number, values: Partial<IftaVehicleMonth>) =>
          iftaMonthRow(owner, { vehicleId: idAt(at), ...values }),
        capture: (at: number, values: Partial<PurchaseCheck>) =>
          purchaseCheckRow(owner, {
            vehicleId: idAt(at),
            phase: PurchasePhase.CAPTURE,
            purchasedAt: FEBRUARY,
            merchant: merchantIn('TX'),
            fuel: { product: FuelProduct.DIESEL, liters: 100 },
            ...values,
          }),
        facts: (at: number, values: Partial<OwnVehicleFacts>) =>
          asRow<OwnVehicleFacts>({
            ...owner,
            vehicleId: idAt(at) as OwnVehicleFacts['vehicleId'],
            fuelTankCapacity: null,
            fuelTankCount: null,
            fuelType: null,
            fuelConsumption: null,
            overrules: 0,
            modifiedAt: FEBRUARY,
            ...values,
          }),
      }
    })
    return { application, client: application.client, fleet: fleets[0]!, fleets }
  }

  const everyMonth = ['2026-01', '2026-02', '2026-03']
  const diesel = (liters: number) => ({ fuel: { product: FuelProduct.DIESEL, liters } })

  test('sums the months and the captures of a quarter by jurisdiction', async () => {
    const { client, fleet } = await seed([{}, { fuelType: FuelType.HYBRID_DIESEL }])
    await store({
      months: [
        ...everyMonth.map((month) => fleet.month(0, { month, distance: milesToKilometers(1914) })),
        ...everyMonth.map((month) => fleet.month(1, { month, jurisdiction: 'ON', distance: 1000 })),
        fleet.month(0, { month: '2025-12', distance: 5000 }),
        fleet.month(0, { month: '2026-04', distance: 5000 }),
        fleet.month(1, { month: '2026-02', jurisdiction: 'NY', distance: 700, deletedAt: FEBRUARY }),
      ],
      checks: [
        fleet.capture(0, diesel(usGallonsToLiters(1140))),
        fleet.capture(0, {
          fuel: { unitPrice: 2, product: FuelProduct.DIESEL },
          amount: { value: 400, currency: 'USD' },
        }),
        fleet.capture(1, { ...diesel(1000), merchant: merchantIn('Ontario', 'CA') }),
        fleet.capture(1, { ...diesel(1000), phase: PurchasePhase.AUTHORIZATION }),
      ],
    })
    expect(await reportOf(client)).toMatchObject({
      quarter: QUARTER,
      fuel: 'DIESEL',
      isComplete: true,
      gaps: [],
      metric: {
        distancePerFuel: 2.22,
        distance: 12_241,
        bought: 5515,
        jurisdictions: [
          { jurisdiction: 'ON', distance: 3000, bought: 1000, used: 1351, net: 351 },
          { jurisdiction: 'TX', distance: 9241, bought: 4515, used: 4163, net: -352 },
        ],
      },
      us: {
        distancePerFuel: 5.22,
        distance: 7606,
        bought: 1457,
        used: 1457,
        taxPaid: 1457,
        net: 0,
        jurisdictions: [
          { jurisdiction: 'ON', isMember: true, distance: 1864, bought: 264, used: 357, net: 93 },
          { jurisdiction: 'TX', isMember: true, distance: 5742, bought: 1193, used: 1100, net: -93 },
        ],
      },
    })
  })

  test('counts the captures of an authorization once', async () => {
    const { client, fleet } = await seed([{}])
    const authorization = fleet.capture(0, { phase: PurchasePhase.AUTHORIZATION })
    const captured = (values: Partial<PurchaseCheck>) =>
      fleet.capture(0, { authorizationCheckId: authorization.id, ...values })
    await store({
      months: everyMonth.map((month) => fleet.month(0, { month })),
      checks: [authorization, captured(diesel(40)), captured(diesel(20)), captured({ fuel: null })],
    })
    const report = await reportOf(client)
    expect([lines(report.metric), report.gaps]).toEqual([[['TX', 3602, 60]], []])
  })

  test('is of one fuel: of vehicles that use it, and of captures of it', async () => {
    const { client, fleet } = await seed([
      {},
      { fuelType: FuelType.GASOLINE },
      { fuelType: FuelType.ELECTRIC },
    ])
    const bought = (at: number, product: FuelProduct, liters: number) =>
      fleet.capture(at, { fuel: { product, liters } })
    await store({
      months: everyMonth.flatMap((month) =>
        [0, 1, 2].map((at) => fleet.month(at, { month, distance: 100 * 3 ** at })),
      ),
      checks: [
        bought(0, FuelProduct.DIESEL, 100),
        bought(0, FuelProduct.DYED_DIESEL, 70),
        bought(0, FuelProduct.DEF, 10),
        bought(0, FuelProduct.OTHER, 5),
        bought(1, FuelProduct.GASOLINE, 200),
        bought(2, FuelProduct.ELECTRICITY, 50),
      ],
    })
    const ofFuel = async (fuel: string) => {
      const report = await reportOf(client, { fuel })
      return [lines(report.metric), report.gaps]
    }
    expect(await ofFuel('DIESEL')).toEqual([[['TX', 300, 100]], []])
    expect(await ofFuel('GASOLINE')).toEqual([[['TX', 900, 200]], []])
    expect(await ofFuel('PROPANE')).toEqual([[], []])
  })

  test("takes the application's own fuel type where it applies", async () => {
    const { client, fleet } = await seed([{}, { fuelType: null }, {}])
    await store({
      months: everyMonth.flatMap((month) =>
        [0, 1, 2].map((at) => fleet.month(at, { month, distance: 10 * 3 ** at })),
      ),
      facts: [
        fleet.facts(0, { fuelType: FuelType.GASOLINE, overrules: 1 }),
        fleet.facts(1, { fuelType: FuelType.GASOLINE }),
        fleet.facts(2, { fuelType: FuelType.GASOLINE }),
      ],
    })
    expect(lines((await reportOf(client, { fuel: 'GASOLINE' })).metric)).toEqual([['TX', 120, 0]])
    expect(lines((await reportOf(client)).metric)).toEqual([['TX', 270, 0]])
  })

  test("has the state of the caller's site, of coordinates, or of an address, as the rule JURISDICTION", async () => {
    const { client, fleet } = await seed([{}])
    const point = (longitude: number, latitude: number) => ({ coordinates: { longitude, latitude } })
    const site = (siteId: string, values: object) =>
      setPurchaseSite({ db, clock: { now: () => FEBRUARY } }, callerOf(client), {
        siteId,
        name: siteId,
        ...point(-97.5, 35.5),
        ...values,
      })
    await site('yard', { state: 'TX', country: 'US' })
    await site('Love 322', { ...point(-98, 38), postalCode: '67501', country: 'US' })
    const bought = (liters: number, merchant: ReturnType<typeof merchantIn>) =>
      fleet.capture(0, { ...diesel(liters), merchant })
    const atPostalCode = (postalCode: string, state: string | null = null, country = 'US') => ({
      address: { state, country, postalCode },
    })
    await store({
      months: everyMonth.map((month) => fleet.month(0, { month, jurisdiction: 'OK' })),
      checks: [
        bought(1, merchantIn('tx')),
        bought(2, merchantIn('Québec', 'CA')),
        bought(4, merchantIn('NL', 'MX')),
        bought(8, merchantIn('Bavaria')),
        bought(16, merchantIn(null, 'US', { siteId: 'yard' })),
        bought(32, merchantIn('AL', 'US', { siteId: 'yard', ...point(-87, 33) })),
        bought(64, merchantIn('AL', 'US', { siteId: 'unknown' })),
        bought(128, merchantIn(null, 'US', { name: 'LOVE #322', ...atPostalCode('67501-1234') })),
        bought(256, { ...merchantIn(null), address: null as never }),
        bought(512, merchantIn(null, 'US', atPostalCode('79936'))),
        bought(1024, merchantIn(null, 'US', atPostalCode('79936', 'AL'))),
        bought(2048, merchantIn('AL', 'US', point(-79.4, 43.7))),
        bought(4096, merchantIn('TX', 'US', point(-100.3, 25.7))),
      ],
    })
    const report = await reportOf(client)
    expect(lines(report.metric)).toEqual([
      ['AL', 0, 64],
      ['KS', 0, 128],
      ['OK', 3602, 48],
      ['ON', 0, 2048],
      ['QC', 0, 2],
      ['TX', 0, 513],
      [null, 0, 5388],
    ])
    expect(gapsOf(report)).toEqual([['FUEL_WITHOUT_JURISDICTION', 5, null, 5388]])
  })

  test('shows what it lacks, or cannot assign', async () => {
    const { client, fleet } = await seed([{}, { fuelType: null }, { fuelType: FuelType.GASOLINE }, {}, {}])
    await store({
      months: [
        ...everyMonth.map((month) => fleet.month(0, { month, distance: 100 })),
        fleet.month(0, { month: '2026-01', jurisdiction: '', distance: 10.5 }),
        ...everyMonth.map((month) => fleet.month(1, { month, distance: 200 })),
        fleet.month(1, { month: '2026-01', jurisdiction: 'NM', distance: 50.25 }),
        ...everyMonth.map((month) => fleet.month(2, { month, distance: 900 })),
        fleet.month(3, { month: '2026-03', distance: 1 }),
      ],
      checks: [
        fleet.capture(0, diesel(30)),
        fleet.capture(0, { ...diesel(5), merchant: merchantIn(null) }),
        fleet.capture(1, diesel(7)),
        fleet.capture(2, diesel(11)),
        fleet.capture(0, { fuel: null }),
        fleet.capture(0, { fuel: { product: FuelProduct.DIESEL }, merchant: merchantIn('NM') }),
        fleet.capture(0, { fuel: { liters: 13 } }),
        fleet.capture(1, { fuel: { liters: 17 } }),
        fleet.capture(2, { fuel: { liters: 19 } }),
        fleet.capture(4, { ...diesel(23), purchasedAt: Date.UTC(2026, 2, 1) }),
      ],
    })
    const report = await reportOf(client)
    expect(lines(report.metric)).toEqual([
      ['TX', 301, 53],
      [null, 11, 5],
    ])
    expect(gapsOf(report)).toEqual([
      ['DISTANCE_WITHOUT_JURISDICTION', 1, 10.5, null],
      ['DISTANCE_WITHOUT_FUEL_TYPE', 1, 650.25, null],
      ['DISTANCE_WITHOUT_FUEL', 1, 1, null],
      ['FUEL_WITHOUT_JURISDICTION', 1, null, 5],
      ['FUEL_WITHOUT_FUEL_TYPE', 1, null, 7],
      ['FUEL_OF_OTHER_VEHICLES', 1, null, 11],
      ['CAPTURES_WITHOUT_LITERS', 2, null, null],
      ['CAPTURES_WITHOUT_PRODUCT', 2, null, 30],
      ['MONTHS_WITHOUT_DISTANCE', 5, null, null],
    ])
    for (const gap of report.gaps) expect(gap).toMatchObject({ text: expect.stringMatching(/\.$/) })
  })

  test('shows the distance of vehicles without fuel of the report', async () => {
    const { client, fleet } = await seed([{}, {}, {}, { fuelType: FuelType.GASOLINE }, {}])
    await store({
      months: everyMonth.flatMap((month) =>
        [0, 1, 2, 3, 4].map((at) => fleet.month(at, { month, distance: 10 ** at })),
      ),
      checks: [
        fleet.capture(0, diesel(30)),
        fleet.capture(1, { ...diesel(30), phase: PurchasePhase.AUTHORIZATION }),
        fleet.capture(1, { ...diesel(30), purchasedAt: Date.UTC(2026, 3, 1) }),
        fleet.capture(2, { fuel: { product: FuelProduct.DEF, liters: 10 } }),
      ],
    })
    await db.transaction((tx) =>
      tx.run('UPDATE `vehicles` SET `deletedAt` = ? WHERE `id` = ?', [FEBRUARY, fleet.idAt(4)]),
    )
    expect(gapsOf(await reportOf(client))).toEqual([['DISTANCE_WITHOUT_FUEL', 3, 30_330, null]])
  })

  test('has the purchases of the quarter in the time zone of their fleet', async () => {
    const { client, fleets } = await seed(
      [{}],
      [{ timeZone: 'America/Chicago' }, { timeZone: null }, { timeZone: 'Not/AZone' }],
    )
    const start = Date.UTC(2026, 0, 1)
    const end = Date.UTC(2026, 3, 1)
    const inChicago = [start + 6 * HOUR - 1, start + 6 * HOUR, end + 5 * HOUR - 1, end + 5 * HOUR]
    const inUtc = [start - 1, start, end - 1, end]
    await store({
      checks: fleets.flatMap((fleet, at) =>
        (at === 0 ? inChicago : inUtc).map((purchasedAt, index) =>
          fleet.capture(0, { ...diesel(10 ** index), purchasedAt }),
        ),
      ),
    })
    for (const { seeded } of fleets) {
      const { metric } = await reportOf(client, { connectionIds: [seeded.connection.id] })
      expect(metric.bought).toBe(110)
    }
    expect((await reportOf(client)).metric.bought).toBe(330)
  })

  test('does not count the purchases of another quarter of the fleet as fuel', async () => {
    const { client, fleet } = await seed([{}, {}], [{ timeZone: 'America/Chicago' }])
    const midnight = Date.UTC(2026, 0, 1) + 6 * HOUR
    await store({
      months: [0, 1].flatMap((at) => everyMonth.map((month) => fleet.month(at, { month, distance: 10 }))),
      checks: [midnight - 1, midnight].map((purchasedAt, at) =>
        fleet.capture(at, { ...diesel(30), purchasedAt }),
      ),
    })
    expect(gapsOf(await reportOf(client))).toEqual([['DISTANCE_WITHOUT_FUEL', 1, 30, null]])
  })

  test('is complete when the quarter is over for the fleet, and lacks only months that are over', async () => {
    const { client, fleet } = await seed([{}], [{ timeZone: 'America/Chicago' }])
    await store({ checks: [fleet.capture(0, { purchasedAt: Date.UTC(2026, 0, 10) })] })
    const caller = callerOf(client)
    const at = async (iso: string) => {
      const { isComplete, gaps } = await reportIfta(
        { db, clock: { now: () => Date.parse(iso) } },
        { caller, visible: createVisibleReads(db, caller) },
        { quarter: QUARTER, fuel: FuelProduct.DIESEL },
        null,
      )
      return [isComplete, gaps.map(({ count }) => count)]
    }
    expect(await at('2026-01-31T23:59:59Z')).toEqual([false, []])
    expect(await at('2026-02-15T00:00:00Z')).toEqual([false, [1]])
    expect(await at('2026-04-01T04:59:59Z')).toEqual([false, [3]])
    expect(await at('2026-04-01T05:00:00Z')).toEqual([true, [3]])
  })

  test('of a quarter in the future is empty', async () => {
    const { client } = await seed([{}])
    expect(await reportOf(client, { quarter: '2099-Q4' })).toMatchObject({
      isComplete: false,
      gaps: [],
      us: { distancePerFuel: null, distance: 0, used: null, net: null, jurisdictions: [] },
    })
  })

  test('leaves out what is hidden, belongs to others, or was not requested', async () => {
    const { application, client, fleets } = await seed([{}, {}, {}], [{}, {}])
    const other = await seed([{}])
    await store({
      months: [...fleets, other.fleet].flatMap((fleet, at) =>
        fleet.seeded.vehicles.map((_, vehicle) =>
          fleet.month(vehicle, { distance: 10 ** vehicle * (at + 1) }),
        ),
      ),
      checks: [...fleets, other.fleet].flatMap((fleet, at) =>
        fleet.seeded.vehicles.map((_, vehicle) => fleet.capture(vehicle, diesel(10 ** vehicle * (at + 1)))),
      ),
    })
    const sums = async (asked: ApiClient, variables = {}) => {
      const { metric, gaps } = await reportOf(asked, variables)
      return [metric.distance, metric.bought, gaps.map(({ count }) => count)]
    }
    const [first, second] = fleets as [(typeof fleets)[number], (typeof fleets)[number]]
    expect(await sums(client)).toEqual([333, 333, [12]])
    expect(await sums(application.narrowed(1))).toEqual([222, 222, [6]])
    expect(await sums(client, { connectionIds: [first.seeded.connection.id] })).toEqual([111, 111, [6]])
    expect(await sums(client, { connectionIds: [other.fleet.seeded.connection.id] })).toEqual([0, 0, []])
    expect(await sums(client, { vehicleIds: [first.idAt(0), second.idAt(1), other.fleet.idAt(0)] })).toEqual([
      21,
      21,
      [4],
    ])
    expect(await sums(client, { vehicleIds: [] })).toEqual([0, 0, []])
    await setFilters(db, first.seeded, { vehicles: { excludeIds: [first.idAt(2)] } })
    expect(await sums(client)).toEqual([233, 233, [10]])
    await setFilters(db, first.seeded, { vehicles: { status: 'inactive' } })
    expect(await sums(client)).toEqual([222, 222, [6]])
  })

  test('is of the vehicles of groups', async () => {
    const { client, fleet } = await seed([{}, {}, {}])
    const groupId = fleet.seeded.groups[0]!.id
    await db.transaction((tx) =>
      tx.run('UPDATE `vehicles` SET `groupIds` = ? WHERE `id` = ?', [
        JSON.stringify([groupId]),
        fleet.idAt(1),
      ]),
    )
    await store({
      months: [0, 1, 2].map((at) => fleet.month(at, { distance: 10 ** at })),
      checks: [0, 1, 2].map((at) => fleet.capture(at, diesel(10 ** at))),
    })
    const sums = async (groupIds: readonly string[]) => {
      const { metric } = await reportOf(client, { groupIds })
      return [metric.distance, metric.bought]
    }
    expect(await sums([groupId])).toEqual([10, 10])
    expect(await sums([groupId, unknownId('group')])).toEqual([10, 10])
    expect(await sums([])).toEqual([0, 0])
  })

  test.each([1, 60])('makes seven statements for %i vehicles', async (count) => {
    const { client, fleet } = await seed(Array.from({ length: count }, () => ({})))
    await store({
      months: fleet.seeded.vehicles.map((_, at) => fleet.month(at, {})),
      checks: fleet.seeded.vehicles.map((_, at) =>
        fleet.capture(at, { merchant: merchantIn(null, 'US', { siteId: `site-${at}` }) }),
      ),
    })
    const statements: string[] = []
    const stop = db.onStatement((sql) => void statements.push(sql))
    await reportOf(client)
    stop()
    expect(statements).toHaveLength(7)
  })

  test('sums more captures than one statement reads', async () => {
    const { client, fleet } = await seed([{}])
    await store({
      checks: Array.from({ length: 4_500 }, (_, at) =>
        fleet.capture(0, { ...diesel(0.1), purchasedAt: FEBRUARY + (at < 2_200 ? 0 : at) }),
      ),
    })
    expect((await reportOf(client)).metric.bought).toBe(450)
  })

  test.each<[string, object, RegExp]>([
    ['a month', { quarter: '2026-07' }, /`quarter` must be a quarter, such as 2026-Q3/],
    ['a fifth quarter', { quarter: '2026-Q5' }, /`quarter`/],
    ['an empty quarter', { quarter: '' }, /`quarter`/],
    ['the id of a driver', { vehicleIds: [unknownId('driver')] }, /`vehicleIds`/],
    ['the id of a vehicle as a group', { groupIds: [unknownId('vehicle')] }, /`groupIds`/],
    ['the id of a vehicle as a connection', { connectionIds: [unknownId('vehicle')] }, /`connectionIds`/],
  ])('refuses %s', async (_, variables, message) => {
    const { client } = await seed([{}])
    const { data, errors } = await send(client, variables)
    expect([data, errors]).toMatchObject([
      { iftaReport: null },
      [{ message: expect.stringMatching(message), extensions: { code: 'BAD_USER_INPUT' } }],
    ])
  })
})

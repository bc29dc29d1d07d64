import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import { FuelType } from '../../../src/subgraphs/fleet/vehicle.ts'
import {
  type ApiClient,
  dialects,
  latestLocationRow,
  type RecordsOf,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  unknownId,
  vehicleRow,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { sessionOver } from '../../support/rows/session-rows.ts'

const executor = createInProcessExecutor(supergraph)

const FACTS = 'fuelTankCapacity fuelTankCount fuelType fuelConsumption overrules'
const SET = `mutation ($input: SetVehicleFactsInput!) { setVehicleFacts(input: $input) {
  vehicle { id fuelType fuelTankCapacity ownFacts { ${FACTS} modifiedAt } } } }`

/** All facts that a caller can set. */
const ALL = {
  fuelTankCapacity: 757.1,
  fuelTankCount: 2,
  fuelType: 'DIESEL',
  fuelConsumption: 34.5,
  overrules: true,
}

/** A gasoline truck of 400 l whose tank is a quarter full, and one of which the provider knows neither. */
const fleet: RecordsOf = (owner) => {
  const vehicles = [
    vehicleRow(owner, { fuelType: FuelType.GASOLINE, fuelTankCapacity: 400 }),
    vehicleRow(owner, { fuelType: null, fuelTankCapacity: null }),
  ]
  const locatedAt = Date.now()
  return {
    vehicles,
    latestLocations: vehicles.map(({ id }) =>
      latestLocationRow(owner, {
        vehicleId: id,
        locatedAt,
        modifiedAt: locatedAt,
        fuelPrimaryPercentage: 25,
        fuelSecondaryPercentage: null,
      }),
    ),
  }
}

describe.each(dialects)('facts of an application about a vehicle on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let application: SeededApplication
  let known: string
  let bare: string

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
  })
  beforeEach(async () => {
    application = await seedApplication(db, [fleet, fleet])
    const [first, second] = application.connections[0]!.vehicles
    known = first!.id
    bare = second!.id
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const request = (text: string, variables: object = {}, client: ApiClient = application.client) =>
    ask(executor, contextFor, { client, document: documentOf(text), variables: { ...variables } })

  async function answer<T>(text: string, variables: object = {}, client?: ApiClient): Promise<T> {
    const { data, errors } = await request(text, variables, client)
    expect(errors).toBeUndefined()
    return data as T
  }

  async function set(input: object, client?: ApiClient) {
    const { setVehicleFacts } = await answer<{ setVehicleFacts: { vehicle: Record<string, unknown> } }>(
      SET,
      { input },
      client,
    )
    return setVehicleFacts.vehicle
  }

  const refusal = async (input: object, client?: ApiClient) => {
    const { errors } = await request(SET, { input }, client)
    return errors?.[0]
  }

  const stored = () =>
    db.rows<{ vehicleId: string }>('SELECT * FROM `vehicle_facts` WHERE `applicationId` = ?', [
      application.id,
    ])

  const audited = () =>
    db.rows<{ targetId: string; detail: string }>(
      "SELECT `targetId`, `detail` FROM `audit_log` WHERE `applicationId` = ? AND `action` = 'vehicle_facts.set' ORDER BY `id`",
      [application.id],
    )

  test('are shown with those of the provider, replaced as a whole and removed', async () => {
    expect(await set({ vehicleId: known, ...ALL })).toEqual({
      id: known,
      fuelType: 'GASOLINE',
      fuelTankCapacity: 400,
      ownFacts: { ...ALL, modifiedAt: expect.any(String) },
    })
    expect(await set({ vehicleId: known, fuelTankCount: 3 })).toMatchObject({
      ownFacts: {
        fuelTankCapacity: null,
        fuelTankCount: 3,
        fuelType: null,
        fuelConsumption: null,
        overrules: false,
      },
    })
    const read = `{ vehicle(id: "${known}") { ownFacts { fuelTankCount } } other: vehicle(id: "${bare}") { ownFacts { fuelTankCount } } }`
    expect(await answer(read)).toEqual({
      vehicle: { ownFacts: { fuelTankCount: 3 } },
      other: { ownFacts: null },
    })
    expect(await set({ vehicleId: known, fuelTankCount: null })).toMatchObject({ ownFacts: null })
    expect(await stored()).toEqual([])
    expect((await audited()).map(({ targetId, detail }) => [targetId, JSON.parse(detail)])).toEqual([
      [
        known,
        {
          members: ['fuelTankCapacity', 'fuelTankCount', 'fuelType', 'fuelConsumption'],
          overrules: true,
        },
      ],
      [known, { members: ['fuelTankCount'], overrules: false }],
      [known, { members: [], overrules: false }],
    ])
  })

  test('are those of the last change, also of several in one operation', async () => {
    const one = (alias: string, capacity: number) =>
      `${alias}: setVehicleFacts(input: { vehicleId: "${known}", fuelTankCapacity: ${capacity} }) { vehicle { ownFacts { fuelTankCapacity } } }`
    expect(await answer(`mutation { ${one('a', 100)} ${one('b', 200)} }`)).toEqual({
      a: { vehicle: { ownFacts: { fuelTankCapacity: 100 } } },
      b: { vehicle: { ownFacts: { fuelTankCapacity: 200 } } },
    })
    const capacities = Array.from({ length: 8 }, (_, at) => at + 1)
    await Promise.all(capacities.map((fuelTankCapacity) => set({ vehicleId: known, fuelTankCapacity })))
    expect(await stored()).toHaveLength(1)
    expect(await audited()).toHaveLength(10)
  })

  test.each<[string, object]>([
    ['fuelTankCapacity', { fuelTankCapacity: 0 }],
    ['fuelTankCapacity', { fuelTankCapacity: -5 }],
    ['fuelTankCapacity', { fuelTankCapacity: 10_000.1 }],
    ['fuelTankCount', { fuelTankCount: 0 }],
    ['fuelTankCount', { fuelTankCount: 11 }],
    ['fuelConsumption', { fuelConsumption: 0 }],
    ['fuelConsumption', { fuelConsumption: 1001 }],
    ['vehicleId', { vehicleId: unknownId('driver'), fuelTankCapacity: 400 }],
    ['vehicleId', { vehicleId: 'truck-1', fuelTankCapacity: 400 }],
  ])('with a wrong %s are refused, and nothing is written', async (member, input) => {
    await set({ vehicleId: known, fuelTankCapacity: 500 })
    const before = await stored()
    expect(await refusal({ vehicleId: known, fuelTankCount: 2, ...input })).toMatchObject({
      extensions: { code: 'BAD_USER_INPUT', detail: [{ path: `input.${member}` }] },
    })
    expect(await stored()).toEqual(before)
    expect(await audited()).toHaveLength(1)
  })

  test.each([{ fuelTankCount: 1.5 }, { fuelType: 'WATER' }, { fuelTankCapacity: 'much' }, { color: 'red' }])(
    'with %j are refused by the schema',
    async (input) => {
      expect(await refusal({ vehicleId: known, ...input })).toMatchObject({
        extensions: { code: 'BAD_USER_INPUT' },
      })
      expect(await stored()).toEqual([])
    },
  )

  test('are only for visible vehicles of the caller, and only its own', async () => {
    const others = await seedApplication(db, [fleet])
    const noSuchVehicle = { message: 'There is no such vehicle.', extensions: { code: 'NOT_FOUND' } }
    const input = { vehicleId: known, fuelTankCapacity: 500 }
    expect(await refusal(input, others.client)).toMatchObject(noSuchVehicle)
    expect(await refusal(input, application.narrowed(1))).toMatchObject(noSuchVehicle)
    expect(await refusal({ ...input, vehicleId: unknownId('vehicle') })).toMatchObject(noSuchVehicle)
    await setFilters(db, application.connections[0]!, { vehicles: { excludeIds: [known] } })
    expect(await refusal(input)).toMatchObject(noSuchVehicle)
    await setFilters(db, application.connections[0]!, null)
    await db.transaction((tx) =>
      tx.run("UPDATE `connections` SET `status` = 'deleting' WHERE `id` = ?", [
        application.connections[0]!.connection.id,
      ]),
    )
    expect(await refusal(input)).toMatchObject(noSuchVehicle)
    expect([await stored(), await audited()]).toEqual([[], []])
    const mine = application.connections[1]!.vehicles[0]!.id
    await set({ vehicleId: mine, ...ALL }, application.narrowed(1))
    const nodes = '{ vehicles { nodes { ownFacts { fuelTankCount } } } }'
    expect(JSON.stringify(await answer(nodes, {}, others.client))).not.toContain('2')
    expect(JSON.stringify(await answer(nodes, {}, application.narrowed(0)))).not.toContain('2')
    expect(JSON.stringify(await answer(nodes, {}, application.narrowed(1)))).toContain('2')
  })

  test('are set by secret keys, and read by sessions too', async () => {
    await set({ vehicleId: known, ...ALL })
    const session = sessionOver(application, null)
    expect(await refusal({ vehicleId: known, fuelTankCount: 1 }, session)).toMatchObject({
      extensions: { code: 'FORBIDDEN' },
    })
    expect(await answer(`{ vehicle(id: "${known}") { ownFacts { fuelTankCount } } }`, {}, session)).toEqual({
      vehicle: { ownFacts: { fuelTankCount: 2 } },
    })
  })

  interface Check {
    readonly reasons: readonly { readonly rule: string; readonly outcome: string; readonly limit: number }[]
    readonly evidence: Readonly<Record<string, unknown>>
  }

  /** Checks a purchase of 350 l of diesel, as if it were the first one. */
  async function check(vehicleId: string) {
    await db.transaction((tx) =>
      tx.run('DELETE FROM `purchase_checks` WHERE `applicationId` = ?', [application.id]),
    )
    const { checkPurchase } = await answer<{ checkPurchase: { check: Check } }>(
      `mutation ($input: CheckPurchaseInput!) { checkPurchase(input: $input) { check {
        reasons { rule outcome limit } evidence { capacityLiters capacitySource } } } }`,
      {
        input: {
          idempotencyKey: newId('event'),
          vehicleId,
          merchant: { name: 'Lone Star Fuel', categoryCode: '5542' },
          amount: { value: 350, currency: 'USD' },
          fuel: { product: 'DIESEL', liters: 350 },
        },
      },
    )
    const { evidence, reasons } = checkPurchase.check
    const outcome = (name: string) => reasons.find(({ rule }) => rule === name)?.outcome
    return { ...evidence, tankFits: outcome('TANK_FITS'), productMatches: outcome('PRODUCT_MATCHES') }
  }

  test('are used by purchase checks where the provider has none', async () => {
    expect(await check(bare)).toEqual({
      capacityLiters: null,
      capacitySource: null,
      tankFits: 'UNKNOWN',
      productMatches: 'UNKNOWN',
    })
    await set({ vehicleId: bare, fuelTankCapacity: 600, fuelType: 'DIESEL' })
    expect(await check(bare)).toEqual({
      capacityLiters: 600,
      capacitySource: 'OWN',
      tankFits: 'PASS',
      productMatches: 'PASS',
    })
    await set({ vehicleId: bare, fuelTankCapacity: 400, fuelType: 'ELECTRIC' })
    expect(await check(bare)).toMatchObject({ tankFits: 'FAIL', productMatches: 'FAIL' })
  })

  test('come before those of the provider only if they overrule them', async () => {
    const provider = {
      capacityLiters: 400,
      capacitySource: 'PROVIDER',
      tankFits: 'FAIL',
      productMatches: 'FAIL',
    }
    const own = { fuelTankCapacity: 600, fuelType: 'DIESEL' }
    expect(await check(known)).toEqual(provider)
    await set({ vehicleId: known, ...own })
    expect(await check(known)).toEqual(provider)
    await set({ vehicleId: known, ...own, overrules: true })
    expect(await check(known)).toEqual({
      capacityLiters: 600,
      capacitySource: 'OWN',
      tankFits: 'PASS',
      productMatches: 'PASS',
    })
    await set({ vehicleId: known, fuelType: 'DIESEL', overrules: true })
    expect(await check(known)).toEqual({ ...provider, productMatches: 'PASS' })
  })

  test('leave checks of earlier versions readable, which have no source of the capacity', async () => {
    await check(known)
    await db.transaction((tx) =>
      tx.run(
        'UPDATE `purchase_checks` SET `evidence` = REPLACE(`evidence`, ?, ?) WHERE `applicationId` = ?',
        ['"capacitySource":"provider",', '', application.id],
      ),
    )
    const [{ evidence } = { evidence: '' }] = await db.rows<{ evidence: string }>(
      'SELECT `evidence` FROM `purchase_checks` WHERE `applicationId` = ?',
      [application.id],
    )
    expect(evidence).not.toContain('capacitySource')
    expect(
      await answer('{ purchaseChecks { nodes { evidence { capacityLiters capacitySource } } } }'),
    ).toEqual({ purchaseChecks: { nodes: [{ evidence: { capacityLiters: 400, capacitySource: null } }] } })
  })

  test('add no statement to a purchase check, and one to a page of vehicles', async () => {
    await set({ vehicleId: known, ...ALL })
    await set({ vehicleId: bare, ...ALL })
    const statementsOf = async (work: () => Promise<unknown>) => {
      const statements: string[] = []
      const stop = db.onStatement((sql) => void statements.push(sql))
      await work()
      stop()
      return statements.filter((sql) => sql.startsWith('SELECT'))
    }
    const read = await statementsOf(() => check(known))
    expect(read.filter((sql) => sql.includes('vehicle_facts'))).toHaveLength(1)
    expect(read.length).toBeLessThanOrEqual(7)
    const page = (fields: string) => () => answer(`{ vehicles { nodes { id ${fields} } } }`)
    const plain = await statementsOf(page(''))
    const withFacts = await statementsOf(page('ownFacts { fuelTankCapacity }'))
    expect(withFacts.length - plain.length).toBe(1)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import {
  type ApiClient,
  dialects,
  driverRow,
  latestLocationRow,
  type RecordsOf,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  vehicleRow,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { setFilters } from '../../support/graph/set-filters.ts'

const executor = createInProcessExecutor(supergraph)

const ASSIGN = documentOf(`mutation ($input: AssignCardInput!) {
  assignCard(input: $input) { card { cardId vehicle { id } driver { id } connection { id } assignedAt } }
}`)
const LIST = documentOf(
  'query ($vehicleIds: [ID!]) { purchaseCards(vehicleIds: $vehicleIds) { totalCount nodes { cardId vehicle { id } driver { id } } } }',
)
const CHECK = documentOf(`mutation ($input: CheckPurchaseInput!) {
  checkPurchase(input: $input) { recorded replayed check { id decision vehicle { id } driver { id } cardId } }
}`)

const HOUR = 3_600_000

/** Two vehicles. The first driver drove the first one, and drives the second one now. */
const fleet: RecordsOf = (owner) => {
  const vehicles = [vehicleRow(owner, {}), vehicleRow(owner, {})]
  const drivers = [driverRow(owner), driverRow(owner)]
  const now = Date.now()
  return {
    vehicles,
    drivers,
    latestLocations: vehicles.map(({ id }, at) =>
      latestLocationRow(owner, {
        vehicleId: id,
        driverId: drivers[0]!.id,
        locatedAt: now - (2 - at) * HOUR,
        modifiedAt: now,
      }),
    ),
  }
}

describe.each(dialects)('a fuel card on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let application: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  async function newFleet() {
    application = await seedApplication(db, [fleet, fleet])
    const [own, other] = application.connections
    return {
      vehicles: own!.vehicles.map(({ id }) => id) as [string, string],
      drivers: own!.drivers.map(({ id }) => id) as [string, string],
      other: other!,
      own: own!,
    }
  }

  const send = (
    document: typeof ASSIGN,
    variables: Readonly<Record<string, unknown>>,
    {
      client = application.client,
      contexts = contextFor,
    }: { client?: ApiClient; contexts?: ContextFor } = {},
  ) => ask(executor, contexts, { client, document, variables })

  const codeOf = async (...request: Parameters<typeof send>) =>
    (await send(...request)).errors?.[0]?.extensions?.['code']

  const assign = async (input: object) => {
    const { data, errors } = await send(ASSIGN, { input })
    expect(errors).toBeUndefined()
    return (data as { assignCard: { card: object | null } }).assignCard.card
  }

  const purchase = (values: object) => ({
    input: {
      idempotencyKey: newId('event'),
      merchant: { name: 'Lone Star Fuel', categoryCode: '5542' },
      amount: { value: 1, currency: 'USD' },
      ...values,
    },
  })

  const check = async (variables: Parameters<typeof send>[1], options?: Parameters<typeof send>[2]) => {
    const { data, errors } = await send(CHECK, variables, options)
    expect(errors).toBeUndefined()
    return (data as { checkPurchase: { check: { id: string }; replayed: boolean } }).checkPurchase
  }

  const list = async (variables: Parameters<typeof send>[1] = {}) => {
    const { data, errors } = await send(LIST, variables)
    expect(errors).toBeUndefined()
    return (data as { purchaseCards: { totalCount: number; nodes: object[] } }).purchaseCards
  }

  test('of a vehicle, a driver or both gives a purchase its vehicle and driver', async () => {
    const { vehicles, drivers, own } = await newFleet()
    const [first, second] = vehicles
    const card = await assign({ cardId: 'of-vehicle', vehicleId: first })
    const connection = { id: own.connection.id }
    expect(card).toMatchObject({ cardId: 'of-vehicle', vehicle: { id: first }, driver: null, connection })
    await assign({ cardId: 'of-driver', driverId: drivers[0] })
    await assign({ cardId: 'of-both', vehicleId: first, driverId: drivers[1] })
    const checked = async (cardId: string, values: object = {}) =>
      (await check(purchase({ cardId, ...values }))).check
    expect(await checked('of-vehicle')).toMatchObject({ vehicle: { id: first }, driver: null })
    expect(await checked('of-driver')).toMatchObject({ vehicle: { id: second }, driver: { id: drivers[0] } })
    expect(await checked('of-both')).toMatchObject({ vehicle: { id: first }, driver: { id: drivers[1] } })
    expect(await checked('of-both', { vehicleId: second, driverId: drivers[0] })).toMatchObject({
      vehicle: { id: second },
      driver: { id: drivers[0] },
    })
    expect(await list()).toMatchObject({ totalCount: 3 })
    expect(await list({ vehicleIds: [first] })).toMatchObject({
      nodes: [{ cardId: 'of-vehicle' }, { cardId: 'of-both' }],
    })
  })

  test('of a driver shows no vehicle of a time before', async () => {
    const { drivers } = await newFleet()
    await assign({ cardId: 'card', driverId: drivers[0] })
    const at = new Date(Date.now() - 2 * HOUR).toISOString()
    expect(await codeOf(CHECK, purchase({ cardId: 'card', at }))).toBe('NOT_FOUND')
    await db.transaction((tx) =>
      tx.run('UPDATE `latest_vehicle_locations` SET `locatedAt` = ? WHERE `driverId` = ?', [
        Date.now() - 13 * HOUR,
        drivers[0],
      ]),
    )
    expect(await codeOf(CHECK, purchase({ cardId: 'card' }))).toBe('NOT_FOUND')
  })

  test('is assigned again, and no longer', async () => {
    const { vehicles } = await newFleet()
    const [first, second] = vehicles
    await assign({ cardId: 'card', vehicleId: first })
    await assign({ cardId: 'Card', vehicleId: first })
    await assign({ cardId: 'card', vehicleId: second })
    expect((await list()).nodes).toMatchObject([
      { cardId: 'Card', vehicle: { id: first } },
      { cardId: 'card', vehicle: { id: second } },
    ])
    const repeated = purchase({ cardId: 'card' })
    const { check: made } = await check(repeated)
    const UNASSIGN = documentOf(
      'mutation ($input: UnassignCardInput!) { unassignCard(input: $input) { cardId } }',
    )
    for (let times = 0; times < 2; times++)
      expect((await send(UNASSIGN, { input: { cardId: 'card' } })).data).toEqual({
        unassignCard: { cardId: 'card' },
      })
    expect(await codeOf(CHECK, purchase({ cardId: 'card' }))).toBe('NOT_FOUND')
    expect(await check(repeated)).toMatchObject({
      replayed: true,
      check: { id: made.id, vehicle: { id: second } },
    })
    expect((await list()).nodes).toHaveLength(1)
  })

  test('is not assigned with a wrong input', async () => {
    const { vehicles, drivers, other } = await newFleet()
    const [vehicleId] = vehicles
    const foreign = await seedApplication(db, [fleet])
    for (const [input, code] of [
      [{ cardId: 'card' }, 'BAD_USER_INPUT'],
      [{ cardId: '', vehicleId }, 'BAD_USER_INPUT'],
      [{ cardId: 'x'.repeat(256), vehicleId }, 'BAD_USER_INPUT'],
      [{ cardId: '4111 1111 1111 1111', vehicleId }, 'BAD_USER_INPUT'],
      [{ cardId: 'card', vehicleId: drivers[0] }, 'BAD_USER_INPUT'],
      [{ cardId: 'card', vehicleId, driverId: other.drivers[0]!.id }, 'BAD_USER_INPUT'],
      [{ cardId: 'card', vehicleId: newId('vehicle') }, 'NOT_FOUND'],
      [{ cardId: 'card', vehicleId: foreign.connections[0]!.vehicles[0]!.id }, 'NOT_FOUND'],
      [{ cardId: 'card', driverId: foreign.connections[0]!.drivers[0]!.id }, 'NOT_FOUND'],
    ] as const)
      expect([input, await codeOf(ASSIGN, { input })]).toEqual([input, code])
    expect(await list()).toMatchObject({ totalCount: 0 })
    expect(await codeOf(CHECK, purchase({}))).toBe('BAD_USER_INPUT')
  })

  test('of another connection or application is unknown', async () => {
    const { vehicles } = await newFleet()
    const client = application.narrowed(1)
    await assign({ cardId: 'card', vehicleId: vehicles[0] })
    expect(await codeOf(CHECK, purchase({ cardId: 'card' }), { client })).toBe('NOT_FOUND')
    const foreign = await seedApplication(db, [fleet])
    expect(await codeOf(CHECK, purchase({ cardId: 'card' }), { client: foreign.client })).toBe('NOT_FOUND')
    expect(await codeOf(ASSIGN, { input: { cardId: 'card', vehicleId: vehicles[0] } }, { client })).toBe(
      'FORBIDDEN',
    )
  })

  test('of a driver does not show a hidden vehicle or driver', async () => {
    const { drivers, vehicles, own } = await newFleet()
    await assign({ cardId: 'card', driverId: drivers[0] })
    await assign({ cardId: 'idle', driverId: drivers[1] })
    expect(await codeOf(CHECK, purchase({ cardId: 'idle' }))).toBe('NOT_FOUND')
    await setFilters(db, own, { vehicles: { excludeIds: vehicles } })
    expect(await codeOf(CHECK, purchase({ cardId: 'card' }))).toBe('NOT_FOUND')
    expect(await codeOf(ASSIGN, { input: { cardId: 'new', vehicleId: vehicles[0] } })).toBe('NOT_FOUND')
    await setFilters(db, own, { drivers: { excludeIds: [drivers[0]] } })
    expect(await codeOf(CHECK, purchase({ cardId: 'card' }))).toBe('NOT_FOUND')
    expect(await codeOf(ASSIGN, { input: { cardId: 'new', driverId: drivers[0] } })).toBe('NOT_FOUND')
    expect((await list()).nodes).toMatchObject([{ cardId: 'card', driver: null }, { cardId: 'idle' }])
  })

  test.each([
    ['does not answer', { rows: () => new Promise<never>(() => undefined) }],
    ['fails', { rows: () => Promise.reject(new Error('connect ECONNREFUSED')) }],
  ])('has a purchase that is UNKNOWN if the database %s', async (_, broken) => {
    await newFleet()
    const contexts = contextsOver({ ...db, ...broken }, undefined, undefined, 100)
    const answer = await check(purchase({ cardId: 'card' }), { contexts })
    expect(answer).toMatchObject({
      recorded: false,
      check: { decision: 'UNKNOWN', vehicle: null, cardId: 'card' },
    })
  })
})

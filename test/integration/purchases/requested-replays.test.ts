import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import { FuelProduct } from '../../../src/subgraphs/purchases/fuel-product.ts'
import { PurchaseDecision } from '../../../src/subgraphs/purchases/policy/decide.ts'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { PurchaseCheck } from '../../../src/subgraphs/purchases/purchase-check.ts'
import { PurchasePhase } from '../../../src/subgraphs/purchases/purchase-enums.ts'
import { runRequestedReplays } from '../../../src/subgraphs/purchases/replays/run-requested-replays.ts'
import {
  type ApiClient,
  dialects,
  locationRow,
  MINUTE,
  NOON,
  type Owner,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  vehicleRow,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { purchaseCheckRow } from '../../support/rows/purchase-rows.ts'
import { statRow } from '../../support/rows/record-rows.ts'

const executor = createInProcessExecutor(supergraph)

const REQUEST = documentOf(`mutation ($input: ReplayPurchasesInput!) {
  replayPurchases(input: $input) { replay { id total done endedAt summary { checks } } }
}`)
const REPLAY = documentOf(`query ($id: ID!) {
  purchaseReplay(id: $id) {
    total done purchasedAfter purchasedBefore createdAt endedAt rules { rule action maxDistanceMeters }
    summary {
      checks withoutVehicle withAssumedReceipt days
      decisions { phase stage current { approve decline confirm unknown } tried { approve decline } }
      rules { rule current { fail unknown } tried { fail } }
    }
  }
}`)
const REPLAYS = documentOf('{ purchaseReplays { totalCount nodes { id } } }')

const AUSTIN = { longitude: -97.7, latitude: 30.3 }
const DALLAS = { longitude: -96.8, latitude: 32.8 }
const PERIOD = {
  purchasedAfter: new Date(NOON).toISOString(),
  purchasedBefore: new Date(NOON + 60 * MINUTE).toISOString(),
}

/** Returns the records of a truck in Austin, with a purchase there, one in Dallas, and a large capture. */
function records(owner: Owner) {
  const truck = vehicleRow(owner, { fuelTankCapacity: 400 })
  const check = (minute: number, values: Partial<PurchaseCheck>) =>
    purchaseCheckRow(owner, {
      vehicleId: truck.id,
      driverId: null,
      cardId: null,
      purchasedAt: NOON + minute * MINUTE,
      checkedAt: NOON + minute * MINUTE,
      phase: PurchasePhase.AUTHORIZATION,
      authorizationCheckId: null,
      merchant: { name: 'Lone Star Fuel', categoryCode: '5542', coordinates: AUSTIN },
      fuel: null,
      ...values,
    })
  const fuel = { liters: 300, product: FuelProduct.DIESEL }
  return {
    vehicles: [truck],
    track: [0, 20, 40].map((minute) => {
      const at = NOON + (minute - 1) * MINUTE
      return locationRow(owner, { vehicleId: truck.id, speed: 0, ...AUSTIN, locatedAt: at, modifiedAt: at })
    }),
    statLogs: [
      statRow(owner, {
        vehicleId: truck.id,
        type: 'fuel_level',
        timestamp: NOON - 35 * MINUTE,
        value: 50,
        modifiedAt: NOON - 35 * MINUTE,
      }),
    ],
    purchaseChecks: [
      check(-1, {}),
      check(0, {}),
      check(20, {
        decision: PurchaseDecision.DECLINE,
        merchant: { name: 'Big D Fuel', categoryCode: '5542', coordinates: DALLAS },
      }),
      check(21, { phase: PurchasePhase.CAPTURE, fuel }),
      check(40, {}),
      check(60, {}),
    ],
  }
}

const MANY = 450

/** Returns the records of a truck with a purchase each second. */
function manyRecords(owner: Owner) {
  const truck = vehicleRow(owner)
  return {
    vehicles: [truck],
    purchaseChecks: Array.from({ length: MANY }, (_, second) => {
      const at = NOON + second * 1000
      return purchaseCheckRow(owner, { vehicleId: truck.id, purchasedAt: at, checkedAt: at })
    }),
  }
}

describe.each(dialects)('a requested replay on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const asked = (client: ApiClient, document: typeof REQUEST, variables: Record<string, unknown> = {}) =>
    ask(executor, contextFor, { client, document, variables })

  const request = (client: ApiClient, input: Record<string, unknown> = PERIOD) =>
    asked(client, REQUEST, { input })

  const run = (signal = new AbortController().signal) =>
    runRequestedReplays({ db, clock: { now: () => Date.now() } }, signal)

  async function requested({ client }: SeededApplication, input?: Record<string, unknown>): Promise<string> {
    const { data, errors } = await request(client, input)
    expect(errors).toBeUndefined()
    return (data as { replayPurchases: { replay: { id: string } } }).replayPurchases.replay.id
  }

  const replayOf = async ({ client }: SeededApplication, id: string) =>
    ((await asked(client, REPLAY, { id })).data as { purchaseReplay: unknown }).purchaseReplay

  test('decides on the checks of its period, with other rules too', async () => {
    const application = await seedApplication(db, [records])
    const id = await requested(application, {
      ...PERIOD,
      rules: [{ rule: 'NEAR_MERCHANT', maxDistanceMeters: 1_000_000 }],
    })
    expect(await replayOf(application, id)).toMatchObject({ total: 4, done: 0, endedAt: null, summary: null })
    await run()
    const replay = await replayOf(application, id)
    expect(replay).toMatchObject({
      total: 4,
      done: 4,
      ...PERIOD,
      endedAt: expect.any(String),
      rules: [{ rule: 'NEAR_MERCHANT', maxDistanceMeters: 1_000_000 }],
      summary: { checks: 4, withoutVehicle: 0, withAssumedReceipt: 0, days: 1 },
    })
    const { summary } = replay as { summary: { decisions: object[]; rules: object[] } }
    expect(summary.decisions).toContainEqual({
      phase: 'AUTHORIZATION',
      stage: 'V1',
      current: { approve: 2, decline: 1, confirm: 0, unknown: 0 },
      // Two purchases are still too far apart.
      tried: { approve: 2, decline: 1 },
    })
    expect(summary.decisions).toContainEqual({
      phase: 'CAPTURE',
      stage: 'V2',
      current: { approve: 0, decline: 1, confirm: 0, unknown: 0 },
      tried: { approve: 0, decline: 1 },
    })
    expect(summary.rules).toContainEqual({
      rule: 'NEAR_MERCHANT',
      current: { fail: 1, unknown: 0 },
      tried: { fail: 0 },
    })
  })

  test('continues after it was stopped, and changes no check', async () => {
    const application = await seedApplication(db, [records])
    const before = await db.rows('SELECT * FROM `purchase_checks` ORDER BY `id`')
    const id = await requested(application)
    await expect(run(AbortSignal.abort())).rejects.toThrow()
    expect(await replayOf(application, id)).toMatchObject({ endedAt: null })
    await run()
    expect(await replayOf(application, id)).toMatchObject({ done: 4, endedAt: expect.any(String) })
    expect(await db.rows('SELECT * FROM `purchase_checks` ORDER BY `id`')).toEqual(before)
    await run()
    const [stored] = await db.rows<{ count: number }>(
      'SELECT COUNT(*) AS `count` FROM `replayed_purchases` WHERE `replayId` = ?',
      [id],
    )
    expect(Number(stored!.count)).toBe(4)
  })

  test('replays each check once if it is stopped, and checks are deleted and stored meanwhile', async () => {
    const application = await seedApplication(db, [manyRecords])
    const { purchaseChecks } = application.connections[0]!
    const id = await requested(application)
    const stop = new AbortController()
    const remove = db.onStatement((sql) => {
      if (sql.startsWith('UPDATE `purchase_replays` SET `done`')) stop.abort()
    })
    await expect(run(stop.signal)).rejects.toThrow()
    remove()
    expect(await replayOf(application, id)).toMatchObject({ done: 200, endedAt: null })
    const [owner, vehicleId] = [
      { applicationId: application.id, connectionId: application.connections[0]!.connection.id },
      application.connections[0]!.vehicles[0]!.id,
    ]
    const late = { vehicleId, purchasedAt: NOON + 1, checkedAt: NOON + 1 }
    await db.transaction(async (tx) => {
      for (const check of purchaseChecks.slice(0, 100))
        await tx.run('DELETE FROM `purchase_checks` WHERE `id` = ?', [check.id])
      await tx.insert(tableOf(PurchaseCheck), [purchaseCheckRow(owner, late)])
    })
    await run()
    expect(await replayOf(application, id)).toMatchObject({
      done: MANY,
      endedAt: expect.any(String),
      summary: { checks: MANY, withoutVehicle: 0 },
    })
    const rows = await db.rows<{ checkId: string }>(
      'SELECT `checkId` FROM `replayed_purchases` WHERE `replayId` = ? ORDER BY `id`',
      [id],
    )
    expect(rows.map(({ checkId }) => checkId)).toEqual(purchaseChecks.map((check) => check.id))
  })

  test('leaves out the checks of hidden vehicles', async () => {
    const application = await seedApplication(db, [records])
    const [connection] = application.connections
    await setFilters(db, connection!, { vehicles: { excludeIds: [connection!.vehicles[0]!.id] } })
    const id = await requested(application)
    await run()
    expect(await replayOf(application, id)).toMatchObject({ total: 0, summary: { checks: 0 } })
  })

  test('is only for a secret key of the application', async () => {
    const [application, other] = [await seedApplication(db, [records]), await seedApplication(db, [records])]
    const id = await requested(application)
    expect(await replayOf(other, id)).toBeNull()
    expect((await asked(other.client, REPLAYS)).data).toEqual({
      purchaseReplays: { totalCount: 0, nodes: [] },
    })
    expect((await asked(application.client, REPLAYS)).data).toEqual({
      purchaseReplays: { totalCount: 1, nodes: [{ id }] },
    })
    for (const answer of [
      await request(application.narrowed(0)),
      await asked(application.narrowed(0), REPLAY, { id }),
      await asked(application.narrowed(0), REPLAYS),
    ])
      expect(answer.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
    await run()
  })

  test.each([
    ['an empty period', { purchasedAfter: PERIOD.purchasedBefore, purchasedBefore: PERIOD.purchasedAfter }],
    ['a period of more than 92 days', { ...PERIOD, purchasedAfter: '2025-06-01T00:00:00Z' }],
    ['a limit of another rule', { ...PERIOD, rules: [{ rule: 'STANDING', maxPurchases: 3 }] }],
    ['a rule twice', { ...PERIOD, rules: [{ rule: 'STANDING' }, { rule: 'STANDING' }] }],
  ])('refuses %s', async (_, input) => {
    const application = await seedApplication(db, [records])
    const { errors } = await request(application.client, input)
    const detail = [{ path: expect.stringMatching(/^input\./) }]
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', detail } }])
    expect((await asked(application.client, REPLAYS)).data).toMatchObject({
      purchaseReplays: { totalCount: 0 },
    })
  })

  test('is refused while five have not ended', async () => {
    const application = await seedApplication(db, [records])
    const answers = await Promise.all(Array.from({ length: 8 }, () => request(application.client)))
    const refused = answers.flatMap(({ errors = [] }) => errors)
    expect(refused).toHaveLength(3)
    expect(refused[0]).toMatchObject({
      message: '5 replays have not ended.',
      extensions: { code: 'CONFLICT' },
    })
    await run()
    await requested(application)
  })
})

import { decodeTime } from 'ulid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/storage/database.ts'
import { FuelProduct } from '../../../src/subgraphs/purchases/fuel-product.ts'
import { PurchaseDecision } from '../../../src/subgraphs/purchases/policy/decide.ts'
import { PurchaseStage } from '../../../src/subgraphs/purchases/policy/policy.ts'
import type { PurchaseRuleSettingsInput } from '../../../src/subgraphs/purchases/policy/set-policy-input.ts'
import { PurchasePhase } from '../../../src/subgraphs/purchases/purchase-enums.ts'
import type { PastPurchase } from '../../../src/subgraphs/purchases/replays/past-purchase.ts'
import type { ReplayResult } from '../../../src/subgraphs/purchases/replays/purchase-replay.ts'
import { batchesOf, runReplay } from '../../../src/subgraphs/purchases/replays/run-replay.ts'
import { startReplay } from '../../../src/subgraphs/purchases/replays/start-replay.ts'
import { replayedPurchases } from '../../../src/subgraphs/purchases/replays/summarize-replay.ts'
import { removeExpiredRows } from '../../../src/sync/retention/remove-expired-rows.ts'
import {
  callerOf,
  DAY,
  dialects,
  latestLocationRow,
  locationRow,
  MINUTE,
  NOON,
  type Owner,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  vehicleRow,
} from '../../support/factories.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { statRow } from '../../support/rows/record-rows.ts'

const { APPROVE, DECLINE, UNKNOWN } = PurchaseDecision
const AUSTIN = { longitude: -97.7, latitude: 30.3 }
const DALLAS = { longitude: -96.8, latitude: 32.8 }
const CONNECTED_AT = NOON - 20 * DAY
const AFTERWARDS = NOON + 30 * DAY
const clock = { now: () => AFTERWARDS }
const PURCHASES_OF_TWO_BATCHES = 450

type Point = Partial<ReturnType<typeof locationRow>>

/** Returns the records of a truck in Austin with a tank of 400 l. */
const truckWith =
  (points: readonly Point[], levels: readonly { at: number; percent: number; receivedAt?: number }[] = []) =>
  (owner: Owner) => {
    const truck = vehicleRow(owner, { fuelTankCapacity: 400 })
    return {
      vehicles: [truck],
      track: points.map((point) =>
        locationRow(owner, { vehicleId: truck.id, speed: 0, ...AUSTIN, ...point }),
      ),
      statLogs: levels.map(({ at, percent, receivedAt = at }) =>
        statRow(owner, {
          vehicleId: truck.id,
          type: 'fuel_level',
          timestamp: at,
          value: percent,
          modifiedAt: receivedAt,
        }),
      ),
    }
  }

const liveAt = (at: number): Point => ({ locatedAt: at, modifiedAt: at + MINUTE / 2 })

const vehicleOf = ({ connections }: SeededApplication): string => connections[0]!.vehicles[0]!.id

const purchaseOf = (vehicleId: string, values: Partial<PastPurchase> = {}): PastPurchase => ({
  vehicleId,
  driverId: null,
  cardId: null,
  purchasedAt: NOON,
  phase: PurchasePhase.CAPTURE,
  merchant: { name: 'Lone Star Fuel', categoryCode: '5542', coordinates: AUSTIN },
  amount: { value: 300, currency: 'USD' },
  fuel: null,
  ...values,
})

describe.each(dialects)('a replay on %s', (dialect) => {
  let db: Database & AsyncDisposable

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const start = (application: SeededApplication, purchases: readonly PastPurchase[], rules = NO_RULES) =>
    startReplay({ db, clock }, callerOf(application.client), inputsOf(purchases), rules)

  async function run(
    application: SeededApplication,
    purchases: readonly PastPurchase[],
    { rules = NO_RULES, onProgress = () => undefined }: RunOptions = {},
  ) {
    const replay = await start(application, purchases, rules)
    return runReplay(
      { db, clock, onProgress },
      callerOf(application.client),
      replay,
      batchesOf(inputsOf(purchases)),
    )
  }

  async function resultsOf(application: SeededApplication, replayId: string): Promise<ReplayResult[]> {
    const rows = []
    for await (const { result } of replayedPurchases(db, { id: replayId, applicationId: application.id }))
      rows.push(result)
    return rows
  }

  async function resultOf(
    application: SeededApplication,
    values: Partial<PastPurchase>,
    options?: RunOptions,
  ) {
    const { id } = await run(application, [purchaseOf(vehicleOf(application), values)], options)
    return (await resultsOf(application, id))[0]!
  }

  test('decides with the position that had been received', async () => {
    const application = await seedApplication(db, [truckWith([liveAt(NOON - MINUTE)])])
    const near = await resultOf(application, {})
    expect(near).toMatchObject({ current: { v1: APPROVE }, tried: { v1: APPROVE }, isReceiptAssumed: false })
    const far = await resultOf(application, { merchant: merchantAt(DALLAS) })
    expect(far).toMatchObject({ current: { v1: DECLINE }, tried: { v1: DECLINE } })
    expect(far.findings).toMatchObject([{ rule: 'near_merchant', outcome: 'fail' }])
  })

  test('gets no help from data that was received later', async () => {
    const late = { receivedAt: NOON + MINUTE }
    const application = await seedApplication(db, [
      truckWith(
        [
          liveAt(NOON - 3 * 60 * MINUTE),
          { ...DALLAS, locatedAt: NOON - MINUTE, modifiedAt: late.receivedAt },
          { ...DALLAS, locatedAt: NOON + MINUTE, modifiedAt: NOON + MINUTE },
        ],
        [
          { at: NOON - 50 * MINUTE, percent: 20 },
          { at: NOON - 40 * MINUTE, percent: 95, ...late },
        ],
      ),
    ])
    const result = await resultOf(application, {
      phase: PurchasePhase.AUTHORIZATION,
      fuel: { liters: 300, product: FuelProduct.DIESEL },
    })
    expect(result.current).toMatchObject({ v1: UNKNOWN, v2: UNKNOWN })
    expect(result.findings).toMatchObject([
      { rule: 'fresh_position', measured: 3 * 3600 },
      { rule: 'standing' },
    ])
  })

  test('looks for no position of more than a day before', async () => {
    const application = await seedApplication(db, [truckWith([liveAt(NOON - DAY - 1)])])
    const result = await resultOf(application, { merchant: merchantAt(DALLAS) })
    expect(result).toMatchObject({ current: { v1: UNKNOWN } })
    expect(result.findings).toContainEqual(
      expect.objectContaining({ rule: 'near_merchant', text: 'The position of the vehicle is unknown.' }),
    )
  })

  test('assumes the usual delay for data from before the connection', async () => {
    const [before, after] = [CONNECTED_AT - DAY, CONNECTED_AT + DAY]
    const live = Array.from({ length: 20 }, (_, minute) => ({
      locatedAt: after + minute * MINUTE,
      modifiedAt: after + minute * MINUTE + 2 * MINUTE,
    }))
    const application = await seedApplication(db, [
      truckWith([{ ...DALLAS, locatedAt: before, modifiedAt: CONNECTED_AT }, ...live]),
    ])
    const early = await resultOf(application, { purchasedAt: before + MINUTE })
    expect(early).toMatchObject({ current: { v1: UNKNOWN }, isReceiptAssumed: false })
    const later = await resultOf(application, { purchasedAt: before + 2 * MINUTE })
    expect(later).toMatchObject({ current: { v1: DECLINE }, isReceiptAssumed: true })
  })

  test('assumes nothing for a purchase after the connection', async () => {
    const before = { ...DALLAS, locatedAt: CONNECTED_AT - 3 * MINUTE, modifiedAt: CONNECTED_AT + DAY }
    const application = await seedApplication(db, [truckWith([before])])
    const result = await resultOf(application, { purchasedAt: CONNECTED_AT + 4 * MINUTE })
    expect(result).toMatchObject({ current: { v1: UNKNOWN }, isReceiptAssumed: false })
  })

  test('knows other purchases from the time at which they were checked', async () => {
    const application = await seedApplication(db, [truckWith([liveAt(NOON - MINUTE)])])
    const here = purchaseOf(vehicleOf(application), { purchasedAt: NOON + MINUTE })
    const far = { ...here, purchasedAt: NOON, merchant: merchantAt(DALLAS) }
    const decisionAfter = async (checkedAt: number) => {
      const { id } = await run(application, [{ ...far, checkedAt }, here])
      return (await resultsOf(application, id))[1]!.current.v1
    }
    expect(await decisionAfter(NOON)).toBe(DECLINE)
    expect(await decisionAfter(NOON + DAY)).toBe(APPROVE)
  })

  test('compares other limits with those that apply', async () => {
    const application = await seedApplication(db, [truckWith([liveAt(NOON - MINUTE)])])
    const far = purchaseOf(vehicleOf(application), { merchant: merchantAt(DALLAS) })
    const { id, summary } = await run(application, [far], {
      rules: [{ rule: 'near_merchant', maxDistanceMeters: 1_000_000 }],
    })
    expect(await resultsOf(application, id)).toMatchObject([
      { current: { v1: DECLINE }, tried: { v1: APPROVE }, findings: [] },
    ])
    expect(summary).toMatchObject({ checks: 1, days: 1, withoutVehicle: 0, withAssumedReceipt: 0 })
    expect(summary?.decisions).toContainEqual({
      phase: PurchasePhase.CAPTURE,
      stage: PurchaseStage.V1,
      current: { approve: 0, confirm: 0, decline: 1, unknown: 0 },
      tried: { approve: 1, confirm: 0, decline: 0, unknown: 0 },
    })
    expect(summary?.rules).toContainEqual({
      rule: 'near_merchant',
      current: { fail: 1, unknown: 0 },
      tried: { fail: 0, unknown: 0 },
    })
  })

  test('compares purchases with the earlier ones of the vehicle and the card', async () => {
    const application = await seedApplication(db, [
      truckWith(
        [liveAt(NOON - MINUTE), liveAt(NOON + 4 * MINUTE)],
        [{ at: NOON - 40 * MINUTE, percent: 50 }],
      ),
    ])
    const fuel = { liters: 150, product: FuelProduct.DIESEL }
    const first = purchaseOf(vehicleOf(application), { fuel })
    const { id } = await run(application, [first, { ...first, purchasedAt: NOON + 5 * MINUTE }])
    const results = await resultsOf(application, id)
    expect(results.map(({ current }) => current.v2)).toEqual([APPROVE, DECLINE])
    expect(results[1]!.findings).toMatchObject([{ rule: 'tank_fits', measured: 300 }])
  })

  test('goes on after an interruption, and ends with the same results', async () => {
    const application = await seedApplication(db, [truckWith([liveAt(NOON - MINUTE)])])
    const purchases = Array.from({ length: PURCHASES_OF_TWO_BATCHES }, (_, number) =>
      purchaseOf(vehicleOf(application), {
        purchasedAt: NOON + number * MINUTE,
        merchant: merchantAt(number % 7 === 0 ? DALLAS : AUSTIN),
      }),
    )
    const whole = await run(application, purchases)
    const interrupt = () => {
      throw new Error('interrupted')
    }
    await expect(run(application, purchases, { onProgress: interrupt })).rejects.toThrow('interrupted')
    const progress: number[] = []
    const resumed = await run(application, purchases, { onProgress: (done) => progress.push(done) })
    expect(progress).toEqual([400, 450])
    expect(resumed.id).not.toBe(whole.id)
    expect(await resultsOf(application, resumed.id)).toEqual(await resultsOf(application, whole.id))
  })

  test('stores no result twice if two processes run it', async () => {
    const application = await seedApplication(db, [truckWith([liveAt(NOON - MINUTE)])])
    const purchases = Array.from({ length: 40 }, (_, number) =>
      purchaseOf(vehicleOf(application), { purchasedAt: NOON + number * MINUTE }),
    )
    const replay = await start(application, purchases)
    const runs = await Promise.allSettled(
      [1, 2].map(() =>
        runReplay(
          { db, clock, onProgress: () => undefined },
          callerOf(application.client),
          replay,
          batchesOf(inputsOf(purchases)),
        ),
      ),
    )
    expect(runs.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await resultsOf(application, replay.id)).toHaveLength(40)
  })

  test('knows nothing of the vehicles of others, and of hidden ones', async () => {
    const records = truckWith([liveAt(NOON - MINUTE)])
    const [application, other] = [await seedApplication(db, [records]), await seedApplication(db, [records])]
    const replay = await run(application, [purchaseOf(vehicleOf(other))])
    expect(await resultsOf(application, replay.id)).toEqual([])
    expect(replay.summary).toMatchObject({ checks: 0, withoutVehicle: 1 })
    await setFilters(db, application.connections[0]!, { vehicles: { excludeIds: [vehicleOf(application)] } })
    const hidden = await resultOf(application, { purchasedAt: NOON + 1 })
    expect(hidden.current).toMatchObject({ v1: UNKNOWN, v2: UNKNOWN })
  })

  test('needs two statements for a purchase', async () => {
    const application = await seedApplication(db, [
      (owner) => {
        const { vehicles, ...rest } = truckWith([liveAt(NOON - MINUTE)])(owner)
        return {
          vehicles,
          ...rest,
          latestLocations: [latestLocationRow(owner, { vehicleId: vehicles[0]!.id })],
        }
      },
    ])
    const statementsFor = async (count: number) => {
      const statements: string[] = []
      const stop = db.onStatement((sql) => statements.push(sql))
      await run(
        application,
        Array.from({ length: count }, (_, number) =>
          purchaseOf(vehicleOf(application), { purchasedAt: NOON + number * MINUTE }),
        ),
      )
      stop()
      return statements.length
    }
    expect((await statementsFor(60)) - (await statementsFor(50))).toBe(20)
  })

  test('is deleted after a month', async () => {
    const application = await seedApplication(db, [truckWith([liveAt(NOON - MINUTE)])])
    const { id } = await run(application, [purchaseOf(vehicleOf(application))])
    const retentionAt = (now: number) =>
      removeExpiredRows(
        {
          db,
          clock: { now: () => now },
          eventRetentionDays: 30,
          requestLogDays: 7,
          purchaseRetentionDays: 2555,
        },
        new AbortController().signal,
      )
    // The time of an id is that of the last one if its own is earlier.
    const createdAt = decodeTime(id.slice('prpl_'.length))
    await retentionAt(createdAt + 29 * DAY)
    expect(await resultsOf(application, id)).toHaveLength(1)
    await retentionAt(createdAt + 31 * DAY)
    expect(await resultsOf(application, id)).toEqual([])
  })
})

interface RunOptions {
  readonly rules?: readonly PurchaseRuleSettingsInput[]
  readonly onProgress?: (done: number) => void
}

const NO_RULES: readonly PurchaseRuleSettingsInput[] = []

const merchantAt = (coordinates: typeof AUSTIN) => ({
  name: 'Lone Star Fuel',
  categoryCode: '5542',
  coordinates,
})

const inputsOf = (purchases: readonly PastPurchase[]) =>
  purchases.map((purchase, index) => ({ line: index + 2, checkId: null, purchase }))

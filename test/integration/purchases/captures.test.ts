import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { newId } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { FuelType, VehicleStatus } from '../../../src/subgraphs/fleet/vehicle.ts'
import { PurchasePhase } from '../../../src/subgraphs/purchases/purchase-enums.ts'
import { reconcilePurchases } from '../../../src/subgraphs/purchases/reconciliation/reconcile-purchases.ts'
import {
  type ApiClient,
  dialects,
  locationRow,
  type RecordsOf,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  vehicleRow,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { purchaseCheckRow } from '../../support/rows/purchase-rows.ts'
import { statRow } from '../../support/rows/record-rows.ts'
import { registry } from '../../../src/providers/registry.ts'

const executor = createInProcessExecutor(supergraph)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const FIELDS = `{
  id phase cardId authorizationId purchasedAt authorization { id } vehicle { id } fuel { liters }
  reconciliation { reconciledAt reasons { rule outcome measured limit unit text } }
}`
const AUTHORIZE = documentOf(
  `mutation ($input: CheckPurchaseInput!) { checkPurchase(input: $input) { recorded check ${FIELDS} } }`,
)
const CAPTURE = documentOf(
  `mutation ($input: CaptureForCheckInput!) { captureForCheck(input: $input) { recorded replayed check ${FIELDS} } }`,
)
const READ = documentOf(`query ($id: ID!) { purchaseCheck(id: $id) ${FIELDS} }`)
const OF_AUTHORIZATION = documentOf(
  `query ($id: String) { purchaseChecks(authorizationId: $id) { nodes { id phase } } }`,
)

const PUMP = { longitude: -97.7431, latitude: 30.2672 }
const ROAD = { longitude: -97.5, latitude: 30.5 }
/** The purchase happened this long ago. */
const AGO = 30 * HOUR

/** Percent of fuel and place of the truck, by the minutes since the purchase. */
type Course = (minutes: number) => Reading | null

interface Reading {
  readonly percent: number
  readonly at: typeof PUMP
  /** Counter of the time for which the engine has run. Absent if the tracker does not report it. */
  readonly runningMinutes?: number
}

/** The truck fills 250 of its 400 liters, drives for two hours, and stands until the next day. */
const honest = (minutes: number): Reading => {
  if (minutes < 5) return { percent: 25, at: PUMP }
  if (minutes < 60) return { percent: 87.5, at: PUMP }
  if (minutes < 180)
    return { percent: 87.5 - (minutes - 60) / 12, at: { ...ROAD, latitude: 30.5 + minutes / 100 } }
  return { percent: 77.5, at: ROAD }
}

const courses = {
  honest,
  elsewhere: (minutes) => ({ ...honest(minutes), percent: Math.min(honest(minutes).percent, 45) }),
  siphoned: (minutes) => ({
    ...honest(minutes),
    percent: honest(minutes).percent - (minutes > 600 ? 30 : 0),
  }),
  stuck: (minutes) => ({ ...honest(minutes), percent: 25 }),
  /** It fills 80 of the liters, and its tracker then sleeps for a day, without a position. */
  asleep: (minutes) =>
    minutes < 5 || minutes > 1500
      ? { percent: minutes < 5 ? 25 : 45, at: PUMP, runningMinutes: minutes < 5 ? minutes : 5 }
      : null,
} as const satisfies Record<string, Course>

const minutesOf = (from: number, to: number) =>
  Array.from({ length: (to - from) / 10 + 1 }, (_, at) => from + at * 10)

const fleetOn =
  (course: Course | null): RecordsOf =>
  (owner) => {
    const purchasedAt = Date.now() - AGO
    const truck = vehicleRow(owner, {
      fuelType: FuelType.DIESEL,
      fuelTankCapacity: 400,
      status: VehicleStatus.ACTIVE,
    })
    const vehicleId = truck.id
    const readings = minutesOf(-90, 1700).flatMap((minute) => {
      const reading = course?.(minute)
      return reading ? [{ minute, ...reading }] : []
    })
    const timeOf = (minute: number) => purchasedAt + minute * MINUTE
    return {
      vehicles: [truck],
      statLogs: readings.flatMap(({ minute, percent, runningMinutes }) => {
        const values = { vehicleId, timestamp: timeOf(minute) }
        const level = statRow(owner, { ...values, type: 'fuel_level', value: percent })
        return runningMinutes === undefined
          ? [level]
          : [level, statRow(owner, { ...values, type: 'engine_runtime', value: runningMinutes * MINUTE })]
      }),
      track: readings.map(({ minute, at }) =>
        locationRow(owner, {
          vehicleId,
          ...at,
          locatedAt: timeOf(minute),
          modifiedAt: purchasedAt,
        }),
      ),
    }
  }

interface Check {
  readonly id: string
  readonly purchasedAt: string
  readonly reconciliation: {
    readonly reasons: readonly {
      readonly rule: string
      readonly outcome: string
      readonly measured: number | null
      readonly text: string
    }[]
  } | null
}

describe.each(dialects)('a capture on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let application: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  const newFleet = async (course: Course | null) => {
    application = await seedApplication(db, [fleetOn(course)])
    return application.connections[0]!.vehicles[0]!.id
  }

  const send = (document: typeof CAPTURE, input: object, client: ApiClient = application.client) =>
    ask(executor, contextFor, { client, document, variables: { input } })

  async function checkOf(document: typeof CAPTURE, input: object) {
    const { data, errors } = await send(document, { idempotencyKey: newId('event'), ...input })
    expect(errors).toBeUndefined()
    return Object.values(data as Record<string, { check: Check; recorded: boolean; replayed?: boolean }>)[0]!
  }

  const authorize = async (vehicleId: string, values: object = {}) => {
    const { check } = await checkOf(AUTHORIZE, {
      vehicleId,
      merchant: { name: 'Lone Star Fuel', categoryCode: '5542', coordinates: PUMP },
      amount: { value: 1, currency: 'USD' },
      at: new Date(Date.now() - AGO).toISOString(),
      ...values,
    })
    return check
  }

  const filled = { amount: { value: 400, currency: 'USD' }, fuel: { liters: 250, product: 'DIESEL' } }

  const reconcile = (now = Date.now()) =>
    reconcilePurchases(
      { db, registry: registry([]), notifier: { notify: () => undefined }, clock: { now: () => now } },
      new AbortController().signal,
    )

  const read = async (id: string) => {
    const { data } = await ask(executor, contextFor, {
      client: application.client,
      document: READ,
      variables: { id },
    })
    return (data as { purchaseCheck: Check }).purchaseCheck
  }

  const outcomes = async (id: string) =>
    (await read(id)).reconciliation?.reasons.map(({ rule, outcome }) => `${rule} ${outcome}`) ?? null

  const events = async () => {
    const rows = await db.rows<{ type: string }>(
      "SELECT `type` FROM `events` WHERE `applicationId` = ? AND `type` LIKE 'purchase.%' ORDER BY `sequence`",
      [application.id],
    )
    return rows.map(({ type }) => type)
  }

  const eventsAfterwards = async () => {
    const types = await events()
    return types.slice(types.indexOf('purchase.reconciled'))
  }

  const dueAt = async (id: string) => {
    const [row] = await db.rows<{ reconcileAt: number | null }>(
      'SELECT `reconcileAt` FROM `purchase_checks` WHERE `id` = ?',
      [id],
    )
    return row!.reconcileAt
  }

  test('has the vehicle, the card, the merchant and the time of its authorization', async () => {
    const truck = await newFleet(null)
    const authorization = await authorize(truck, { cardId: 'card-7', authorizationId: 'iauth_7' })
    const byCheck = await checkOf(CAPTURE, { checkId: authorization.id, ...filled })
    const byNetwork = await checkOf(CAPTURE, { authorizationId: 'iauth_7', ...filled })
    for (const { check, recorded } of [byCheck, byNetwork]) {
      expect(recorded).toBe(true)
      expect(check).toMatchObject({
        phase: 'CAPTURE',
        cardId: 'card-7',
        authorizationId: 'iauth_7',
        authorization: { id: authorization.id },
        vehicle: { id: truck },
        purchasedAt: authorization.purchasedAt,
        fuel: { liters: 250 },
        reconciliation: null,
      })
    }
    const { data } = await ask(executor, contextFor, {
      client: application.client,
      document: OF_AUTHORIZATION,
      variables: { id: 'iauth_7' },
    })
    expect(data).toMatchObject({
      purchaseChecks: {
        nodes: expect.arrayContaining(
          [authorization, byCheck.check, byNetwork.check].map(({ id }) => expect.objectContaining({ id })),
        ),
      },
    })
  })

  test('is made once with one key', async () => {
    const truck = await newFleet(null)
    const { id: checkId } = await authorize(truck)
    const input = { idempotencyKey: 'capture-1', checkId, ...filled }
    const made = await Promise.all(Array.from({ length: 10 }, () => checkOf(CAPTURE, input)))
    expect(new Set(made.map(({ check }) => check.id)).size).toBe(1)
    const { errors } = await send(CAPTURE, { ...input, amount: { value: 401, currency: 'USD' } })
    expect(errors?.[0]?.extensions?.['code']).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('of no known authorization, or with a wrong input, is refused and writes nothing', async () => {
    const truck = await newFleet(null)
    const { id: checkId } = await authorize(truck, { authorizationId: 'iauth_8' })
    const { check: capture } = await checkOf(CAPTURE, { checkId, ...filled })
    const others = await seedApplication(db, [() => ({})])
    const before = await db.rows('SELECT `id` FROM `purchase_checks`')
    const refusals = [
      [{ checkId: newId('purchaseCheck') }, 'NOT_FOUND'],
      [{ checkId: capture.id }, 'NOT_FOUND'],
      [{ authorizationId: 'IAUTH_8 ' }, 'NOT_FOUND'],
      [{ checkId: truck }, 'BAD_USER_INPUT'],
      [{}, 'BAD_USER_INPUT'],
      [{ checkId, authorizationId: 'iauth_8' }, 'BAD_USER_INPUT'],
      [{ authorizationId: ' ' }, 'BAD_USER_INPUT'],
      [{ checkId, idempotencyKey: '' }, 'BAD_USER_INPUT'],
      [{ checkId, fuel: { liters: -1 } }, 'BAD_USER_INPUT'],
      [{ checkId, amount: { value: 1, currency: 'dollars' } }, 'BAD_USER_INPUT'],
      [{ checkId, at: new Date(Date.now() + HOUR).toISOString() }, 'BAD_USER_INPUT'],
    ] as const
    for (const [values, code] of refusals) {
      const { errors } = await send(CAPTURE, { idempotencyKey: newId('event'), ...filled, ...values })
      expect([values, errors?.[0]?.extensions?.['code']]).toEqual([values, code])
    }
    for (const input of [{ checkId }, { authorizationId: 'iauth_8' }]) {
      const foreign = { idempotencyKey: newId('event'), ...filled, ...input }
      const { errors } = await send(CAPTURE, foreign, others.client)
      expect(errors?.[0]?.extensions?.['code']).toBe('NOT_FOUND')
    }
    expect(await db.rows('SELECT `id` FROM `purchase_checks`')).toEqual(before)
  })

  test.each([
    ['does not answer', { rows: () => new Promise<never>(() => undefined) }],
    ['fails', { rows: () => Promise.reject(new Error('connect ECONNREFUSED')) }],
  ])('is refused, to be sent again, if the database %s', async (_, broken) => {
    const truck = await newFleet(null)
    const { id: checkId } = await authorize(truck)
    const input = { idempotencyKey: newId('event'), checkId, ...filled }
    const contexts = contextsOver({ ...db, ...broken }, undefined, undefined, 100)
    const { client } = application
    const { errors } = await ask(executor, contexts, { client, document: CAPTURE, variables: { input } })
    expect(errors?.[0]?.extensions?.['code']).toBe('SERVICE_UNAVAILABLE')
    expect(await checkOf(CAPTURE, input)).toMatchObject({ recorded: true, replayed: false })
  })

  test.each([
    ['honest', ['LEVEL_ROSE PASS', 'LEVEL_KEPT PASS'], ['purchase.reconciled']],
    ['elsewhere', ['LEVEL_ROSE FAIL', 'LEVEL_KEPT PASS'], ['purchase.reconciled', 'purchase.flagged']],
    ['stuck', ['LEVEL_ROSE UNKNOWN', 'LEVEL_KEPT PASS'], ['purchase.reconciled']],
    ['siphoned', ['LEVEL_ROSE PASS', 'LEVEL_KEPT FAIL'], ['purchase.reconciled', 'purchase.flagged']],
  ] as const)('that is %s is reconciled', async (name, expected, types) => {
    const truck = await newFleet(courses[name])
    const { id: checkId } = await authorize(truck)
    const { check } = await checkOf(CAPTURE, { checkId, ...filled })
    const end = Date.now() - AGO + 72 * HOUR
    await reconcile(end)
    expect(await outcomes(check.id)).toEqual(expected)
    expect(await eventsAfterwards()).toEqual(types)
    expect(await dueAt(check.id)).toBeNull()
    await reconcile(end)
    expect(await eventsAfterwards()).toEqual(types)
  })

  test('shows the liters that went elsewhere', async () => {
    const truck = await newFleet(courses.elsewhere)
    const { id: checkId } = await authorize(truck)
    const { check } = await checkOf(CAPTURE, { checkId, ...filled })
    await reconcile()
    expect((await read(check.id)).reconciliation?.reasons[0]).toMatchObject({
      rule: 'LEVEL_ROSE',
      measured: 170,
      text: '250 l were bought; the fuel level rose by 80 l.',
    })
  })

  test('shows it when the tracker wakes up within three days', async () => {
    const truck = await newFleet(courses.asleep)
    const { id: checkId, purchasedAt } = await authorize(truck)
    const { check } = await checkOf(CAPTURE, { checkId, ...filled })
    await reconcile(Date.parse(purchasedAt) + 72 * HOUR)
    expect((await read(check.id)).reconciliation?.reasons[0]).toMatchObject({
      rule: 'LEVEL_ROSE',
      outcome: 'FAIL',
      text: '250 l were bought; the fuel level rose by 80 l.',
    })
  })

  test.each([
    [125, 'PASS'],
    [200, 'FAIL'],
  ])('of %s l counts together with another one of the same fill', async (liters, outcome) => {
    const truck = await newFleet(courses.honest)
    const { id: checkId } = await authorize(truck)
    const capture = { checkId, ...filled, fuel: { liters, product: 'DIESEL' } }
    const captures = [await checkOf(CAPTURE, capture), await checkOf(CAPTURE, capture)]
    await reconcile()
    for (const { check } of captures)
      expect(await outcomes(check.id)).toEqual([`LEVEL_ROSE ${outcome}`, 'LEVEL_KEPT PASS'])
  })

  test('waits for late levels for three days', async () => {
    const truck = await newFleet(null)
    const { id: checkId, purchasedAt } = await authorize(truck)
    const { check } = await checkOf(CAPTURE, { checkId, ...filled })
    await reconcile()
    expect(await outcomes(check.id)).toBeNull()
    const last = Date.parse(purchasedAt) + 72 * HOUR
    expect(await dueAt(check.id)).toBe(last)
    await reconcile(last)
    expect(await outcomes(check.id)).toEqual(['LEVEL_ROSE UNKNOWN', 'LEVEL_KEPT UNKNOWN'])
    expect(await eventsAfterwards()).toEqual(['purchase.reconciled'])
  })

  test('is reconciled once by several workers', async () => {
    const truck = await newFleet(courses.elsewhere)
    const { id: checkId } = await authorize(truck)
    await checkOf(CAPTURE, { checkId, ...filled })
    await Promise.all([reconcile(), reconcile(), reconcile()])
    expect(await eventsAfterwards()).toEqual(['purchase.reconciled', 'purchase.flagged'])
  })

  test('of a hidden vehicle is UNKNOWN', async () => {
    const truck = await newFleet(courses.elsewhere)
    const { id: checkId, purchasedAt } = await authorize(truck)
    const { check } = await checkOf(CAPTURE, { checkId, ...filled })
    await setFilters(db, application.connections[0]!, { vehicles: { excludeIds: [truck] } })
    const before = await events()
    await reconcile(Date.parse(purchasedAt) + 72 * HOUR)
    const [row] = await db.rows<{ reconciliation: string }>(
      'SELECT `reconciliation` FROM `purchase_checks` WHERE `id` = ?',
      [check.id],
    )
    expect(JSON.parse(row!.reconciliation)).toMatchObject({
      reasons: [{ outcome: 'unknown' }, { outcome: 'unknown' }],
    })
    expect(await events()).toEqual(before)
  })

  test('is reconciled after days off, and although another one fails', async () => {
    const COUNT = 230
    const capture = { phase: PurchasePhase.CAPTURE, reconcileAt: Date.now() - 20 * 24 * HOUR }
    application = await seedApplication(db, [
      (owner) => {
        const vehicles = [vehicleRow(owner, {}), vehicleRow(owner, {})]
        const purchaseChecks = Array.from({ length: COUNT }, (_, at) =>
          purchaseCheckRow(owner, { vehicleId: vehicles[at === 7 ? 1 : 0]!.id, ...capture }),
        )
        return { vehicles, purchaseChecks }
      },
    ])
    const broken = application.connections[0]!.vehicles[1]!.id
    await db.transaction((tx) => tx.run("UPDATE `vehicles` SET `groupIds` = '[' WHERE `id` = ?", [broken]))
    await expect(reconcile()).rejects.toThrow('1 purchases were not reconciled')
    const [row] = await db.rows<{ due: number; done: number }>(
      'SELECT COUNT(`reconcileAt`) AS due, COUNT(`reconciliation`) AS done FROM `purchase_checks` WHERE `applicationId` = ?',
      [application.id],
    )
    expect([Number(row!.due), Number(row!.done)]).toEqual([1, COUNT - 1])
    await db.transaction((tx) => tx.run("UPDATE `vehicles` SET `groupIds` = '[]' WHERE `id` = ?", [broken]))
    await reconcile()
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { registry } from '../../../src/providers/registry.ts'
import type { Database } from '../../../src/storage/database.ts'
import { FuelType } from '../../../src/subgraphs/fleet/vehicle.ts'
import { reconcilePurchases } from '../../../src/subgraphs/purchases/reconciliation/reconcile-purchases.ts'
import {
  DAY,
  dialects,
  latestLocationRow,
  MINUTE,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  vehicleRow,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { statRow } from '../../support/rows/record-rows.ts'

const executor = createInProcessExecutor(supergraph)

const CHECK = documentOf(`mutation ($input: CheckPurchaseInput!) {
  checkPurchase(input: $input) {
    check { reasons { rule outcome text } evidence { capacityLiters capacitySource } }
  }
}`)

interface Check {
  readonly reasons: readonly { readonly rule: string; readonly outcome: string; readonly text: string }[]
  readonly evidence: { readonly capacityLiters: number | null; readonly capacitySource: string | null }
}

/** The truck fills 200 of its 400 liters once a day. */
const healthy = (minute: number) => (minute < 5 ? 30 : 80)
const stuck = () => 60
const LITERS = 200
const DAYS = 6

describe.each(dialects)('the tank of a vehicle on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  interface Truck {
    readonly application: SeededApplication
    readonly vehicleId: string
    readonly now: number
  }

  /** Stores a truck that was filled on the last days, the last time two days ago. */
  async function newTruck(capacity: number | null, percentAt: (minute: number) => number): Promise<Truck> {
    const now = Date.now()
    const minutes = Array.from({ length: 19 }, (_, at) => 10 * at - 90)
    const application = await seedApplication(db, [
      (owner) => {
        const truck = vehicleRow(owner, { fuelType: FuelType.DIESEL, fuelTankCapacity: capacity })
        const level = percentAt(-90)
        const statLogs = [...daysOf(now), now].flatMap((at) =>
          minutes
            .filter((minute) => at + minute * MINUTE <= now)
            .map((minute) =>
              statRow(owner, {
                vehicleId: truck.id,
                type: 'fuel_level',
                timestamp: at + minute * MINUTE,
                value: percentAt(minute),
              }),
            ),
        )
        const latest = latestLocationRow(owner, {
          vehicleId: truck.id,
          locatedAt: now - MINUTE,
          fuelPrimaryPercentage: level,
        })
        return { vehicles: [truck], statLogs, latestLocations: [latest] }
      },
    ])
    return { application, vehicleId: application.connections[0]!.vehicles[0]!.id, now }
  }

  const daysOf = (now: number) => Array.from({ length: DAYS }, (_, day) => now - (DAYS + 1 - day) * DAY)

  async function check({ application, vehicleId }: Truck, values: object): Promise<Check> {
    const { data, errors } = await ask(executor, contextFor, {
      client: application.client,
      document: CHECK,
      variables: {
        input: {
          idempotencyKey: newId('event'),
          vehicleId,
          merchant: { name: 'Lone Star Fuel', categoryCode: '5542' },
          amount: { value: 300, currency: 'USD' },
          fuel: { liters: LITERS, product: 'DIESEL' },
          ...values,
        },
      },
    })
    expect(errors).toBeUndefined()
    return (data as { checkPurchase: { check: Check } }).checkPurchase.check
  }

  async function captureAndReconcile(
    truck: Truck,
    times = daysOf(truck.now),
    liters = LITERS,
  ): Promise<void> {
    const fuel = { liters, product: 'DIESEL' }
    for (const at of times) await check(truck, { at: new Date(at).toISOString(), phase: 'CAPTURE', fuel })
    await reconcile(Date.now())
  }

  async function reconcile(now: number): Promise<void> {
    const clock = { now: () => now }
    await reconcilePurchases(
      { db, registry: registry([]), notifier: { notify: () => undefined }, clock },
      new AbortController().signal,
    )
  }

  const tankFits = ({ reasons }: Check) => {
    const { outcome, text } = reasons.find(({ rule }) => rule === 'TANK_FITS')!
    return `${outcome}: ${text}`
  }

  test('has the capacity that fills show, if nobody else knows it', async () => {
    const truck = await newTruck(null, healthy)
    const before = await check(truck, { fuel: { product: 'DEF' } })
    expect(before.evidence).toEqual({ capacityLiters: null, capacitySource: null })
    await captureAndReconcile(truck)
    const after = await check(truck, {})
    expect(after.evidence).toEqual({ capacityLiters: 400, capacitySource: 'LEARNT' })
    expect(tankFits(after)).toMatch(/^PASS/)
    expect(tankFits(await check(truck, { fuel: { liters: 390, product: 'DIESEL' } }))).toMatch(/^FAIL/)
  })

  test('is not judged by a capacity that its fills contradict', async () => {
    const truck = await newTruck(200, healthy)
    expect(tankFits(await check(truck, {}))).toMatch(/^FAIL/)
    await captureAndReconcile(truck)
    const after = await check(truck, {})
    expect(tankFits(after)).toBe('UNKNOWN: The last fills show a fuel capacity of about 400 l, not of 200 l.')
    expect(after.evidence).toEqual({ capacityLiters: 200, capacitySource: 'PROVIDER' })
    expect(tankFits(await check(truck, { fuel: { liters: 500, product: 'DIESEL' } }))).toMatch(
      /^FAIL: 500 l were bought; an empty tank has room for 400 l/,
    )
  })

  test('is not judged by a level that never changes', async () => {
    const truck = await newTruck(400, stuck)
    expect(tankFits(await check(truck, { fuel: { liters: 300, product: 'DIESEL' } }))).toMatch(/^FAIL/)
    await captureAndReconcile(truck)
    expect(tankFits(await check(truck, { fuel: { liters: 300, product: 'DIESEL' } }))).toMatch(
      /^UNKNOWN: The fuel level did not change at the last 3 fills/,
    )
    expect(tankFits(await check(truck, { fuel: { liters: 3000, product: 'DIESEL' } }))).toMatch(/^FAIL/)
  })

  test('is still judged after fills that are too small to move the gauge', async () => {
    const truck = await newTruck(400, stuck)
    await captureAndReconcile(truck, daysOf(truck.now), 1)
    expect(tankFits(await check(truck, { fuel: { liters: 300, product: 'DIESEL' } }))).toMatch(/^FAIL/)
  })

  test('is not shown of a vehicle that filters hide', async () => {
    const truck = await newTruck(200, healthy)
    await captureAndReconcile(truck)
    const [, , , , , last] = daysOf(truck.now)
    const { application, vehicleId } = truck
    const at = new Date(last! + 2 * DAY).toISOString()
    await check(truck, { at, phase: 'CAPTURE', idempotencyKey: 'hidden' })
    await setFilters(db, application.connections[0]!, { vehicles: { excludeIds: [vehicleId] } })
    await reconcile(Date.now() + 4 * DAY)
    const rows = await db.rows<{ reconciliation: string }>(
      "SELECT `reconciliation` FROM `purchase_checks` WHERE `vehicleId` = ? AND `idempotencyKey` = 'hidden'",
      [vehicleId],
    )
    expect(rows[0]!.reconciliation).toContain('level_rose')
    expect(rows[0]!.reconciliation).not.toContain('400 l')
  })

  test('is learnt once from a capture that is compared twice', async () => {
    const truck = await newTruck(400, stuck)
    const [first] = daysOf(truck.now).slice(-1)
    await captureAndReconcile(truck, [first!])
    await db.transaction((tx) =>
      tx.run('UPDATE `purchase_checks` SET `reconcileAt` = ? WHERE `vehicleId` = ?', [
        truck.now,
        truck.vehicleId,
      ]),
    )
    await captureAndReconcile(truck, [])
    const rows = await db.rows<{ fills: string }>(
      'SELECT `fills` FROM `vehicle_fills` WHERE `vehicleId` = ?',
      [truck.vehicleId],
    )
    expect(rows.map(({ fills }) => (JSON.parse(fills) as unknown[]).length)).toEqual([1])
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { registry } from '../../../src/providers/registry.ts'
import type { Database } from '../../../src/storage/database.ts'
import { FuelType } from '../../../src/subgraphs/fleet/vehicle.ts'
import { removeExpiredRows } from '../../../src/sync/retention/remove-expired-rows.ts'
import { reconcilePurchases } from '../../../src/subgraphs/purchases/reconciliation/reconcile-purchases.ts'
import {
  type ApiClient,
  DAY,
  dialects,
  latestLocationRow,
  locationRow,
  MINUTE,
  type Owner,
  type Records,
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
    check {
      reasons { rule outcome text }
      evidence { merchantPlace { longitude latitude } merchantPlaceSource merchantAccuracyMeters merchantSightings }
    }
  }
}`)

interface Check {
  readonly reasons: readonly { readonly rule: string; readonly outcome: string; readonly text: string }[]
  readonly evidence: Readonly<Record<string, unknown>>
}

const AUSTIN = { longitude: -97.7431, latitude: 30.2672 }
const EL_PASO = { longitude: -106.485, latitude: 31.7619 }
const PHOENIX = { longitude: -112.074, latitude: 33.4484 }
/** Address of the head office of a chain. */
const HEAD_OFFICE = { country: 'US', postalCode: '37909', city: 'Knoxville', state: 'TN' }

const TRUCKS = 3
const LITERS = 200
/** The tank of 400 liters is filled at the minute 0, while the truck stands. */
const filled = (minute: number) => (minute < 5 ? 30 : 80)
const notFilled = () => 30

describe.each(dialects)('the place of a merchant that purchases show on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  const now = Date.now()

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  /** Trucks that stood at the same pump two days ago, one after the other. The last one is still there. */
  function trucksAt(point: typeof AUSTIN, percentAt: (minute: number) => number, positionsAt = [-5, 5, 15]) {
    return (owner: Owner): Partial<Records> => {
      const vehicles = Array.from({ length: TRUCKS }, () =>
        vehicleRow(owner, { fuelType: FuelType.DIESEL, fuelTankCapacity: 400 }),
      )
      const minutes = Array.from({ length: 19 }, (_, at) => 10 * at - 90)
      const at = (truck: number, minute: number) => filledAt(truck) + minute * MINUTE
      return {
        vehicles,
        statLogs: vehicles.flatMap(({ id: vehicleId }, truck) =>
          minutes.map((minute) =>
            statRow(owner, {
              vehicleId,
              type: 'fuel_level',
              timestamp: at(truck, minute),
              value: percentAt(minute),
            }),
          ),
        ),
        track: vehicles.flatMap(({ id: vehicleId }, truck) =>
          positionsAt.map((minute) =>
            locationRow(owner, { ...point, vehicleId, speed: 0, locatedAt: at(truck, minute) }),
          ),
        ),
        latestLocations: vehicles.map(({ id: vehicleId }) =>
          latestLocationRow(owner, { ...point, vehicleId, speed: 0, locatedAt: now - MINUTE }),
        ),
      }
    }
  }

  const filledAt = (truck: number) => now - 2 * DAY + truck * 10 * MINUTE

  async function check(client: ApiClient, vehicleId: string, values: object): Promise<Check> {
    const { data, errors } = await ask(executor, contextFor, {
      client,
      document: CHECK,
      variables: {
        input: {
          idempotencyKey: newId('event'),
          vehicleId,
          merchant: { name: 'Milepost', categoryCode: '5542', address: HEAD_OFFICE },
          amount: { value: 300, currency: 'USD' },
          ...values,
        },
      },
    })
    expect(errors).toBeUndefined()
    return (data as { checkPurchase: { check: Check } }).checkPurchase.check
  }

  const vehiclesOf = ({ connections }: SeededApplication, connection = 0) =>
    connections[connection]!.vehicles.map(({ id }) => id)

  const merchantOf = (name: string) => ({ name, categoryCode: '5542', address: HEAD_OFFICE })

  /** Captures the fill of each truck at a merchant, and compares it with the fuel levels. */
  async function captureAndReconcile(
    application: SeededApplication,
    merchant: string | object,
    trucks = TRUCKS,
  ) {
    for (const [truck, vehicleId] of vehiclesOf(application).slice(0, trucks).entries())
      await check(application.client, vehicleId, {
        at: new Date(filledAt(truck)).toISOString(),
        phase: 'CAPTURE',
        fuel: { liters: LITERS, product: 'DIESEL' },
        merchant: typeof merchant === 'string' ? merchantOf(merchant) : merchant,
      })
    await reconcilePurchases(
      { db, registry: registry([]), notifier: { notify: () => undefined }, clock: { now: () => now } },
      new AbortController().signal,
    )
  }

  const nearMerchant = ({ reasons }: Check) => {
    const { outcome, text } = reasons.find(({ rule }) => rule === 'NEAR_MERCHANT')!
    return `${outcome}: ${text}`
  }

  const UNKNOWN =
    'UNKNOWN: The place of the merchant is unknown: confirmed purchases were far from its address.'

  test('is unknown at the address of a head office, whatever the store number', async () => {
    const application = await seedApplication(db, [trucksAt(AUSTIN, filled)])
    const [vehicleId = ''] = vehiclesOf(application)
    const merchant = merchantOf('Milepost #204')
    expect(nearMerchant(await check(application.client, vehicleId, { merchant }))).toMatch(/^FAIL/)
    await captureAndReconcile(application, 'Milepost')
    const after = await check(application.client, vehicleId, { merchant })
    expect(nearMerchant(after)).toBe(UNKNOWN)
    expect(after.evidence).toMatchObject({ merchantPlace: null, merchantPlaceSource: null })
    const other = await check(application.client, vehicleId, { merchant: merchantOf('Prairie Gas') })
    expect(nearMerchant(other)).toMatch(/^FAIL/)
  })

  test('is learnt for a store with a number', async () => {
    const application = await seedApplication(db, [trucksAt(EL_PASO, filled)])
    await captureAndReconcile(application, 'Blue Route Plaza #1102')
    const [vehicleId = ''] = vehiclesOf(application)
    const there = await check(application.client, vehicleId, {
      merchant: merchantOf('BLUE ROUTE PLAZA 1102'),
    })
    expect(there.evidence).toEqual({
      merchantPlace: {
        longitude: expect.closeTo(EL_PASO.longitude),
        latitude: expect.closeTo(EL_PASO.latitude),
      },
      merchantPlaceSource: 'LEARNT',
      merchantAccuracyMeters: 500,
      merchantSightings: TRUCKS,
    })
    expect(nearMerchant(there)).toMatch(/^PASS/)
    const another = await check(application.client, vehicleId, {
      merchant: merchantOf('Blue Route Plaza #1103'),
    })
    expect(nearMerchant(another)).toBe(UNKNOWN)
  })

  test('makes a purchase far from it fail', async () => {
    const application = await seedApplication(db, [
      (owner) => {
        const filling = trucksAt(EL_PASO, filled)(owner)
        const away = vehicleRow(owner, {})
        const latest = latestLocationRow(owner, { ...AUSTIN, vehicleId: away.id, locatedAt: now - MINUTE })
        return {
          ...filling,
          vehicles: [...(filling.vehicles ?? []), away],
          latestLocations: [...(filling.latestLocations ?? []), latest],
        }
      },
    ])
    await captureAndReconcile(application, 'Harbor Fuels #700')
    const stolen = await check(application.client, vehiclesOf(application).at(-1)!, {
      merchant: merchantOf('Harbor Fuels #700'),
    })
    expect(nearMerchant(stolen)).toMatch(/^FAIL: The vehicle was at least 8\d\d\d\d\d m/)
  })

  test('does not fail a purchase in the area of the address, to which the merchant may have moved', async () => {
    const address = { country: 'US', postalCode: '79912', city: 'El Paso', state: 'TX' }
    const point = { longitude: -106.55, latitude: 31.84 }
    const application = await seedApplication(db, [
      (owner) => {
        const filling = trucksAt(point, filled)(owner)
        const moved = { ...point, latitude: point.latitude + 0.03 }
        const truck = vehicleRow(owner, {})
        const latest = latestLocationRow(owner, { ...moved, vehicleId: truck.id, locatedAt: now })
        return {
          ...filling,
          vehicles: [...(filling.vehicles ?? []), truck],
          latestLocations: [...(filling.latestLocations ?? []), latest],
        }
      },
    ])
    const merchant = { name: 'Milepost #77001', categoryCode: '5542', address }
    await captureAndReconcile(application, merchant)
    const made = await check(application.client, vehiclesOf(application).at(-1)!, { merchant })
    expect(made.evidence).toMatchObject({ merchantPlaceSource: 'LEARNT' })
    expect(nearMerchant(made)).toMatch(
      /^UNKNOWN: The vehicle was at least 2\d\d\d m from the merchant.* The merchant may have moved within the area of its address\.$/,
    )
  })

  test('is used in its own connection alone', async () => {
    const application = await seedApplication(db, [trucksAt(AUSTIN, filled), trucksAt(AUSTIN, notFilled)])
    await captureAndReconcile(application, 'Milepost #204')
    const [own = ''] = vehiclesOf(application)
    const [other = ''] = vehiclesOf(application, 1)
    const merchant = merchantOf('Milepost #204')
    expect((await check(application.client, own, { merchant })).evidence).toMatchObject({
      merchantPlaceSource: 'LEARNT',
    })
    for (const client of [application.client, application.narrowed(1)])
      expect((await check(client, other, { merchant })).evidence).toMatchObject({
        merchantPlaceSource: 'POSTAL_CODE',
        merchantSightings: null,
      })
  })

  test('is forgotten if no purchase shows it for half a year', async () => {
    const application = await seedApplication(db, [trucksAt(AUSTIN, filled)])
    await captureAndReconcile(application, 'Milepost #204')
    const countAfter = async (days: number) => {
      const deps = { db, clock: { now: () => now + days * DAY } }
      const kept = { eventRetentionDays: 30, requestLogDays: 3, purchaseRetentionDays: 60 }
      await removeExpiredRows({ ...deps, ...kept }, new AbortController().signal)
      const rows = await db.rows('SELECT id FROM sighted_merchants WHERE applicationId = ?', [application.id])
      return rows.length
    }
    expect([await countAfter(177), await countAfter(181)]).toEqual([2, 0])
  })

  test.each([
    ['the level did not rise', { percentAt: notFilled }],
    ['an hour without a position shows that the vehicles may have left', { positionsAt: [-5, 70] }],
    ['too few purchases show it', { trucks: 2 }],
    ['filters hide the vehicles', { isHidden: true }],
  ])(
    'is not learnt if %s',
    async (_, { percentAt = filled, trucks = TRUCKS, isHidden = false, positionsAt }: Case) => {
      const application = await seedApplication(db, [trucksAt(PHOENIX, percentAt, positionsAt)])
      const [seeded] = application.connections
      if (isHidden) await setFilters(db, seeded!, { vehicles: { excludeIds: vehiclesOf(application) } })
      await captureAndReconcile(application, 'Milepost #9001', trucks)
      const rows = await db.rows(
        'SELECT id FROM sighted_merchants WHERE connectionId = ? AND (longitude IS NOT NULL OR isAddressWrong = 1)',
        [seeded!.connection.id],
      )
      expect(rows).toEqual([])
    },
  )
})

interface Case {
  readonly percentAt?: (minute: number) => number
  readonly trucks?: number
  readonly positionsAt?: number[]
  readonly isHidden?: boolean
}

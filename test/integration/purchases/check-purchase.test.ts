import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { newId } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { FuelType, VehicleStatus } from '../../../src/subgraphs/fleet/vehicle.ts'
import { EngineState } from '../../../src/subgraphs/schema/enums/engine-state.ts'
import {
  type ApiClient,
  dialects,
  driverRow,
  latestLocationRow,
  locationRow,
  type RecordsOf,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  vehicleRow,
} from '../../support/factories.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { statRow } from '../../support/rows/record-rows.ts'

const executor = createInProcessExecutor(supergraph)
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const CHECK = documentOf(`mutation ($input: CheckPurchaseInput!) {
  checkPurchase(input: $input) {
    replayed recorded
    check {
      id decision stage wouldBe { v1 v2 v3 } policyVersion vehicle { id } driver { id } connection { id } cardId phase metadata
      merchant { name coordinates { latitude } address { city } } amount { value currency } fuel { liters product }
      reasons { rule outcome action measured limit margin unit text }
      evidence {
        position { longitude latitude } locatedAt receivedAt ageSeconds distanceMeters merchantAccuracyMeters merchantPlaceSource
        reachableMeters fuelPercent fuelAt capacityLiters engineState driver { id }
      }
    }
  }
}`)

interface Check {
  readonly id: string
  readonly decision: string
  readonly wouldBe: Readonly<Record<'v1' | 'v2' | 'v3', string>>
  readonly reasons: readonly { readonly rule: string; readonly outcome: string; readonly text: string }[]
  readonly evidence: Readonly<Record<string, unknown>>
}

interface Checked {
  readonly check: Check
  readonly replayed: boolean
  readonly recorded: boolean
}

const AUSTIN = { longitude: -97.7431, latitude: 30.2672 }
const DALLAS = { longitude: -96.797, latitude: 32.7767 }

/** A fleet whose truck stands at a pump in Austin, with a quarter of fuel in its tank of 400 l. */
const fleet: RecordsOf = (owner) => {
  const now = Date.now()
  const drivers = [driverRow(owner), driverRow(owner)]
  const vehicles = [
    vehicleRow(owner, { fuelType: FuelType.DIESEL, fuelTankCapacity: 400, status: VehicleStatus.ACTIVE }),
    vehicleRow(owner, { fuelType: null, fuelTankCapacity: null, status: VehicleStatus.ACTIVE }),
    vehicleRow(owner, { status: VehicleStatus.INACTIVE }),
    vehicleRow(owner, { fuelType: FuelType.DIESEL, fuelTankCapacity: 400, status: VehicleStatus.ACTIVE }),
  ]
  const [truck, bare, inactive, stale] = vehicles
  return {
    drivers,
    vehicles,
    latestLocations: [
      latestLocationRow(owner, {
        vehicleId: truck!.id,
        ...AUSTIN,
        driverId: drivers[0]!.id,
        locatedAt: now - 20 * SECOND,
        modifiedAt: now - 15 * SECOND,
        speed: 0,
        engineState: EngineState.OFF,
        fuelPrimaryPercentage: 25,
      }),
      // The provider repeats a fuel level that is 20 hours old.
      latestLocationRow(owner, {
        vehicleId: stale!.id,
        ...AUSTIN,
        locatedAt: now - 20 * SECOND,
        modifiedAt: now,
        speed: 0,
        fuelPrimaryPercentage: 90,
      }),
      latestLocationRow(owner, {
        vehicleId: inactive!.id,
        ...AUSTIN,
        locatedAt: now - 20 * SECOND,
        modifiedAt: now,
      }),
    ],
    track: [
      locationRow(owner, {
        vehicleId: truck!.id,
        ...DALLAS,
        locatedAt: now - 6 * HOUR,
        modifiedAt: now,
        speed: 3,
      }),
      locationRow(owner, { vehicleId: bare!.id, ...DALLAS, locatedAt: now - 30 * HOUR, modifiedAt: now }),
    ],
    statLogs: [
      statRow(owner, { vehicleId: truck!.id, type: 'fuel_level', timestamp: now - 6 * HOUR, value: 90 }),
      statRow(owner, { vehicleId: stale!.id, type: 'fuel_level', timestamp: now - 20 * HOUR, value: 90 }),
    ],
  }
}

const withShortDeadline = (db: Database) => contextsOver(db, undefined, undefined, 300)

const purchase = (values: object = {}) => ({
  idempotencyKey: newId('event'),
  merchant: { name: 'Lone Star Fuel', categoryCode: '5542', coordinates: AUSTIN },
  amount: { value: 125, currency: 'USD' },
  ...values,
})

describe.each(dialects)('a purchase check on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let application: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
  })
  afterAll(() => db[Symbol.asyncDispose]())

  /** Checks a purchase of the first application, unless another client asks. */
  const send = (input: object, client: ApiClient = application.client, contexts = contextFor) =>
    ask(executor, contexts, { client, document: CHECK, variables: { input } })

  async function check(input: object, client?: ApiClient, contexts?: ContextFor): Promise<Checked> {
    const { data, errors } = await send(input, client, contexts)
    expect(errors).toBeUndefined()
    return (data as { checkPurchase: Checked }).checkPurchase
  }

  async function newFleet() {
    application = await seedApplication(db, [fleet])
    const [connection] = application.connections
    const [truck, bare, inactive, stale] = connection!.vehicles
    return {
      connection: connection!,
      truck: truck!.id,
      bare: bare!.id,
      inactive: inactive!.id,
      stale: stale!.id,
      drivers: connection!.drivers.map(({ id }) => id),
    }
  }

  const outcomes = ({ reasons }: Check) =>
    Object.fromEntries(reasons.map(({ rule, outcome }) => [rule, outcome]))

  const storedChecks = () =>
    db.rows<{ id: string }>('SELECT `id` FROM `purchase_checks` WHERE `applicationId` = ?', [application.id])

  const events = () =>
    db.rows<{ type: string; subjectId: string; connectionId: string; detail: string }>(
      "SELECT `type`, `subjectId`, `connectionId`, `detail` FROM `events` WHERE `applicationId` = ? AND `type` LIKE 'purchase.%' ORDER BY `sequence`",
      [application.id],
    )

  test('of a truck at the pump passes every rule, and keeps what was known', async () => {
    const { truck, drivers, connection } = await newFleet()
    const input = purchase({
      vehicleId: truck,
      driverId: drivers[0],
      cardId: 'card-7',
      fuel: { liters: 250, product: 'DIESEL' },
      metadata: { order: 7 },
    })
    const { check: made, replayed, recorded } = await check(input)
    expect([replayed, recorded]).toEqual([false, true])
    expect(made).toMatchObject({
      decision: 'APPROVE',
      stage: 'V0',
      wouldBe: { v1: 'APPROVE', v2: 'APPROVE', v3: 'APPROVE' },
      policyVersion: 0,
      vehicle: { id: truck },
      driver: { id: drivers[0] },
      connection: { id: connection.connection.id },
      cardId: 'card-7',
      phase: 'AUTHORIZATION',
      metadata: { order: 7 },
      merchant: { name: 'Lone Star Fuel', coordinates: { latitude: 30.2672 }, address: null },
      amount: { value: 125, currency: 'USD' },
      fuel: { liters: 250, product: 'DIESEL' },
      evidence: {
        position: AUSTIN,
        distanceMeters: 0,
        merchantAccuracyMeters: 50,
        merchantPlaceSource: 'COORDINATES',
        fuelPercent: 25,
        capacityLiters: 400,
        engineState: 'OFF',
        driver: { id: drivers[0] },
      },
    })
    expect(outcomes(made)).toEqual({
      NEAR_MERCHANT: 'PASS',
      FRESH_POSITION: 'PASS',
      STANDING: 'PASS',
      CONNECTED: 'PASS',
      DRIVER_MATCHES: 'PASS',
      ONE_CARD_TWO_PLACES: 'PASS',
      TANK_FITS: 'PASS',
      PRODUCT_MATCHES: 'PASS',
      FREQUENCY: 'PASS',
      JURISDICTION: 'PASS',
    })
    const stored = await events()
    expect(stored.map(({ type, subjectId }) => [type, subjectId])).toEqual([['purchase.checked', made.id]])
    expect(JSON.parse(stored[0]!.detail)).toMatchObject({
      connection: { id: connection.connection.id },
      purchaseCheck: {
        id: made.id,
        vehicle: truck,
        driver: drivers[0],
        decision: 'approve',
        evidence: { fuelPercent: 25, driver: drivers[0] },
      },
    })
  })

  test.each([
    [
      'far from the pump',
      { merchant: { name: 'Far', categoryCode: '5542', coordinates: DALLAS } },
      'NEAR_MERCHANT',
      'V1',
    ],
    ['more than the tank holds', { fuel: { liters: 350 } }, 'TANK_FITS', 'V2'],
    [
      'the amount at a price that makes too many liters',
      { amount: { value: 700, currency: 'USD' }, fuel: { unitPrice: 2 } },
      'TANK_FITS',
      'V2',
    ],
    ['the wrong product', { fuel: { product: 'GASOLINE' } }, 'PRODUCT_MATCHES', 'V2'],
  ])('of %s would be declined from its stage on, and is flagged', async (_, values, rule, stage) => {
    const { truck } = await newFleet()
    const { check: made } = await check(purchase({ vehicleId: truck, ...values }))
    expect(outcomes(made)[rule]).toBe('FAIL')
    expect(made.decision).toBe('APPROVE')
    expect(made.wouldBe).toEqual({ v1: stage === 'V1' ? 'DECLINE' : 'APPROVE', v2: 'DECLINE', v3: 'DECLINE' })
    expect((await events()).map(({ type }) => type)).toEqual(['purchase.checked', 'purchase.flagged'])
  })

  test.each<[string, string | undefined, object]>([
    ['the state of the vehicle', 'PASS', { address: { state: 'Texas', country: 'US' } }],
    ['another state', 'FAIL', { address: { state: 'OK', country: 'US' } }],
    ['a province', 'FAIL', { address: { state: 'ON', country: 'CA' } }],
    ['a postal code of another state', 'FAIL', { address: { postalCode: '73102', country: 'US' } }],
    [
      'a state and the postal code of another',
      undefined,
      { address: { state: 'TX', postalCode: '73102', country: 'US' } },
    ],
    [
      'coordinates in another state than its address',
      'PASS',
      { coordinates: AUSTIN, address: { state: 'OK', country: 'US' } },
    ],
    ['a state of another country', undefined, { address: { state: 'CO', country: 'MX' } }],
    ['no address', undefined, {}],
  ])('at a merchant with %s has the outcome %s of the jurisdiction', async (_, outcome, merchant) => {
    const { truck } = await newFleet()
    const input = purchase({
      vehicleId: truck,
      merchant: { name: 'Stop', categoryCode: '5542', ...merchant },
    })
    const { check: made } = await check(input)
    expect(outcomes(made)['JURISDICTION']).toBe(outcome)
    if (outcome === 'FAIL') expect((await events()).map(({ type }) => type)).toContain('purchase.flagged')
  })

  test('without facts is UNKNOWN, and never a decline', async () => {
    const { bare } = await newFleet()
    const { check: made } = await check(
      purchase({ vehicleId: bare, fuel: { liters: 900, product: 'GASOLINE' } }),
    )
    expect(made.wouldBe).toEqual({ v1: 'UNKNOWN', v2: 'UNKNOWN', v3: 'UNKNOWN' })
    expect(outcomes(made)).toMatchObject({
      FRESH_POSITION: 'UNKNOWN',
      TANK_FITS: 'UNKNOWN',
      PRODUCT_MATCHES: 'UNKNOWN',
    })
  })

  test.each([
    ['the postal code there', { postalCode: '78701' }, 'PASS', 'POSTAL_CODE'],
    ['a postal code within its reach', { postalCode: '78704-1234', state: 'TX' }, 'PASS', 'POSTAL_CODE'],
    ['a postal code far away', { postalCode: '75201' }, 'FAIL', 'POSTAL_CODE'],
    ['the city there', { city: 'AUSTIN', state: 'TX' }, 'PASS', 'CITY'],
    ['a city far away', { city: 'Dallas', state: 'TX' }, 'FAIL', 'CITY'],
    ['a postal code that contradicts its state', { postalCode: '75201', state: 'AK' }, 'UNKNOWN', null],
    ['an unknown postal code', { postalCode: '00000' }, 'UNKNOWN', null],
  ])('without coordinates is decided by %s', async (_, address, outcome, source) => {
    const { truck } = await newFleet()
    const merchant = { name: 'Fuel', categoryCode: '5542', address: { country: 'US', ...address } }
    const { check: made } = await check(purchase({ vehicleId: truck, merchant }))
    expect(outcomes(made)['NEAR_MERCHANT']).toBe(outcome)
    const decisions: Readonly<Record<string, string>> = { PASS: 'APPROVE', FAIL: 'DECLINE' }
    expect(made.wouldBe.v1).toBe(decisions[outcome] ?? 'UNKNOWN')
    expect(made.evidence['merchantPlaceSource']).toBe(source)
  })

  test('compares the postal codes of two purchases of a card', async () => {
    const { truck, bare } = await newFleet()
    const merchantIn = (postalCode: string) => ({
      name: 'Fuel',
      categoryCode: '5542',
      address: { country: 'US', postalCode },
    })
    const outcomeOf = async (vehicleId: string, postalCode: string) => {
      const input = purchase({ vehicleId, cardId: 'zip', merchant: merchantIn(postalCode) })
      return outcomes((await check(input)).check)['ONE_CARD_TWO_PLACES']
    }
    expect(await outcomeOf(truck, '78701')).toBe('PASS')
    expect(await outcomeOf(bare, '78704')).toBe('PASS')
    expect(await outcomeOf(bare, '75201')).toBe('FAIL')
  })

  test('of an earlier version has no source of the place', async () => {
    const { truck } = await newFleet()
    const { check: made } = await check(purchase({ vehicleId: truck }))
    await db.transaction((tx) =>
      tx.run(
        "UPDATE `purchase_checks` SET `evidence` = JSON_REMOVE(`evidence`, '$.merchantPlaceSource') WHERE `id` = ?",
        [made.id],
      ),
    )
    const document = documentOf(
      'query ($id: ID!) { purchaseCheck(id: $id) { evidence { merchantAccuracyMeters merchantPlaceSource } } }',
    )
    const request = { client: application.client, document, variables: { id: made.id } }
    const { data, errors } = await ask(executor, contextFor, request)
    expect(errors).toBeUndefined()
    expect(data).toEqual({
      purchaseCheck: { evidence: { merchantAccuracyMeters: 50, merchantPlaceSource: null } },
    })
  })

  test('of an inactive vehicle would be declined', async () => {
    const { inactive } = await newFleet()
    const { check: made } = await check(purchase({ vehicleId: inactive }))
    expect(outcomes(made)['CONNECTED']).toBe('FAIL')
    expect(made.wouldBe.v1).toBe('DECLINE')
  })

  test('of the past uses the position and the fuel level of that time', async () => {
    const { truck } = await newFleet()
    const at = new Date(Date.now() - 6 * HOUR + 2 * MINUTE).toISOString()
    const { check: made } = await check(purchase({ vehicleId: truck, at, fuel: { liters: 90 } }))
    expect(made.evidence).toMatchObject({ position: DALLAS, fuelPercent: 90 })
    expect(outcomes(made)).toMatchObject({ NEAR_MERCHANT: 'FAIL', TANK_FITS: 'FAIL' })
  })

  test('compares the purchase with others of the card and of the vehicle', async () => {
    const { truck, bare } = await newFleet()
    await check(purchase({ vehicleId: truck, cardId: 'shared', fuel: { liters: 250 } }))
    const elsewhere = { name: 'Far', categoryCode: '5542', coordinates: DALLAS }
    const { check: second } = await check(
      purchase({ vehicleId: bare, cardId: 'shared', merchant: elsewhere }),
    )
    expect(outcomes(second)['ONE_CARD_TWO_PLACES']).toBe('FAIL')
    const { check: third } = await check(purchase({ vehicleId: truck, fuel: { liters: 100 } }))
    expect(outcomes(third)['TANK_FITS']).toBe('FAIL')
  })

  test('does not take an old fuel level for a new one', async () => {
    const { stale } = await newFleet()
    const { check: made } = await check(purchase({ vehicleId: stale, fuel: { liters: 300 } }))
    expect(outcomes(made)['TANK_FITS']).toBe('UNKNOWN')
    expect(made.evidence['fuelPercent']).toBe(90)
  })

  test('of the past uses the position after it, if that is closer', async () => {
    const { truck } = await newFleet()
    const at = new Date(Date.now() - 5 * MINUTE).toISOString()
    const { check: made } = await check(purchase({ vehicleId: truck, at }))
    expect(made.evidence).toMatchObject({ position: AUSTIN, fuelPercent: 90 })
  })

  test('of dyed diesel, or with a declined purchase elsewhere, is not declined', async () => {
    const { truck } = await newFleet()
    const dyed = await check(purchase({ vehicleId: truck, fuel: { liters: 350, product: 'DYED_DIESEL' } }))
    expect(dyed.check.wouldBe.v2).toBe('UNKNOWN')
    const far = { name: 'Far', categoryCode: '5542', coordinates: DALLAS }
    const attempt = await check(purchase({ vehicleId: truck, cardId: 'stolen', merchant: far }))
    await db.transaction((tx) =>
      tx.run("UPDATE `purchase_checks` SET `decision` = 'decline' WHERE `id` = ?", [attempt.check.id]),
    )
    const honest = await check(purchase({ vehicleId: truck, cardId: 'stolen' }))
    expect(outcomes(honest.check)['ONE_CARD_TWO_PLACES']).toBe('PASS')
  })

  test('of a capture compares it with other captures, and with the level before the fill', async () => {
    const { truck } = await newFleet()
    const at = new Date().toISOString()
    await check(purchase({ vehicleId: truck, fuel: { liters: 250 } }))
    const { check: capture } = await check(
      purchase({ vehicleId: truck, phase: 'CAPTURE', at, fuel: { liters: 100 } }),
    )
    // The level of 25 percent was measured 20 seconds ago, and may contain the fuel. The one before is too old.
    expect(outcomes(capture)['TANK_FITS']).toBe('UNKNOWN')
    expect(capture.evidence['fuelPercent']).toBe(90)
  })

  test('is UNKNOWN about the tank if the liters of a fill since the level are unknown', async () => {
    const { truck } = await newFleet()
    await check(purchase({ vehicleId: truck }))
    const { check: second } = await check(purchase({ vehicleId: truck, fuel: { liters: 100 } }))
    expect(outcomes(second)['TANK_FITS']).toBe('UNKNOWN')
  })

  test('of a hidden vehicle shows nothing of it', async () => {
    const { truck, connection } = await newFleet()
    await setFilters(db, connection, { vehicles: { excludeIds: [truck] } })
    const { check: made } = await check(purchase({ vehicleId: truck, fuel: { liters: 350 } }))
    expect(outcomes(made)).toMatchObject({
      CONNECTED: 'UNKNOWN',
      NEAR_MERCHANT: 'UNKNOWN',
      TANK_FITS: 'UNKNOWN',
    })
    expect(made.wouldBe.v1).toBe('UNKNOWN')
    expect(Object.values(made.evidence).filter((value) => value !== null)).toEqual([50, 'COORDINATES'])
  })

  test('with one key is made once, however many requests send it', async () => {
    const { truck } = await newFleet()
    const input = purchase({ vehicleId: truck })
    const answers = await Promise.all(Array.from({ length: 50 }, () => check(input)))
    expect(new Set(answers.map(({ check: { id } }) => id)).size).toBe(1)
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(await storedChecks()).toHaveLength(1)
    expect(await events()).toHaveLength(1)
    const { errors } = await send({ ...input, amount: { value: 126, currency: 'USD' } })
    expect(errors?.[0]?.extensions?.code).toBe('IDEMPOTENCY_KEY_REUSED')
    const others = await seedApplication(db, [fleet])
    const theirs = await check({ ...input, vehicleId: others.connections[0]!.vehicles[0]!.id }, others.client)
    expect(theirs.replayed).toBe(false)
  })

  test('is replayed with what it found, also when the vehicle is gone', async () => {
    const { truck } = await newFleet()
    const input = purchase({ vehicleId: truck })
    const { check: first } = await check(input)
    await db.transaction((tx) => tx.run('DELETE FROM `vehicles` WHERE `id` = ?', [truck]))
    expect(await check(input)).toMatchObject({
      replayed: true,
      check: { id: first.id, evidence: first.evidence },
    })
  })

  test('is replayed without what a filter hides by then', async () => {
    const { truck, drivers, connection } = await newFleet()
    const input = purchase({ vehicleId: truck, driverId: drivers[0] })
    const { check: first } = await check(input)
    await setFilters(db, connection, {
      vehicles: { excludeIds: [truck] },
      drivers: { excludeIds: [drivers[0]!] },
    })
    const { check: again, replayed } = await check(input)
    expect([again.id, replayed]).toEqual([first.id, true])
    expect(again).toMatchObject({ driver: null, decision: first.decision })
    const placeOfMerchant = [50, 'COORDINATES']
    expect(Object.values(again.evidence).filter((value) => value !== null)).toEqual(placeOfMerchant)
  })

  test('is the same request if a member is null or absent', async () => {
    const { truck } = await newFleet()
    const input = purchase({ vehicleId: truck })
    await check(input)
    expect((await check({ ...input, driverId: null, fuel: null })).replayed).toBe(true)
  })

  test('does not get the error of another request with its key', async () => {
    const { truck } = await newFleet()
    const input = purchase({ vehicleId: truck })
    const [refused, made] = await Promise.all([send({ ...input, vehicleId: newId('vehicle') }), send(input)])
    expect(refused.errors?.[0]?.extensions?.code).toBe('NOT_FOUND')
    expect(made.errors).toBeUndefined()
  })

  test('is refused while the data of the connection is deleted', async () => {
    const { truck, connection } = await newFleet()
    await db.transaction((tx) =>
      tx.run("UPDATE `connections` SET `status` = 'deleting' WHERE `id` = ?", [connection.connection.id]),
    )
    expect((await send(purchase({ vehicleId: truck }))).errors?.[0]?.extensions?.code).toBe('NOT_FOUND')
    expect(await storedChecks()).toEqual([])
  })

  test.each<[string, object, string]>([
    ['an empty key', { idempotencyKey: '' }, 'input.idempotencyKey'],
    ['a key with a line break', { idempotencyKey: 'a\nb' }, 'input.idempotencyKey'],
    ['a long key', { idempotencyKey: 'k'.repeat(256) }, 'input.idempotencyKey'],
    ['the id of another kind', { vehicleId: newId('driver') }, 'input.vehicleId'],
    ['no id of a driver', { driverId: 'Jane' }, 'input.driverId'],
    ['a card number', { cardId: '4242 4242 4242 4242' }, 'input.cardId'],
    ['a card number with points', { cardId: '4242.4242.4242.4242' }, 'input.cardId'],
    ['a capture without its time', { phase: 'CAPTURE' }, 'input.at'],
    ['a price that makes endless liters', { fuel: { unitPrice: 1e-303 } }, 'input.fuel.unitPrice'],
    ['an empty card id', { cardId: ' ' }, 'input.cardId'],
    ['a time in the future', { at: new Date(Date.now() + HOUR).toISOString() }, 'input.at'],
    ['a merchant without a name', { merchant: { name: '', categoryCode: '5542' } }, 'input.merchant.name'],
    [
      'a category of letters',
      { merchant: { name: 'A', categoryCode: 'fuel' } },
      'input.merchant.categoryCode',
    ],
    [
      'a latitude of 91',
      { merchant: { name: 'A', categoryCode: '5542', coordinates: { longitude: 0, latitude: 91 } } },
      'input.merchant.coordinates',
    ],
    [
      'a country in words',
      { merchant: { name: 'A', categoryCode: '5542', address: { country: 'Texas' } } },
      'input.merchant.address.country',
    ],
    [
      'an empty city',
      { merchant: { name: 'A', categoryCode: '5542', address: { country: 'US', city: '' } } },
      'input.merchant.address.city',
    ],
    ['a negative amount', { amount: { value: -1, currency: 'USD' } }, 'input.amount.value'],
    ['a currency in lower case', { amount: { value: 1, currency: 'usd' } }, 'input.amount.currency'],
    ['no liters', { fuel: { liters: 0 } }, 'input.fuel.liters'],
    ['a negative price', { fuel: { unitPrice: -2 } }, 'input.fuel.unitPrice'],
    ['metadata that is a list', { metadata: [1] }, 'input.metadata'],
    ['long metadata', { metadata: { text: 'x'.repeat(4000) } }, 'input.metadata'],
  ])('with %s is refused, and nothing is written', async (_, values, path) => {
    const { truck } = await newFleet()
    const { errors, data } = await send(purchase({ vehicleId: truck, ...values }))
    expect(data).toBeNull()
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', detail: [{ path }] } }])
    expect(await storedChecks()).toEqual([])
    expect(await events()).toEqual([])
  })

  test('names neither vehicle nor driver of another connection', async () => {
    const { truck, drivers } = await newFleet()
    const mine = application
    const others = await seedApplication(db, [fleet, fleet])
    const [first, second] = others.connections
    const codes = await Promise.all(
      [
        send(purchase({ vehicleId: truck }), others.client),
        send(purchase({ vehicleId: second!.vehicles[0]!.id }), others.narrowed(0)),
        send(purchase({ vehicleId: first!.vehicles[0]!.id, driverId: drivers[0] }), others.client),
        send(
          purchase({ vehicleId: first!.vehicles[0]!.id, driverId: second!.drivers[0]!.id }),
          others.client,
        ),
        send(purchase({ vehicleId: newId('vehicle') }), others.client),
      ].map(async (answer) => (await answer).errors?.[0]?.extensions?.code),
    )
    expect(codes).toEqual(Array(5).fill('NOT_FOUND'))
    application = others
    expect(await storedChecks()).toEqual([])
    const input = purchase({ vehicleId: first!.vehicles[0]!.id })
    await check(input, others.narrowed(0))
    const replays = [others.narrowed(1), others.client].map(
      async (client) => (await send(input, client)).errors,
    )
    for (const errors of await Promise.all(replays))
      expect(errors?.[0]?.extensions?.code).toBe('IDEMPOTENCY_KEY_REUSED')
    application = mine
  })

  test('makes few statements, whatever the vehicle has', async () => {
    const { truck } = await newFleet()
    const statements: string[] = []
    const stop = db.onStatement((sql) => void statements.push(sql))
    await check(purchase({ vehicleId: truck, cardId: 'card' }))
    stop()
    const reads = statements.filter((sql) => sql.startsWith('SELECT'))
    expect(reads.length).toBeLessThanOrEqual(6)
    expect(statements.length).toBeLessThanOrEqual(8)
  })

  test('whose reads are late is UNKNOWN, is recorded, and is not replayed otherwise', async () => {
    const { truck } = await newFleet()
    const late: typeof db = {
      ...db,
      rows: (sql, parameters) =>
        sql.includes('FROM `purchase_checks` WHERE') && sql.includes('LIMIT')
          ? new Promise(() => undefined)
          : db.rows(sql, parameters),
    }
    const input = purchase({ vehicleId: truck })
    const { check: made, recorded } = await check(input, undefined, withShortDeadline(late))
    expect([made.decision, made.wouldBe, recorded]).toEqual([
      'UNKNOWN',
      { v1: 'UNKNOWN', v2: 'UNKNOWN', v3: 'UNKNOWN' },
      true,
    ])
    expect(outcomes(made)).toMatchObject({ NEAR_MERCHANT: 'PASS', FREQUENCY: 'UNKNOWN' })
    expect(await check(input)).toMatchObject({ replayed: true, check: { decision: 'UNKNOWN' } })
  })

  test('that is stored too late is rolled back', async () => {
    const { truck } = await newFleet()
    const slow: typeof db = {
      ...db,
      transaction: (work, property) =>
        db.transaction(async (tx) => {
          await expect.poll(() => isOver, { interval: 5, timeout: 5000 }).toBe(true)
          return work(tx)
        }, property),
    }
    let isOver = false
    const input = purchase({ vehicleId: truck })
    const answered = check(input, undefined, withShortDeadline(slow))
    const { recorded } = await answered
    isOver = true
    expect(recorded).toBe(false)
    const { check: later, replayed } = await check(input)
    expect([replayed, later.decision]).toEqual([false, 'APPROVE'])
    expect((await storedChecks()).map(({ id }) => id)).toEqual([later.id])
  })

  test('that runs again, because the answer to its COMMIT was lost, is recorded once', async () => {
    const { truck } = await newFleet()
    const twice: typeof db = {
      ...db,
      async transaction(work, property) {
        await db.transaction(work, property)
        return db.transaction(work, property)
      },
    }
    const input = purchase({ vehicleId: truck })
    const made = await check(input, undefined, contextsOver(twice))
    expect(made).toMatchObject({ recorded: true, replayed: false })
    expect((await storedChecks()).map(({ id }) => id)).toEqual([made.check.id])
    expect(await events()).toHaveLength(1)
  })

  test.each<[string, Partial<Database>]>([
    ['does not answer', { rows: () => new Promise(() => undefined) }],
    ['fails', { rows: () => Promise.reject(new Error('connect ECONNREFUSED')) }],
    ['does not store', { transaction: () => new Promise(() => undefined) }],
    ['refuses to store', { transaction: () => Promise.reject(new Error('read only')) }],
  ])('is UNKNOWN and not recorded if the database %s', async (_, broken) => {
    const { truck } = await newFleet()
    const input = purchase({ vehicleId: truck })
    const { check: made, recorded } = await check(input, undefined, withShortDeadline({ ...db, ...broken }))
    expect([made.decision, recorded]).toEqual(['UNKNOWN', false])
    expect(await storedChecks()).toEqual([])
    expect(await check(input)).toMatchObject({ recorded: true, replayed: false })
  })

  test('is listed and found by its id, within the tenant scope and without hidden vehicles', async () => {
    const { truck, bare, connection } = await newFleet()
    const first = await check(purchase({ vehicleId: truck, cardId: 'card-1' }))
    const second = await check(purchase({ vehicleId: bare }))
    const read = async (text: string, client: ApiClient = application.client) => {
      const { data, errors } = await ask(executor, contextFor, { client, document: documentOf(text) })
      expect(errors).toBeUndefined()
      return data as Record<string, { id?: string; nodes?: { id: string }[] } | null>
    }
    const idsOf = async (args: string, client?: ApiClient) =>
      (await read(`{ purchaseChecks${args} { nodes { id } } }`, client))['purchaseChecks']!.nodes!.map(
        ({ id }) => id,
      )
    expect(await idsOf('')).toEqual([first.check.id, second.check.id])
    expect(await idsOf(`(vehicleIds: ["${bare}"])`)).toEqual([second.check.id])
    expect(await idsOf('(cardId: "card-1")')).toEqual([first.check.id])
    expect(await idsOf('(decision: DECLINE)')).toEqual([])
    expect(await idsOf(`(purchasedAfter: "${new Date(Date.now() + MINUTE).toISOString()}")`)).toEqual([])
    const node = `{ node(id: "${first.check.id}") { ... on PurchaseCheck { decision } } }`
    expect(await read(node)).toEqual({ node: { decision: 'APPROVE' } })
    const others = await seedApplication(db, [fleet])
    expect(await idsOf('', others.client)).toEqual([])
    expect(await read(node, others.client)).toEqual({ node: null })
    await setFilters(db, connection, { vehicles: { excludeIds: [truck] } })
    expect(await idsOf('')).toEqual([second.check.id])
    expect(await read(`{ purchaseCheck(id: "${first.check.id}") { decision } }`)).toEqual({
      purchaseCheck: null,
    })
  })
})

import { Stripe } from 'stripe'
import { describe, expect, test } from 'vitest'
import { fromMinorUnits } from '../../../src/subgraphs/purchases/networks/minor-units.ts'
import {
  captureOfTransaction,
  parseStripeEvent,
  purchaseOfAuthorization,
} from '../../../src/subgraphs/purchases/networks/stripe-messages.ts'
import {
  isSignedWith,
  parseStripeSignature,
} from '../../../src/subgraphs/purchases/networks/stripe-signature.ts'
import {
  AUSTIN_MERCHANT,
  signedByStripe,
  STRIPE_SECRET,
  stripeAuthorization,
  stripeEvent,
  stripeTransaction,
} from '../../support/purchases/stripe-messages.ts'

const parse = (type: string, object: object) =>
  parseStripeEvent(Buffer.from(JSON.stringify(stripeEvent(type, object))))
const purchaseOf = (values: object = {}) =>
  purchaseOfAuthorization(parse('issuing_authorization.request', stripeAuthorization(values)))
const captureOf = (values: object = {}) =>
  captureOfTransaction(parse('issuing_transaction.created', stripeTransaction(values)))
const fuelOf = (fuel: object) => captureOf({ purchase_details: { fuel } })?.fuel

describe('an amount of Stripe', () => {
  test.each([
    [12_345, 'usd', 123.45],
    [1, 'cad', 0.01],
    [12_500, 'mxn', 125],
    [5000, 'jpy', 5000],
    [5000, 'clp', 5000],
    [12_345, 'kwd', 12.345],
    [12_340, 'tnd', 12.34],
    // Two decimals at Stripe, none in ISO 4217.
    [12_500, 'isk', 125],
    [12_500, 'ugx', 125],
    [0, 'usd', 0],
  ])('of %i in %s is %d in the major unit', (amount, currency, value) => {
    expect(fromMinorUnits(amount, currency)).toEqual({ value, currency: currency.toUpperCase() })
  })
})

describe('the fuel of a capture', () => {
  test.each([
    [{ unit: 'us_gallon', quantity_decimal: '25.500000000000', type: 'diesel' }, 96.528, 'diesel'],
    [{ unit: 'imperial_gallon', quantity_decimal: '10', type: 'unleaded_super' }, 45.461, 'gasoline'],
    [{ unit: 'liter', quantity_decimal: '80.125', type: 'unleaded_regular' }, 80.125, 'gasoline'],
    [{ unit: 'liter', quantity_decimal: '0', type: 'unleaded_plus' }, null, 'gasoline'],
    [{ unit: 'liter', quantity_decimal: null, type: 'diesel' }, null, 'diesel'],
    [{ unit: 'liter', quantity_decimal: 'many', type: 'diesel' }, null, 'diesel'],
    [{ unit: 'liter', quantity_decimal: '999999999', type: 'diesel' }, null, 'diesel'],
    [{ unit: 'kilogram', quantity_decimal: '12', type: 'other' }, null, 'other'],
    [{ unit: 'pound', quantity_decimal: '12', type: 'diesel' }, null, 'diesel'],
    [{ unit: 'kilowatt_hour', quantity_decimal: '40', type: 'other' }, null, 'electricity'],
    [{ unit: 'charging_minute', quantity_decimal: '40', type: 'other' }, null, 'electricity'],
    [{ unit: 'barrel', quantity_decimal: '1', type: 'hydrogen' }, null, null],
  ])('%o', (fuel, liters, product) => {
    expect(fuelOf(fuel)).toEqual({ liters, product })
  })

  test('is unknown if Stripe sends none', () => {
    expect(captureOf({ purchase_details: null })?.fuel).toBeNull()
    expect(captureOf({ purchase_details: undefined })?.fuel).toBeNull()
    expect(captureOf({ purchase_details: { fuel: null } })?.fuel).toBeNull()
  })
})

describe('an authorization of Stripe', () => {
  test('has the members of a purchase', () => {
    const metadata = { vehicleId: ' vcl_1 ', driverId: 'drv_1', ours: 'x' }
    const prompts = { odometer: 120_500, driver_id: '77', vehicle_number: '', user_id: null }
    expect(
      purchaseOf({
        card: { id: 'ic_7', metadata },
        fleet: { cardholder_prompt_data: prompts },
        fuel: { type: 'diesel', unit: 'liter', quantity_decimal: '50' },
      }),
    ).toEqual({
      idempotencyKey: 'stripe:iauth_1',
      vehicleId: 'vcl_1',
      driverId: 'drv_1',
      cardId: 'ic_7',
      authorizationId: 'iauth_1',
      merchant: {
        name: 'LONE STAR FUEL',
        categoryCode: '5542',
        siteId: '322',
        address: { city: 'AUSTIN', state: 'TX', postalCode: '78701', country: 'US' },
      },
      amount: { value: 125, currency: 'USD' },
      fuel: { product: 'diesel', liters: 50 },
      phase: 'authorization',
      metadata: { cardholderPrompts: { odometer: 120_500, driver_id: '77' } },
    })
  })

  test('of a merchant that sells no fuel is none', () => {
    const tolls = { ...AUSTIN_MERCHANT, category_code: '4784' }
    expect(purchaseOf({ merchant_data: tolls })).toBeNull()
    expect(captureOf({ merchant_data: tolls })).toBeNull()
    expect(purchaseOf({ merchant_data: { ...AUSTIN_MERCHANT, category_code: '5552' } })).not.toBeNull()
  })

  test('whose amount is increased is another purchase', () => {
    expect(purchaseOf({ request_history: [{ approved: true }] })?.idempotencyKey).toBe('stripe:iauth_1:1')
  })

  test('of a merchant about whom little is known is checked too', () => {
    const merchant_data = { category_code: '5542', network_id: null, name: ' ', country: null, city: null }
    expect(purchaseOf({ merchant_data })?.merchant).toEqual({
      name: 'Unknown merchant',
      categoryCode: '5542',
      siteId: undefined,
      address: null,
    })
    const odd = { ...AUSTIN_MERCHANT, country: 'us', city: 'x'.repeat(256), name: 'a\0b' }
    expect(purchaseOf({ merchant_data: odd })?.merchant).toMatchObject({
      name: 'Unknown merchant',
      address: { country: 'US', city: undefined, state: 'TX' },
    })
  })

  test.each([{ id: 'iauth 1' }, { id: undefined }, { card: 'ic_1' }, { pending_request: null }])(
    'with %o is no authorization',
    (values) => {
      expect(() => purchaseOf(values)).toThrow()
    },
  )
})

test('only a capture of an authorization is a capture', () => {
  expect(captureOf()).toMatchObject({
    idempotencyKey: 'stripe:ipi_1',
    authorizationId: 'iauth_1',
    amount: { value: 98.75, currency: 'USD' },
  })
  expect(captureOf({ authorization: { id: 'iauth_2' } })?.authorizationId).toBe('iauth_2')
  expect(captureOf({ type: 'refund', amount: 9875 })).toBeNull()
  expect(captureOf({ type: 'refund', amount: null, currency: null })).toBeNull()
  expect(captureOf({ authorization: null })).toBeNull()
})

describe('a signature of Stripe', () => {
  const now = Date.now()
  const isValid = ({ body, signature }: { body: string; signature: string }, secret = STRIPE_SECRET) => {
    const parsed = parseStripeSignature(signature, now)
    return parsed !== null && isSignedWith(secret, parsed, Buffer.from(body))
  }

  test('is valid for its body and secret only', () => {
    const message = signedByStripe({ a: 'ü' })
    expect(isValid(message)).toBe(true)
    expect(isValid({ ...message, body: `${message.body} ` })).toBe(false)
    expect(isValid(message, 'whsec_another')).toBe(false)
    expect(isValid(signedByStripe({ a: 1 }, { secret: '' }), '')).toBe(false)
  })

  test('is accepted 300 seconds before and after its time, unlike by the package in the future', () => {
    expect(isValid(signedByStripe({}, { inSeconds: -295 }))).toBe(true)
    expect(isValid(signedByStripe({}, { inSeconds: 295 }))).toBe(true)
    expect(isValid(signedByStripe({}, { inSeconds: -305 }))).toBe(false)
    const future = signedByStripe({}, { inSeconds: 305 })
    expect(isValid(future)).toBe(false)
    expect(Stripe.webhooks.constructEvent(future.body, future.signature, STRIPE_SECRET)).toEqual({})
  })

  test('of the old and the new secret is valid while the secret is rolled', () => {
    const message = signedByStripe({})
    const other = signedByStripe({}, { secret: 'whsec_another' }).signature.split(',')[1]
    expect(isValid({ ...message, signature: `${message.signature.replace(',', `,${other},`)}` })).toBe(true)
  })

  test.each([undefined, '', 't=1', 'v1=00', 't=,v1=', 'nonsense', 't=1e3,v1=1', 't=-1,v1=1,v0=2'])(
    '%s is malformed',
    (header) => {
      expect(parseStripeSignature(header, now)).toBeNull()
    },
  )

  test('has one timestamp', () => {
    const { signature } = signedByStripe({})
    expect(parseStripeSignature(signature, now)).not.toBeNull()
    expect(parseStripeSignature(`${signature},t=1`, now)).toBeNull()
  })
})

import { describe, expect, test } from 'vitest'
import {
  captureOfNotification,
  parseMarqetaMessage,
  purchaseOfTransaction,
} from '../../../src/subgraphs/purchases/networks/marqeta-messages.ts'
import { parseBasicCredentials } from '../../../src/subgraphs/purchases/networks/basic-credentials.ts'
import {
  AUSTIN_ACCEPTOR,
  MARQETA_FUNDING,
  marqetaClearing,
  marqetaTransaction,
} from '../../support/purchases/marqeta-messages.ts'

const purchaseOf = (values: object = {}, method = 'pgfs.authorization') =>
  purchaseOfTransaction(
    parseMarqetaMessage(Buffer.from(JSON.stringify(marqetaTransaction(values, { method })))),
    { ...MARQETA_FUNDING, method },
  )

describe('a transaction of Marqeta', () => {
  test('has the members of a purchase', () => {
    const card = { metadata: { vehicleId: ' vcl_1 ', driverId: 'drv_1', ours: 'x' } }
    expect(purchaseOf({ card })).toEqual({
      idempotencyKey: 'marqeta:txn_1',
      vehicleId: 'vcl_1',
      driverId: 'drv_1',
      cardId: 'card_1',
      authorizationId: 'txn_1',
      merchant: {
        name: 'LONE STAR FUEL',
        categoryCode: '5542',
        siteId: '322',
        address: {
          line1: '101 CONGRESS AVE',
          city: 'AUSTIN',
          state: 'TX',
          postalCode: '78701',
          country: 'US',
        },
      },
      amount: { value: 125.5, currency: 'USD' },
      phase: 'authorization',
    })
  })

  test('has the newer names of an address too', () => {
    const { address, zip, ...acceptor } = AUSTIN_ACCEPTOR
    const card_acceptor = { ...acceptor, street_address: address, postal_code: zip }
    expect(purchaseOf({ card_acceptor })).toEqual(purchaseOf())
  })

  test.each([
    ['USA', 'US'],
    ['can', 'CA'],
    ['MEX', 'MX'],
    ['US', 'US'],
    ['GB', 'GB'],
    ['GBR', undefined],
    ['840', undefined],
    [null, undefined],
  ])('in %s has an address in %s', (country_code, country) => {
    const merchant = purchaseOf({ card_acceptor: { ...AUSTIN_ACCEPTOR, country_code } })?.merchant
    expect(merchant?.address?.country).toBe(country)
  })

  test('has the id of a preceding transaction only if it is an increment', () => {
    const values = { token: 'txn_3', preceding_related_transaction_token: 'txn_1' }
    expect(purchaseOf(values)?.authorizationId).toBe('txn_3')
    expect(purchaseOf(values, 'pgfs.auth_plus_capture')?.authorizationId).toBe('txn_3')
    expect(purchaseOf(values, 'pgfs.authorization.incremental')?.authorizationId).toBe('txn_1')
  })

  test('that is its own capture is an authorization, whatever its times are', () => {
    const method = 'pgfs.auth_plus_capture'
    for (const times of [{}, { user_transaction_time: '', created_time: 'noon' }])
      expect(purchaseOf(times, method)).toEqual(purchaseOf())
  })

  test('of a merchant that sells no fuel, and a balance inquiry, are no purchases', () => {
    expect(purchaseOf({ card_acceptor: { mcc: '4784' } })).toBeNull()
    expect(purchaseOf({ card_acceptor: null }, 'pgfs.balanceinquiry')).toBeNull()
  })

  test.each([{ token: 'txn 1' }, { token: null }, { card_acceptor: null }, { amount: '125' }])(
    'with %o is no purchase',
    (values) => {
      expect(() => purchaseOf(values)).toThrow()
    },
  )
})

test('only a completed capture of an authorization is a capture', () => {
  const capture = {
    idempotencyKey: 'marqeta:txn_2',
    authorizationId: 'txn_1',
    amount: { value: 98.75, currency: 'USD' },
  }
  expect(captureOfNotification(marqetaClearing())).toEqual(capture)
  expect(captureOfNotification(marqetaClearing({ gpa_order: null }))).toEqual(capture)
  expect(captureOfNotification(marqetaClearing({ type: 'authorization.clearing.cashback' }))).toEqual(capture)
  for (const values of [
    { state: 'DECLINED' },
    { state: 'ERROR' },
    { preceding_related_transaction_token: null },
    { card_acceptor: { mcc: '4784' } },
    { type: 'refund', gpa_order: null, amount: null },
  ])
    expect(captureOfNotification(marqetaClearing(values))).toBeNull()
  expect(() => captureOfNotification('txn_2')).toThrow()
})

test('an authorization that is its own capture captures itself when it is completed', () => {
  const own = (values: object) => marqetaTransaction(values, { method: 'pgfs.auth_plus_capture' })
  expect(captureOfNotification(own({ type: 'pindebit', state: 'COMPLETION' }))).toEqual({
    idempotencyKey: 'marqeta:txn_1:capture',
    authorizationId: 'txn_1',
    amount: { value: 125.5, currency: 'USD' },
  })
  for (const values of [
    { state: 'PENDING' },
    { state: 'DECLINED' },
    { state: 'COMPLETION', card_acceptor: { mcc: '4784' } },
  ])
    expect(captureOfNotification(own(values))).toBeNull()
})

test('credentials of basic authentication are decoded', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  expect(parseBasicCredentials(basic('user:pass:word'))).toBe('user:pass:word')
  expect(parseBasicCredentials(basic('user:ü').replace('Basic', 'basic '))).toBe('user:ü')
  for (const header of [
    undefined,
    '',
    'Basic',
    'Basic ',
    basic('user'),
    'Bearer dXNlcjpwYXNz',
    `${basic('a:b')},x`,
  ])
    expect(parseBasicCredentials(header)).toBeNull()
})

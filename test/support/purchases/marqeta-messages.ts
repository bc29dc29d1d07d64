/** User name and password of an endpoint. */
export const MARQETA_CREDENTIALS = 'marqeta:Odograph-test-password-1'

/** Message of Marqeta: a body, and the header `Authorization`. */
export interface MarqetaMessage {
  readonly body: string
  readonly authorization: string
}

export const sentByMarqeta = (body: unknown, credentials = MARQETA_CREDENTIALS): MarqetaMessage => ({
  body: JSON.stringify(body),
  authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
})

/** Time of the transactions. */
const MARQETA_TIME = new Date(Date.now() - 60_000).toISOString()

export const MARQETA_FUNDING = {
  token: '0b1f2c66-7a51-4f3c-9e0d-0c4c5d9c1f01',
  method: 'pgfs.authorization',
  user_token: 'driver_1',
  acting_user_token: 'driver_1',
  amount: 125.5,
}

export const AUSTIN_ACCEPTOR = {
  mid: '322',
  mcc: '5542',
  name: 'LONE STAR FUEL',
  address: '101 CONGRESS AVE',
  city: 'AUSTIN',
  state: 'TX',
  zip: '78701    ',
  country_code: 'USA',
}

/** Transaction whose message asks for a decision. */
export const marqetaTransaction = (values: object = {}, funding: object = {}) => ({
  type: 'authorization',
  state: 'PENDING',
  token: 'txn_1',
  user_token: 'driver_1',
  acting_user_token: 'driver_1',
  card_token: 'card_1',
  user_transaction_time: MARQETA_TIME,
  created_time: MARQETA_TIME,
  request_amount: 125.5,
  amount: 125.5,
  currency_code: 'USD',
  network: 'VISA',
  gpa_order: {
    token: 'order_1',
    amount: 125.5,
    transaction_token: 'txn_1',
    state: 'PENDING',
    currency_code: 'USD',
    jit_funding: { ...MARQETA_FUNDING, ...funding },
  },
  card_acceptor: AUSTIN_ACCEPTOR,
  ...values,
})

/** Transaction that captures an authorization. */
export const marqetaClearing = (values: object = {}) => ({
  ...marqetaTransaction({}, { method: 'pgfs.authorization.capture', amount: 98.75 }),
  type: 'authorization.clearing',
  state: 'COMPLETION',
  token: 'txn_2',
  preceding_related_transaction_token: 'txn_1',
  amount: 98.75,
  ...values,
})

import { Stripe } from 'stripe'

export const STRIPE_SECRET = 'whsec_test_of_the_endpoint_1234567890'

/** Message of Stripe, signed by its own package. */
export interface StripeMessage {
  readonly body: string
  readonly signature: string
}

interface Signing {
  readonly secret?: string
  /** Time of the signature, in seconds from now. */
  readonly inSeconds?: number
}

export function signedByStripe(
  event: object,
  { secret = STRIPE_SECRET, inSeconds = 0 }: Signing = {},
): StripeMessage {
  const body = JSON.stringify(event)
  const timestamp = Math.floor(Date.now() / 1000) + inSeconds
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
  return { body, signature }
}

export const stripeEvent = (type: string, object: object) => ({
  id: 'evt_1',
  object: 'event',
  api_version: '2026-10-28.endive',
  type,
  data: { object },
})

export const AUSTIN_MERCHANT = {
  category: 'automated_fuel_dispensers',
  category_code: '5542',
  network_id: '322',
  name: 'LONE STAR FUEL',
  city: 'AUSTIN',
  state: 'TX',
  postal_code: '78701',
  country: 'US',
  terminal_id: null,
  url: null,
  tax_id: null,
}

/** Authorization whose message asks for a decision. */
export const stripeAuthorization = (values: object = {}) => ({
  id: 'iauth_1',
  object: 'issuing.authorization',
  amount: 0,
  approved: false,
  card: { id: 'ic_1', object: 'issuing.card', last4: '4242', metadata: {} },
  currency: 'usd',
  fleet: null,
  fuel: null,
  merchant_data: AUSTIN_MERCHANT,
  pending_request: {
    amount: 12500,
    amount_details: null,
    currency: 'usd',
    is_amount_controllable: true,
    merchant_amount: 12500,
    merchant_currency: 'usd',
    network_risk_score: null,
  },
  request_history: [],
  ...values,
})

/** Transaction that captures an authorization. */
export const stripeTransaction = (values: object = {}) => ({
  id: 'ipi_1',
  object: 'issuing.transaction',
  amount: -9875,
  authorization: 'iauth_1',
  card: 'ic_1',
  currency: 'usd',
  merchant_data: AUSTIN_MERCHANT,
  type: 'capture',
  purchase_details: {
    fuel: {
      industry_product_code: null,
      quantity_decimal: '25.5',
      type: 'diesel',
      unit: 'us_gallon',
      unit_cost_decimal: '387.2',
    },
  },
  ...values,
})

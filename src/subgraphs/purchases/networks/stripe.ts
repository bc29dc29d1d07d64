import type { CardNetworkProtocol } from './card-network-protocol.ts'
import { captureOfTransaction, parseStripeEvent, purchaseOfAuthorization } from './stripe-messages.ts'
import { isSignedWith, parseStripeSignature } from './stripe-signature.ts'

/** Version of the format of answers, for events that name none. */
const STRIPE_VERSION = '2026-10-28.endive'

/** Webhooks of Stripe Issuing. */
export const stripe: CardNetworkProtocol = {
  name: 'Stripe',
  secretFormat: /^whsec_[\w+/=-]{8,250}$/,
  secretHint: 'Give the signing secret of the endpoint at Stripe. It begins with whsec_.',
  refusal: { code: 'bad_request', message: 'The signature is invalid, or the endpoint does not exist.' },
  credentialsOf({ headers, body }, now) {
    const signature = parseStripeSignature(headers['stripe-signature']?.toString(), now)
    return signature && ((secret) => isSignedWith(secret, signature, body))
  },
  parse(body) {
    const event = parseStripeEvent(body)
    const respond = (content: object) => ({
      status: 200,
      headers: { 'stripe-version': event.api_version ?? STRIPE_VERSION },
      body: content,
    })
    if (event.type === 'issuing_authorization.request')
      return {
        purchase: () => purchaseOfAuthorization(event),
        answer: ({ isApproved, decision, checkId }) =>
          respond({
            approved: isApproved,
            metadata: {
              odographDecision: decision,
              ...(checkId === null ? {} : { odographCheck: checkId }),
            },
          }),
      }
    const isTransaction = event.type === 'issuing_transaction.created'
    return { captures: isTransaction ? [() => captureOfTransaction(event)] : [], answer: respond({}) }
  },
}

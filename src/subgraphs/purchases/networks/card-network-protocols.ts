import type { CardNetwork } from './card-network-endpoint.ts'
import type { CardNetworkProtocol, RawMessage } from './card-network-protocol.ts'
import { marqeta } from './marqeta.ts'
import { stripe } from './stripe.ts'

export const cardNetworkProtocols: Readonly<Record<CardNetwork, CardNetworkProtocol>> = { stripe, marqeta }

/**
 * Returns the network whose credentials a message has, so that its refusal does not depend on the endpoint. Null if it has
 * none.
 */
export function cardNetworkOf({ headers }: Pick<RawMessage, 'headers'>): CardNetwork | null {
  if (headers['stripe-signature'] !== undefined) return 'stripe'
  return headers['authorization'] === undefined ? null : 'marqeta'
}

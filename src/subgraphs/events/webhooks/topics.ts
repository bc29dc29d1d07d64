/** Rung after something changed of which endpoints are to be told: one of them, a delivery, a secret. */
export const WEBHOOKS_TOPIC = 'webhooks'

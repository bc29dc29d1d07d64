/** Topic that is notified after a change of an endpoint, its deliveries or its secrets. */
export const WEBHOOKS_TOPIC = 'webhooks'

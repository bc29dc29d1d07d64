import { createHmac, randomUUID } from 'node:crypto'
import type { Organization } from '../organization.ts'
import type { Switches } from '../behaviours.ts'
import { toTime } from '../formats.ts'
import type { Subscription } from './subscriptions.ts'

/** A webhook message that a test sends. */
export interface WebhookRequest {
  readonly eventType: string
  readonly data?: object
  /** A repeated id marks the same event. */
  readonly eventId?: string
  /** Whether the signature uses a wrong key. */
  readonly forged?: boolean
  /** Age of the signature's timestamp. */
  readonly agedSeconds?: number
}

export interface DeliveryResult {
  readonly url: string
  readonly status: number
}

/** Returns the HMAC-SHA256 of `v1:<timestamp>:<body>` with the decoded secret. */
export const signatureOf = (secretKey: string, timestamp: string, body: string): string =>
  `v1=${createHmac('sha256', Buffer.from(secretKey, 'base64')).update(`v1:${timestamp}:${body}`).digest('hex')}`

/** Sends a webhook to every subscription, and returns the responses. */
export function deliver(
  organization: Organization,
  subscriptions: readonly Subscription[],
  webhook: WebhookRequest,
  switches: Switches,
): Promise<DeliveryResult[]> {
  const subscribed = subscriptions.filter(
    ({ eventTypes }) => eventTypes.length === 0 || eventTypes.includes(webhook.eventType),
  )
  return Promise.all(subscribed.map((one) => deliverTo(one, organization, webhook, switches)))
}

async function deliverTo(
  { id, organization: orgId, url, secretKey, customHeaders }: Subscription,
  { now }: Organization,
  { eventType, data = {}, eventId = randomUUID(), forged = false, agedSeconds = 0 }: WebhookRequest,
  switches: Switches,
): Promise<DeliveryResult> {
  const time = switches.webhookTime === 'eventMs' ? { eventMs: now } : { eventTime: toTime(now, switches) }
  const body = JSON.stringify({ eventId, ...time, eventType, orgId, webhookId: id, data })
  const timestamp = String(Math.floor(now / 1000) - agedSeconds)
  const key = forged ? Buffer.from('somebody else').toString('base64') : secretKey
  const headers = {
    ...Object.fromEntries(customHeaders.map(({ key, value }) => [key, value])),
    'content-type': 'application/json',
    'x-samsara-timestamp': timestamp,
    'x-samsara-signature': signatureOf(key, timestamp, body),
  }
  const response = await fetch(url, { method: 'POST', headers, body })
  return { url, status: response.status }
}

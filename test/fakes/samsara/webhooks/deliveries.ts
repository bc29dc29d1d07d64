import { createHmac, randomUUID } from 'node:crypto'
import type { Organization } from '../organization.ts'
import type { Switches } from '../behaviours.ts'
import { toTime } from '../wording.ts'
import type { Subscription } from './subscriptions.ts'

/** What is to be told, as a test asks for it. */
export interface Telling {
  readonly eventType: string
  readonly data?: object
  /** Another id makes it another event; the same one makes it a repetition. */
  readonly eventId?: string
  /** Signs with a key that is not the subscription's. */
  readonly forged?: boolean
  /** Makes the time of the signature so much older. */
  readonly agedSeconds?: number
}

export interface Delivered {
  readonly url: string
  readonly status: number
}

/** HMAC-SHA256 over `v1:<timestamp>:<body>`, with the decoded secret as its key. */
export const signatureOf = (secretKey: string, timestamp: string, body: string): string =>
  `v1=${createHmac('sha256', Buffer.from(secretKey, 'base64')).update(`v1:${timestamp}:${body}`).digest('hex')}`

/** Tells everyone who wants to know, and comes back with what they answered. */
export function deliver(
  organization: Organization,
  subscriptions: readonly Subscription[],
  telling: Telling,
  switches: Switches,
): Promise<Delivered[]> {
  const wanting = subscriptions.filter(
    ({ eventTypes }) => eventTypes.length === 0 || eventTypes.includes(telling.eventType),
  )
  return Promise.all(wanting.map((one) => deliverTo(one, organization, telling, switches)))
}

async function deliverTo(
  { id, organization: orgId, url, secretKey, customHeaders }: Subscription,
  { now }: Organization,
  { eventType, data = {}, eventId = randomUUID(), forged = false, agedSeconds = 0 }: Telling,
  switches: Switches,
): Promise<Delivered> {
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

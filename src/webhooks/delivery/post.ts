import { secretsIn } from '../../log.ts'
import type { Outgoing } from '../../outgoing/outgoing.ts'
import type { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { Clock, Instant } from '../../time.ts'
import { deliveryAttempts } from '../../watched.ts'
import { verdictOf } from './delivery-schedule.ts'
import type { Message } from './message.ts'
import type { Tried } from './outcome.ts'
import { signedHeaders } from './sign.ts'

/** A secret of an endpoint, opened. */
export interface OpenSecret {
  readonly secret: string
  /** Null for the newest. */
  readonly expiresAt: Instant | null
}

interface Mail {
  readonly endpoint: WebhookEndpoint
  readonly message: Message
  readonly text: string
  readonly secrets: readonly OpenSecret[]
}

interface Tools {
  readonly outgoing: Pick<Outgoing, 'post'>
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Sends a message once, signed with every secret that is valid now. */
export async function post(
  { outgoing, clock, signal }: Tools,
  { endpoint: { url }, message, text, secrets }: Mail,
): Promise<Tried> {
  const startedAt = clock.now()
  const valid = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > startedAt)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Odograph-Webhooks/1',
    ...signedHeaders(
      valid.map(({ secret }) => secret),
      message.delivery.eventId,
      Math.floor(startedAt / 1000),
      text,
    ),
  }
  const answer = await outgoing.post({ url, headers, body: text }, signal)
  const outcome = verdictOf(answer) === 'delivered' ? 'delivered' : 'failed'
  deliveryAttempts.tell({ outcome, ended: answer.outcome, durationMs: answer.durationMs })
  return { url, headers, told: secretsIn(text), answer, startedAt, endedAt: clock.now() }
}

import { findSecrets } from '../../platform/logging/log.ts'
import type { OutboundHttp } from '../../platform/outbound-http/outbound-http.ts'
import type { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { Clock, Instant } from '../../domain/time.ts'
import { deliveryAttempts } from '../../platform/instrumentation.ts'
import { classifyAttempt } from './retry-policy.ts'
import type { Message } from '../messages/message.ts'
import type { AttemptedDelivery } from './attempt-outcome.ts'
import { signatureHeaders } from './signature.ts'

/** A secret of an endpoint, opened. */
export interface OpenSecret {
  readonly secret: string
  /** Null for the newest. */
  readonly expiresAt: Instant | null
}

interface SignedMessage {
  readonly endpoint: WebhookEndpoint
  readonly message: Message
  readonly text: string
  readonly secrets: readonly OpenSecret[]
}

interface SendDeps {
  readonly outboundHttp: Pick<OutboundHttp, 'post'>
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Sends a message once, signed with every secret that is valid now. */
export async function sendAttempt(
  { outboundHttp, clock, signal }: SendDeps,
  { endpoint: { url }, message, text, secrets }: SignedMessage,
): Promise<AttemptedDelivery> {
  const startedAt = clock.now()
  const valid = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > startedAt)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Odograph-Webhooks/1',
    ...signatureHeaders(
      valid.map(({ secret }) => secret),
      message.delivery.eventId,
      Math.floor(startedAt / 1000),
      text,
    ),
  }
  const answer = await outboundHttp.post({ url, headers, body: text }, signal)
  const outcome = classifyAttempt(answer) === 'delivered' ? 'delivered' : 'failed'
  deliveryAttempts.emit({ outcome, ended: answer.outcome, durationMs: answer.durationMs })
  return { url, headers, secretValues: findSecrets(text), answer, startedAt, endedAt: clock.now() }
}

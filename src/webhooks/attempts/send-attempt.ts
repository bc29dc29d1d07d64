import { findSecrets } from '../../platform/logging/log.ts'
import type { OutboundHttp } from '../../platform/outbound-http/outbound-http.ts'
import type { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { EndpointHeader } from '../../subgraphs/events/webhooks/webhook-header.ts'
import type { Clock, Instant } from '../../domain/time.ts'
import { deliveryAttempts } from '../../platform/instrumentation.ts'
import { classifyAttempt } from './retry-policy.ts'
import type { Message } from '../messages/message.ts'
import type { AttemptedDelivery } from './attempt-outcome.ts'
import { REDACTED } from './redact-headers.ts'
import { signatureHeaders } from './signature.ts'

/** Decrypted signing secret of an endpoint. */
export interface SigningSecret {
  readonly secret: string
  /** Null for the newest secret, which does not expire. */
  readonly expiresAt: Instant | null
}

interface MessageToSend {
  readonly endpoint: WebhookEndpoint
  readonly message: Message
  /** Body of the request. */
  readonly text: string
  readonly secrets: readonly SigningSecret[]
  /** Custom headers of the endpoint, decrypted. */
  readonly customHeaders: readonly EndpointHeader[]
}

interface SendDeps {
  readonly outboundHttp: Pick<OutboundHttp, 'post'>
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Sends a message once, with the custom headers of the endpoint. Each secret that is valid now signs it. */
export async function sendAttempt(
  { outboundHttp, clock, signal }: SendDeps,
  { endpoint: { url }, message, text, secrets, customHeaders }: MessageToSend,
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
  const sent = { ...recordOf(customHeaders, ({ value }) => value), ...headers }
  const answer = await outboundHttp.post({ url, headers: sent, body: text }, signal)
  const outcome = classifyAttempt(answer) === 'delivered' ? 'delivered' : 'failed'
  deliveryAttempts.emit({ outcome, ended: answer.outcome, durationMs: answer.durationMs })
  return {
    url,
    headers: { ...recordOf(customHeaders, () => REDACTED), ...headers },
    customHeaders,
    secretValues: findSecrets(text),
    answer,
    startedAt,
    endedAt: clock.now(),
  }
}

/** Names are in lower case, so that a header of the service replaces a custom one whatever the case of its letters. */
const recordOf = (
  headers: readonly EndpointHeader[],
  valueOf: (header: EndpointHeader) => string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(headers.map((header) => [header.name.toLowerCase(), valueOf(header)]))

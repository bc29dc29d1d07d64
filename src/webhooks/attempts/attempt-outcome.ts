import { withoutNul } from '../../domain/text.ts'
import { newId } from '../../domain/ids.ts'
import { redactSecretsByForm } from '../../platform/logging/log.ts'
import { redactSecrets } from '../../platform/logging/redact-secrets.ts'
import type { OutboundResult } from '../../platform/outbound-http/request.ts'
import type { WebhookAttempt } from '../../subgraphs/events/webhooks/webhook-attempt.ts'
import type { DeliveryStatus, WebhookDelivery } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import type { DisabledReason, WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { EndpointHeader } from '../../subgraphs/events/webhooks/webhook-header.ts'
import type { Instant } from '../../domain/time.ts'
import { nextAttemptAt, classifyAttempt } from './retry-policy.ts'
import type { Message } from '../messages/message.ts'
import { headerRedactor } from './redact-headers.ts'

/** Result of processing a message, ready to be written. */
export interface DeliveryOutcome {
  readonly message: Message
  /** New state of the delivery row. */
  readonly delivery: WebhookDelivery
  /** Null if no attempt was made. */
  readonly attempt: WebhookAttempt | null
}

export interface AttemptedDelivery {
  readonly url: string
  /** Headers of the request, to be stored: without the values of the custom headers of the endpoint. */
  readonly headers: Readonly<Record<string, string>>
  readonly customHeaders: readonly EndpointHeader[]
  /** Secrets in the message body, for example the token of a connection. */
  readonly secretValues: readonly string[]
  readonly answer: OutboundResult
  readonly startedAt: Instant
  readonly endedAt: Instant
}

const MAX_HEADERS = 50
const MAX_HEADER_LENGTH = 1000
const MAX_ERROR_LENGTH = 255

/** Outcome of a message after an attempt: delivered, to be retried, or failed. */
export function attemptedOutcome(
  endpoint: WebhookEndpoint,
  message: Message,
  tried: AttemptedDelivery,
): DeliveryOutcome {
  const { answer, startedAt, endedAt } = tried
  const attempts = message.delivery.attempts + 1
  const isDelivered = classifyAttempt(answer) === 'delivered'
  const retryAfter = answer.outcome === 'answered' ? answer.headers['retry-after'] : undefined
  const next = isDelivered
    ? null
    : nextAttemptAt({ attempts, at: endedAt, retrySeconds: endpoint.retrySeconds, retryAfter })
  const status: DeliveryStatus = isDelivered ? 'delivered' : next === null ? 'failed' : 'pending'
  return {
    message,
    delivery: {
      ...message.delivery,
      status,
      attempts,
      nextAttemptAt: next,
      lastAttemptAt: startedAt,
      lastStatusCode: answer.outcome === 'answered' ? answer.statusCode : null,
    },
    attempt: attemptOf(message.delivery, tried, attempts),
  }
}

function attemptOf(
  { id: deliveryId, applicationId, endpointId }: WebhookDelivery,
  { url, headers, answer, startedAt, ...sent }: AttemptedDelivery,
  number: number,
): WebhookAttempt {
  const isAnswered = answer.outcome === 'answered'
  const redact = responseRedactor(sent)
  return {
    id: newId('webhookAttempt', startedAt),
    applicationId,
    endpointId,
    deliveryId,
    number,
    attemptedAt: startedAt,
    durationMs: Math.round(answer.durationMs),
    outcome: answer.outcome,
    statusCode: isAnswered ? answer.statusCode : null,
    error: isAnswered ? null : answer.error.slice(0, MAX_ERROR_LENGTH),
    url,
    requestHeaders: headers,
    responseHeaders: isAnswered ? boundedHeaders(answer.headers, redact) : null,
    responseBody: isAnswered ? withoutNul(redact(answer.body)) : null,
  }
}

/** Returns a function that removes secrets from a response: a receiver may echo the request, in any encoding. */
function responseRedactor({
  secretValues,
  customHeaders,
}: Pick<AttemptedDelivery, 'secretValues' | 'customHeaders'>) {
  const redactHeaders = headerRedactor(customHeaders)
  return (text: string): string => redactSecretsByForm(redactHeaders(redactSecrets(text, secretValues)))
}

const boundedHeaders = (
  headers: Readonly<Record<string, string>>,
  redact: (text: string) => string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => [name.slice(0, MAX_HEADER_LENGTH), redact(value).slice(0, MAX_HEADER_LENGTH)]),
  )

/** Outcome of a message without a payload: it fails with the reason, and other messages are not delayed. */
export function failedPayloadOutcome(
  endpoint: WebhookEndpoint,
  message: Message,
  now: Instant,
): DeliveryOutcome {
  const answer: OutboundResult = { outcome: 'blocked', error: message.payload.error ?? '', durationMs: 0 }
  const request = { url: endpoint.url, headers: {}, customHeaders: [], secretValues: [] }
  const tried = { ...request, answer, startedAt: now, endedAt: now }
  const attempts = message.delivery.attempts + 1
  return {
    message,
    delivery: { ...message.delivery, status: 'failed', attempts, nextAttemptAt: null, lastAttemptAt: now },
    attempt: attemptOf(message.delivery, tried, attempts),
  }
}

const REFUSED_RESULT = 'The database refused the result of this attempt.'

/**
 * Failure that replaces an outcome that the database refuses. It keeps no value that came from the endpoint or was
 * computed from its response.
 */
export const refusedOutcome = ({ message, attempt }: DeliveryOutcome, now: Instant): DeliveryOutcome => ({
  message,
  delivery: {
    ...message.delivery,
    status: 'failed',
    attempts: message.delivery.attempts + (attempt ? 1 : 0),
    nextAttemptAt: null,
    lastAttemptAt: attempt ? now : message.delivery.lastAttemptAt,
  },
  attempt: attempt && {
    ...attempt,
    attemptedAt: now,
    durationMs: 0,
    statusCode: null,
    error: REFUSED_RESULT,
    requestHeaders: {},
    responseHeaders: null,
    responseBody: null,
  },
})

/** Outcome of a message that waits for an earlier message of the same record. */
export const heldOutcome = (message: Message): DeliveryOutcome => ({
  message,
  delivery: { ...message.delivery, status: 'pending', nextAttemptAt: null },
  attempt: null,
})

/** Outcome of a message that the endpoint must not receive any more. */
export const cancelledOutcome = (message: Message): DeliveryOutcome => ({
  message,
  delivery: { ...message.delivery, status: 'cancelled', nextAttemptAt: null },
  attempt: null,
})

/** Delivery health of an endpoint, stored in its progress row. A success resets the failures. */
export interface EndpointHealth {
  failures: number
  failingSince: Instant | null
  lastSuccessAt: Instant | null
  lastAttemptAt: Instant | null
}

/** Adds an attempt to the health. Returns a reason to consider disabling the endpoint, or null. */
export function countAttempt(
  health: EndpointHealth,
  { answer, startedAt, endedAt }: AttemptedDelivery,
): DisabledReason | null {
  health.lastAttemptAt = endedAt
  const verdict = classifyAttempt(answer)
  if (verdict === 'delivered') {
    Object.assign(health, { failures: 0, failingSince: null, lastSuccessAt: endedAt })
    return null
  }
  health.failures++
  health.failingSince ??= startedAt
  if (verdict === 'gone') return 'gone'
  return endedAt - health.failingSince >= FAILING_DAYS_MS ? 'failing' : null
}

const DAY_MS = 86_400_000
const FAILING_DAYS_MS = 5 * DAY_MS

import { newId } from '../../ids.ts'
import { withoutSecrets } from '../../log.ts'
import { withoutEcho } from '../../without-echo.ts'
import type { Answer } from '../../outgoing/outgoing.ts'
import type { WebhookAttempt } from '../../subgraphs/events/webhooks/webhook-attempt.ts'
import type { DeliveryStatus, WebhookDelivery } from '../../subgraphs/events/webhooks/webhook-delivery.ts'
import type { DisabledReason, WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import type { Instant } from '../../time.ts'
import { nextAttemptAt, verdictOf } from './delivery-schedule.ts'
import type { Message } from './message.ts'

/** What is to be recorded of a message. */
export interface Outcome {
  readonly message: Message
  /** The delivery as it is from now on. */
  readonly delivery: WebhookDelivery
  /** Null where nothing was tried. */
  readonly attempt: WebhookAttempt | null
}

export interface Tried {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** What was secret in the message: an event of a connection has its token. */
  readonly told: readonly string[]
  readonly answer: Answer
  readonly startedAt: Instant
  readonly endedAt: Instant
}

const MOST_HEADERS = 50
const LONGEST_HEADER = 1000
const LONGEST_ERROR = 255

/** What an attempt makes of a message. */
export function triedOutcome(endpoint: WebhookEndpoint, message: Message, tried: Tried): Outcome {
  const { answer, startedAt, endedAt } = tried
  const attempts = message.delivery.attempts + 1
  const isDelivered = verdictOf(answer) === 'delivered'
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
  { url, headers, told, answer, startedAt }: Tried,
  number: number,
): WebhookAttempt {
  const isAnswered = answer.outcome === 'answered'
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
    error: isAnswered ? null : answer.error.slice(0, LONGEST_ERROR),
    url,
    requestHeaders: headers,
    responseHeaders: isAnswered ? bounded(answer.headers, told) : null,
    responseBody: isAnswered ? heard(answer.body, told) : null,
  }
}

/** A receiver may say again what it was sent, in whichever form. */
const heard = (text: string, told: readonly string[]): string => withoutSecrets(withoutEcho(text, told))

const bounded = (
  headers: Readonly<Record<string, string>>,
  told: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, MOST_HEADERS)
      .map(([name, value]) => [name.slice(0, LONGEST_HEADER), heard(value, told).slice(0, LONGEST_HEADER)]),
  )

/** Of a message that cannot be made: it is put aside with the reason, and the others go on. */
export function unmadeOutcome(endpoint: WebhookEndpoint, message: Message, now: Instant): Outcome {
  const answer: Answer = { outcome: 'blocked', error: message.body.fault ?? '', durationMs: 0 }
  const tried = { url: endpoint.url, headers: {}, told: [], answer, startedAt: now, endedAt: now }
  const attempts = message.delivery.attempts + 1
  return {
    message,
    delivery: { ...message.delivery, status: 'failed', attempts, nextAttemptAt: null, lastAttemptAt: now },
    attempt: attemptOf(message.delivery, tried, attempts),
  }
}

/** Of a message that waits for an earlier one of the same record. */
export const heldOutcome = (message: Message): Outcome => ({
  message,
  delivery: { ...message.delivery, status: 'pending', nextAttemptAt: null },
  attempt: null,
})

/** Of a message that was to be sent again and that nobody is to be told of any more. */
export const cancelledOutcome = (message: Message): Outcome => ({
  message,
  delivery: { ...message.delivery, status: 'cancelled', nextAttemptAt: null },
  attempt: null,
})

/** How an endpoint has fared since it last took a message, as it is recorded with its progress. */
export interface Standing {
  failures: number
  failingSince: Instant | null
  lastSuccessAt: Instant | null
  lastAttemptAt: Instant | null
}

/** Counts an attempt; gives why the endpoint is to be disabled, where that has to be looked into. */
export function count(standing: Standing, { answer, startedAt, endedAt }: Tried): DisabledReason | null {
  standing.lastAttemptAt = endedAt
  const verdict = verdictOf(answer)
  if (verdict === 'delivered') {
    Object.assign(standing, { failures: 0, failingSince: null, lastSuccessAt: endedAt })
    return null
  }
  standing.failures++
  standing.failingSince ??= startedAt
  if (verdict === 'gone') return 'gone'
  return endedAt - standing.failingSince >= FAILING_DAYS_MS ? 'failing' : null
}

const DAY_MS = 86_400_000
const FAILING_DAYS_MS = 5 * DAY_MS

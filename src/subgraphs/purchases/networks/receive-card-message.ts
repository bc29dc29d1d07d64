import { type Caller, keyHolder } from '../../../auth/caller.ts'
import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import { isPublic, PublicError } from '../../../domain/errors.ts'
import { isId } from '../../../domain/ids.ts'
import type { CheckPurchaseInput } from '../check-purchase-input.ts'
import type { PurchaseCommandsContext } from '../commands.ts'
import type { CaptureForCheckInput } from '../captures/capture-for-check-input.ts'
import type { CheckedPurchase } from '../check-purchase.ts'
import { Deadline } from '../deadline.ts'
import { PurchaseDecision } from '../policy/decide.ts'
import { type CardNetworkEndpoint, openEndpointSecret } from './card-network-endpoint.ts'
import { EndpointLookup, type EndpointLookupDeps } from './endpoint-lookup.ts'
import { isSignedWith, parseStripeSignature } from './stripe-signature.ts'
import {
  captureOfTransaction,
  parseStripeEvent,
  purchaseOfAuthorization,
  type StripeEvent,
} from './stripe-messages.ts'

interface CardNetworkDeps extends EndpointLookupDeps {
  readonly secrets: Pick<EnvelopeEncryption, 'open'>
  /** Time for the whole answer. Default: 1,500 ms, because Stripe waits 2 s with the time on the network. */
  readonly answerMs?: number
}

type Commands = Pick<PurchaseCommandsContext['purchaseCommands'], 'checkPurchase' | 'captureForCheck'>

/** Message of a card network. */
export interface CardMessage {
  /** Header `Stripe-Signature`. */
  readonly signature: string | undefined
  /** Raw body. */
  readonly body: Buffer
  /** Waits for the turn of the caller. Returns its commands. */
  readonly commandsOf: (caller: Caller) => Promise<Commands>
}

/** Response to a card network. */
export interface CardMessageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

/** Answers a message to the endpoint with this id. */
export type ReceiveCardMessage = (endpointId: string, message: CardMessage) => Promise<CardMessageAnswer>

const ANSWER_MS = 1500
/** Version of the format of answers, for events that name none. */
const STRIPE_VERSION = '2026-10-28.endive'

/**
 * Creates the receiver of the messages of card networks. A message with a wrong signature, and one to an unknown
 * endpoint, are refused in the same way. An authorization is always answered in time: with the default decision of its
 * endpoint if the check does not decide. Throws only if the endpoint cannot be read, or a capture cannot be stored.
 */
export function cardMessageReceiver(deps: CardNetworkDeps): ReceiveCardMessage {
  const endpoints = new EndpointLookup(deps)
  return async (endpointId, message) => {
    const deadline = new Deadline(deps.answerMs ?? ANSWER_MS)
    const signature = parseStripeSignature(message.signature, deps.clock.now())
    const endpoint =
      signature && isId('cardNetworkEndpoint', endpointId) ? await endpoints.find(endpointId) : null
    const secret = endpoint ? openEndpointSecret(deps.secrets, endpoint) : ''
    if (!signature || !isSignedWith(secret, signature, message.body) || !endpoint) throw invalidSignature()
    return answer(deps, endpoint, message, deadline)
  }
}

const invalidSignature = () =>
  new PublicError('bad_request', 'The signature is invalid, or the endpoint does not exist.')

async function answer(
  deps: CardNetworkDeps,
  endpoint: CardNetworkEndpoint,
  { body, commandsOf }: CardMessage,
  deadline: Deadline,
): Promise<CardMessageAnswer> {
  const event = parseEvent(body)
  const begin = () => commandsOf(keyHolder(endpoint.applicationId))
  const headers = { 'stripe-version': event.api_version ?? STRIPE_VERSION }
  if (event.type === 'issuing_authorization.request')
    return {
      status: 200,
      headers,
      body: await answerAuthorization(deps, endpoint, { event, begin, deadline }),
    }
  if (event.type === 'issuing_transaction.created')
    await storeCapture(deps, endpoint, { event, begin, deadline })
  return { status: 200, headers, body: {} }
}

function parseEvent(body: Buffer): StripeEvent {
  try {
    return parseStripeEvent(body)
  } catch (cause) {
    throw new PublicError('bad_request', 'The body is not an event of Stripe.', { cause })
  }
}

interface Begun {
  readonly event: StripeEvent
  begin(): Promise<Commands>
  readonly deadline: Deadline
}

async function answerAuthorization(
  { log }: CardNetworkDeps,
  { id: endpointId, applicationId, defaultDecision }: CardNetworkEndpoint,
  { event, begin, deadline }: Begun,
): Promise<object> {
  let purchase: CheckPurchaseInput | null | undefined
  const checked = await settleCheck(deadline, async () => {
    purchase = purchaseOfAuthorization(event)
    return purchase && (await begin()).checkPurchase(purchase)
  })
  const { check, recorded } = checked.value ?? {}
  if (!recorded && purchase !== null)
    log.warn(
      { err: checked.error, applicationId, endpointId, cardId: purchase?.cardId },
      'card authorization was not checked',
    )
  const decision = check?.decision ?? PurchaseDecision.UNKNOWN
  return {
    approved:
      decision === PurchaseDecision.APPROVE || (isUndecided(decision) && defaultDecision === 'approve'),
    metadata: {
      odographDecision: decision,
      ...(check && recorded ? { odographCheck: check.id } : {}),
    },
  }
}

/** A card network cannot ask the cardholder, so CONFIRM gets the default decision too. */
const isUndecided = (decision: PurchaseDecision): boolean =>
  decision === PurchaseDecision.UNKNOWN || decision === PurchaseDecision.CONFIRM

/**
 * Stores a capture. Throws if it could not be stored, so that Stripe sends it again. A message that is not as expected, and
 * a capture without a check of its authorization, would fail again: they are logged.
 */
async function storeCapture(
  { log }: CardNetworkDeps,
  { id: endpointId, applicationId }: CardNetworkEndpoint,
  { event, begin, deadline }: Begun,
): Promise<void> {
  let capture: CaptureForCheckInput | null | undefined
  const checked = await settleCheck(deadline, async () => {
    capture = captureOfTransaction(event)
    return capture && (await begin()).captureForCheck(capture)
  })
  if (capture === null || (checked.error === undefined && checked.value?.recorded)) return
  const ids = { authorizationId: capture?.authorizationId, idempotencyKey: capture?.idempotencyKey }
  log.warn({ err: checked.error, applicationId, endpointId, ...ids }, 'card capture was not stored')
  const { error } = checked
  const isFinal = capture === undefined || (isPublic(error) && error.code !== 'service_unavailable')
  if (!isFinal) throw notStored()
}

const notStored = () =>
  new PublicError('service_unavailable', 'The capture could not be stored in time.', { retryAfterSeconds: 1 })

interface SettledCheck {
  readonly value?: CheckedPurchase | undefined
  readonly error?: unknown
}

/** Waits for a check until the deadline. The error says why there is none. */
async function settleCheck(
  deadline: Deadline,
  check: () => Promise<CheckedPurchase | null>,
): Promise<SettledCheck> {
  try {
    const { isDone, value, error } = await deadline.settle(check())
    return isDone
      ? { value: value ?? undefined }
      : { error: error ?? new Error('the deadline of the answer is over') }
  } catch (error) {
    return { error }
  }
}

import { type Caller, keyHolder } from '../../../auth/caller.ts'
import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import { isPublic, PublicError } from '../../../domain/errors.ts'
import { isId } from '../../../domain/ids.ts'
import type { CheckPurchaseInput } from '../check-purchase-input.ts'
import type { PurchaseCommandsContext } from '../commands.ts'
import type { CaptureForCheckInput } from '../captures/capture-for-check-input.ts'
import type { CheckedPurchase } from '../check-purchase.ts'
import { Deadline } from '../deadline.ts'
import { findByKey, keyHashOf } from '../record-check.ts'
import { PurchaseDecision } from '../policy/decide.ts'
import { type CardNetworkEndpoint, openEndpointSecret } from './card-network-endpoint.ts'
import type {
  AuthorizationMessage,
  AuthorizationOutcome,
  CardMessageAnswer,
  CardNetworkProtocol,
  NetworkMessage,
  InformingMessage,
  RawMessage,
} from './card-network-protocol.ts'
import { cardNetworkOf, cardNetworkProtocols } from './card-network-protocols.ts'
import { EndpointLookup, type EndpointLookupDeps } from './endpoint-lookup.ts'

interface CardNetworkDeps extends EndpointLookupDeps {
  readonly secrets: Pick<EnvelopeEncryption, 'open'>
  /** Time for the whole answer. Default: 1,500 ms. Stripe waits 2 s, and Marqeta 3 s, with the time on the network. */
  readonly answerMs?: number
}

type Commands = Pick<PurchaseCommandsContext['purchaseCommands'], 'checkPurchase' | 'captureForCheck'>

/** Message of a card network. */
export interface CardMessage extends RawMessage {
  /** Waits for the turn of the caller. Returns its commands. */
  readonly commandsOf: (caller: Caller) => Promise<Commands>
}

/** Answers a message to the endpoint with this id. */
export type ReceiveCardMessage = (endpointId: string, message: CardMessage) => Promise<CardMessageAnswer>

const ANSWER_MS = 1500

/**
 * Creates the receiver of the messages of card networks. A message that is not authenticated, one to an endpoint of
 * another network, and one to an unknown endpoint, are refused in the same way. An authorization is always answered in
 * time: with the default decision of its endpoint if the check does not decide. Throws only if the endpoint cannot be
 * read, the message cannot be parsed, or a capture cannot be stored.
 */
export function cardMessageReceiver(deps: CardNetworkDeps): ReceiveCardMessage {
  const endpoints = new EndpointLookup(deps)
  return async (endpointId, message) => {
    const deadline = new Deadline(deps.answerMs ?? ANSWER_MS)
    const network = cardNetworkOf(message)
    if (network === null)
      throw new PublicError(
        'bad_request',
        'The message has neither a signature nor a user name and password.',
      )
    const protocol = cardNetworkProtocols[network]
    const isAuthenticatedBy = protocol.credentialsOf(message, deps.clock.now())
    const found =
      isAuthenticatedBy && isId('cardNetworkEndpoint', endpointId) ? await endpoints.find(endpointId) : null
    const endpoint = found?.network === network ? found : null
    const secret = endpoint ? openEndpointSecret(deps.secrets, endpoint) : ''
    if (!isAuthenticatedBy?.(secret) || !endpoint)
      throw new PublicError(protocol.refusal.code, protocol.refusal.message)
    const parsed = parse(protocol, message.body)
    const begun = {
      begin: () => message.commandsOf(keyHolder(endpoint.applicationId)),
      ofFirstAuthorization: firstAuthorizationFinder(deps, endpoint, protocol),
      deadline,
    }
    if ('purchase' in parsed) return parsed.answer(await decideOn(deps, endpoint, parsed, begun))
    await takeNotification(deps, endpoint, parsed, begun)
    return parsed.answer
  }
}

function parse(protocol: CardNetworkProtocol, body: Buffer): NetworkMessage {
  try {
    return protocol.parse(body)
  } catch (cause) {
    throw new PublicError('bad_request', `The body is not a message of ${protocol.name}.`, { cause })
  }
}

interface Begun {
  begin(): Promise<Commands>
  readonly ofFirstAuthorization: ReturnType<typeof firstAuthorizationFinder>
  readonly deadline: Deadline
}

/**
 * Creates a function that returns a purchase or capture with the id of its first authorization, because it may name an
 * increment.
 */
const firstAuthorizationFinder =
  (
    { db }: Pick<CardNetworkDeps, 'db'>,
    endpoint: Pick<CardNetworkEndpoint, 'applicationId'>,
    { keyOfAuthorization }: Pick<CardNetworkProtocol, 'keyOfAuthorization'>,
  ) =>
  async <Input extends Pick<CheckPurchaseInput, 'authorizationId' | 'idempotencyKey'>>(
    input: Input,
  ): Promise<Input> => {
    const { authorizationId, idempotencyKey } = input
    const key = authorizationId == null ? undefined : keyOfAuthorization?.(authorizationId)
    if (key === undefined || key === idempotencyKey) return input
    const named = await findByKey(db, endpoint, keyHashOf(endpoint, key))
    return { ...input, authorizationId: named?.authorizationId ?? authorizationId }
  }

async function decideOn(
  { log }: CardNetworkDeps,
  { id: endpointId, applicationId, defaultDecision }: CardNetworkEndpoint,
  message: AuthorizationMessage,
  { begin, ofFirstAuthorization, deadline }: Begun,
): Promise<AuthorizationOutcome> {
  let purchase: CheckPurchaseInput | null | undefined
  const checked = await settleCheck(deadline, async () => {
    purchase = message.purchase()
    return purchase && (await begin()).checkPurchase(await ofFirstAuthorization(purchase))
  })
  const { check, recorded } = checked.value ?? {}
  if (!recorded && purchase !== null)
    log.warn(
      { err: checked.error, applicationId, endpointId, cardId: purchase?.cardId },
      'card authorization was not checked',
    )
  const decision = check?.decision ?? PurchaseDecision.UNKNOWN
  return {
    isApproved:
      decision === PurchaseDecision.APPROVE || (isUndecided(decision) && defaultDecision === 'approve'),
    decision,
    checkId: check && recorded ? check.id : null,
  }
}

/** A card network cannot ask the cardholder, so CONFIRM gets the default decision too. */
const isUndecided = (decision: PurchaseDecision): boolean =>
  decision === PurchaseDecision.UNKNOWN || decision === PurchaseDecision.CONFIRM

/** Stores the captures of a message. Throws if the network must send it again: captures are not stored twice. */
async function takeNotification(
  deps: CardNetworkDeps,
  endpoint: CardNetworkEndpoint,
  { captures, unknownMethod }: InformingMessage,
  begun: Begun,
): Promise<void> {
  const { id: endpointId, applicationId } = endpoint
  if (unknownMethod !== undefined)
    deps.log.warn(
      { applicationId, endpointId, method: unknownMethod },
      'card network message has an unknown method',
    )
  let areAllDone = true
  for (const capture of captures)
    areAllDone = (await storeCapture(deps, endpoint, capture, begun)) && areAllDone
  if (!areAllDone) throw notStored()
}

/**
 * Stores a capture. Returns false if the network must send it again. A message that is not as expected, and a capture
 * without a check of its authorization, would fail again: they are only logged.
 */
async function storeCapture(
  { log }: CardNetworkDeps,
  { id: endpointId, applicationId }: CardNetworkEndpoint,
  captureOf: () => CaptureForCheckInput | null,
  { begin, ofFirstAuthorization, deadline }: Begun,
): Promise<boolean> {
  let capture: CaptureForCheckInput | null | undefined
  const checked = await settleCheck(deadline, async () => {
    capture = captureOf()
    return capture && (await begin()).captureForCheck(await ofFirstAuthorization(capture))
  })
  if (capture === null || (checked.error === undefined && checked.value?.recorded)) return true
  const ids = { authorizationId: capture?.authorizationId, idempotencyKey: capture?.idempotencyKey }
  log.warn({ err: checked.error, applicationId, endpointId, ...ids }, 'card capture was not stored')
  const { error } = checked
  return capture === undefined || (isPublic(error) && error.code !== 'service_unavailable')
}

const notStored = () =>
  new PublicError('service_unavailable', 'A capture could not be stored in time.', { retryAfterSeconds: 1 })

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

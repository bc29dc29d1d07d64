import type { Instant } from '../../../domain/time.ts'
import type { CaptureForCheckInput } from '../captures/capture-for-check-input.ts'
import type { CheckPurchaseInput } from '../check-purchase-input.ts'
import type { PurchaseDecision } from '../policy/decide.ts'

/** Message as a card network sends it. */
export interface RawMessage {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

/** Response to a card network. */
export interface CardMessageAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
}

/** What a card network gets for an authorization. */
export interface AuthorizationOutcome {
  readonly isApproved: boolean
  readonly decision: PurchaseDecision
  /** Null without a stored check. */
  readonly checkId: string | null
}

/** Message that asks for a decision. */
export interface AuthorizationMessage {
  /** Returns the purchase. Null if it is not to be checked. Throws if the message is not as expected. */
  purchase(): CheckPurchaseInput | null
  answer(outcome: AuthorizationOutcome): CardMessageAnswer
}

/** Message that only informs. */
export interface InformingMessage {
  /** Captures in the message. Each returns null if it is not to be stored, and throws if it is not as expected. */
  readonly captures: readonly (() => CaptureForCheckInput | null)[]
  /** Method that may ask for a decision, but is not known. */
  readonly unknownMethod?: string | undefined
  readonly answer: CardMessageAnswer
}

export type NetworkMessage = AuthorizationMessage | InformingMessage

/** What differs between card networks. */
export interface CardNetworkProtocol {
  /** Name of the network in messages for people. */
  readonly name: string
  readonly secretFormat: RegExp
  /** Describes the format of a secret. */
  readonly secretHint: string
  /** Makes a secret. Absent if the network makes it. */
  readonly newSecret?: () => string
  /** Status and text for a message that is not authenticated. The same for every endpoint, also for an unknown one. */
  readonly refusal: { readonly code: 'bad_request' | 'unauthorized'; readonly message: string }
  /** Returns a function that compares the credentials of a message with a secret. Null if they are malformed. */
  credentialsOf(message: RawMessage, now: Instant): ((secret: string) => boolean) | null
  /**
   * Returns the idempotency key of the check of an authorization or increment. Absent if increments have the id of their
   * authorization.
   */
  readonly keyOfAuthorization?: (id: string) => string
  /** Parses an authenticated message. Throws if the body is none of the network. */
  parse(body: Buffer): NetworkMessage
}

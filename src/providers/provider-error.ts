/**
 * Kinds of provider errors: credentials are `revoked`, requests are `limited`, a `scope_missing`, the
 * provider is `unavailable`, or a response is `malformed`. Sync decides by the kind alone.
 */
export type ProviderErrorKind = 'revoked' | 'limited' | 'scope_missing' | 'unavailable' | 'malformed'

/** Input of a sign-in that is wrong, if known: no server at its `address`, or its `code` is missing. */
export type SignInFault = 'address' | 'code'

export class ProviderError extends Error {
  constructor(
    readonly kind: ProviderErrorKind,
    message: string,
    {
      retryAfterMs,
      cause,
      timedOut = false,
      signInFault,
    }: {
      retryAfterMs?: number | undefined
      cause?: unknown
      timedOut?: boolean
      signInFault?: SignInFault | undefined
    } = {},
  ) {
    super(message, { cause })
    this.name = 'ProviderError'
    this.timedOut = timedOut
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
    if (signInFault !== undefined) this.signInFault = signInFault
  }

  readonly retryAfterMs?: number
  /** Whether the request timed out. False if it failed otherwise. */
  readonly timedOut: boolean
  readonly signInFault?: SignInFault
}

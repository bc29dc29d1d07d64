/**
 * Why a provider did not answer as hoped: `revoked` credentials, `limited` by its rate, a `scope_missing`,
 * `unavailable` for now, a `malformed` answer. What the engine does next depends on this alone.
 */
export type ProviderErrorKind = 'revoked' | 'limited' | 'scope_missing' | 'unavailable' | 'malformed'

/** What of a sign-in is wrong, where that is known: no such server is at its `address`, or its `code` is missing. */
export type SignInFault = 'address' | 'code'

export class ProviderError extends Error {
  constructor(
    readonly kind: ProviderErrorKind,
    message: string,
    {
      retryAfterMs,
      cause,
      timedOut = false,
      lies,
    }: {
      retryAfterMs?: number | undefined
      cause?: unknown
      timedOut?: boolean
      lies?: SignInFault | undefined
    } = {},
  ) {
    super(message, { cause })
    this.name = 'ProviderError'
    this.timedOut = timedOut
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
    if (lies !== undefined) this.lies = lies
  }

  readonly retryAfterMs?: number
  /** It did not answer in time, as against not at all. */
  readonly timedOut: boolean
  readonly lies?: SignInFault
}

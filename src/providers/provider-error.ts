/**
 * Kind of a failure. The calling code handles each kind differently.
 * - `invalid_credentials`: the provider refuses the credentials, or they are incomplete.
 * - `limited`: the rate limit is used up.
 * - `scope_missing`: the account lacks a permission.
 * - `unavailable`: the provider does not respond, or reports an outage.
 * - `malformed`: the provider refuses the request itself, or its response cannot be read.
 */
export type ProviderErrorKind =
  'invalid_credentials' | 'limited' | 'scope_missing' | 'unavailable' | 'malformed'

/** Wrong input of a sign-in: no server of the provider is at the `address`, or the two-step `code` is required. */
export type SignInFault = 'address' | 'code'

export class ProviderError extends Error {
  constructor(
    readonly kind: ProviderErrorKind,
    message: string,
    {
      retryAfterMs,
      cause,
      timedOut = false,
      isRefusal = false,
      signInFault,
    }: {
      retryAfterMs?: number | undefined
      cause?: unknown
      timedOut?: boolean
      isRefusal?: boolean
      signInFault?: SignInFault | undefined
    } = {},
  ) {
    super(message, { cause })
    this.name = 'ProviderError'
    this.timedOut = timedOut
    this.isRefusal = isRefusal
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
    if (signInFault !== undefined) this.signInFault = signInFault
  }

  readonly retryAfterMs?: number
  /** Whether the request exceeded its time limit. */
  readonly timedOut: boolean
  /** Whether the provider refused the request itself, for example because its cursor has expired. */
  readonly isRefusal: boolean
  readonly signInFault?: SignInFault
}

import { ProviderError } from '../provider-error.ts'
import type { ProviderCredentials, Renewal, RenewableCredentials } from '../provider.ts'
import type { Query } from '../provider-api.ts'

type HeaderTexts = Readonly<Record<string, string>>

/** Authentication of a request. */
export interface RequestSignature {
  readonly headers: HeaderTexts
  /** Base URL of this account, if it differs from that of the provider. */
  readonly baseUrl?: string
  /** Adds the authentication to a body, for providers that expect it there. */
  readonly bodyOf?: (body: unknown) => unknown
  /** Query parameters that authenticate, for providers that expect them in the URL. */
  readonly queryOf?: (path: string) => Query
}

/** Authentication of a request, with the secrets in it. */
export interface RequestSigner extends RequestSignature {
  /** Secrets to redact from responses, logs and errors. */
  readonly secrets: readonly string[]
}

/** Authenticates the requests of an account. The signature may change between requests. */
export interface AccountSigner {
  current(): Promise<RequestSigner>
  /** Returns another signature after the provider refused this one; null if there is none. */
  replacementFor(refused: RequestSigner): Promise<RequestSigner | null>
}

export function fixedSigner(headers: HeaderTexts): AccountSigner {
  const signature = signatureOf({ headers })
  return { current: async () => signature, replacementFor: async () => null }
}

/**
 * Validates a signature and collects its secrets. The scheme of a header such as `Bearer …` is not secret.
 */
function signatureOf(signs: RequestSignature, secrets: readonly string[] = []): RequestSigner {
  const { headers } = signs
  if (!canBeSent(headers))
    throw new ProviderError('revoked', 'the credentials have a form that cannot be sent')
  return { ...signs, secrets: [...secrets, ...Object.values(headers).map(withoutScheme)] }
}

const withoutScheme = (value: string): string => value.replace(/^\w+ +/, '')

/** Checks the headers in advance: the error of `fetch` would quote them. */
function canBeSent(headers: HeaderTexts): boolean {
  try {
    return new Headers(headers) instanceof Headers
  } catch {
    return false
  }
}

interface SignerOptions {
  toSignature(credentials: ProviderCredentials): RequestSignature
  secretsIn(credentials: ProviderCredentials): readonly string[]
}

/** Creates a signer that uses the current credentials of an account for each request. */
export function createSigner(
  credentials: ProviderCredentials,
  renewing: RenewableCredentials,
  { toSignature, secretsIn }: SignerOptions,
): AccountSigner {
  const signatures = new WeakMap<ProviderCredentials, RequestSigner>()
  const credentialsOf = new WeakMap<RequestSigner, ProviderCredentials>()
  let current = credentials
  const signatureWith = (fresh: ProviderCredentials): RequestSigner => {
    current = fresh
    const signature = signatures.get(fresh) ?? signatureOf(toSignature(fresh), secretsIn(fresh))
    signatures.set(fresh, signature)
    credentialsOf.set(signature, fresh)
    return signature
  }
  return {
    current: async () => signatureWith(await renewing.fresh(current)),
    async replacementFor(refused) {
      const replacement = await renewing.replacementFor(credentialsOf.get(refused) ?? current)
      return replacement && signatureWith(replacement)
    },
  }
}

/**
 * Renews credentials of an account that is not stored. Credentials that a fleet entered are exchanged once.
 * Nothing else is renewed, because a renewal may invalidate the credentials that the caller holds.
 */
export function unstoredCredentials(renewal: Renewal, signal: AbortSignal): RenewableCredentials {
  let exchanged: Promise<ProviderCredentials> | undefined
  return {
    fresh: (credentials) =>
      renewal.expiryOf(credentials) === 0
        ? (exchanged ??= renewal.renew(credentials, signal))
        : Promise.resolve(credentials),
    replacementFor: async () => null,
  }
}

/**
 * Runs a request with the current signature. If the provider refuses it, runs the request once more with a
 * replacement.
 */
export async function withSignature<T>(
  signing: AccountSigner,
  request: (signature: RequestSigner) => Promise<T>,
): Promise<T> {
  const signature = await signing.current()
  try {
    return await request(signature)
  } catch (error) {
    const isRefused = error instanceof ProviderError && error.kind === 'revoked'
    const replacement = isRefused ? await signing.replacementFor(signature) : null
    if (replacement === null) throw error
    return request(replacement)
  }
}

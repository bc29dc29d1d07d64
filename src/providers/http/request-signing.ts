import { ProviderError } from '../provider-error.ts'
import type { ProviderCredentials, Renewal, RenewableCredentials } from '../provider.ts'
import type { QueryParams } from '../provider-api.ts'

type HeaderTexts = Readonly<Record<string, string>>

/** Authentication of a request. */
export interface RequestSignature {
  readonly headers: HeaderTexts
  /** Base URL of the account, if it differs from that of the provider. */
  readonly baseUrl?: string
  /** Adds the authentication to a body, for providers that expect it there. */
  readonly bodyOf?: (body: unknown) => unknown
  /** Query parameters that authenticate, for providers that expect them in the URL. */
  readonly queryOf?: (path: string) => QueryParams
}

/** Authentication that can be sent, with the secrets in it. */
export interface ValidSignature extends RequestSignature {
  /** Secrets to redact from responses, logs and errors. */
  readonly secrets: readonly string[]
}

/** Authenticates the requests of an account. The signature may change between requests. */
export interface AccountSigner {
  current(): Promise<ValidSignature>
  /** Returns another signature after the provider refused the given one; null if there is none. */
  replacementFor(refused: ValidSignature): Promise<ValidSignature | null>
}

export function fixedSigner(headers: HeaderTexts): AccountSigner {
  const signature = signatureOf({ headers })
  return { current: async () => signature, replacementFor: async () => null }
}

/** Validates a signature and collects its secrets. The scheme of a header, such as `Bearer`, is not secret. */
function signatureOf(signs: RequestSignature, secrets: readonly string[] = []): ValidSignature {
  const { headers } = signs
  if (!canBeSent(headers))
    throw new ProviderError(
      'invalid_credentials',
      'the credentials contain characters that an HTTP header cannot have',
    )
  return { ...signs, secrets: [...secrets, ...Object.values(headers).map(withoutScheme)] }
}

const withoutScheme = (value: string): string => value.replace(/^\w+ +/, '')

/** Checks the headers before `fetch` does, because its error would quote them. */
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
  const signatures = new WeakMap<ProviderCredentials, ValidSignature>()
  const credentialsOf = new WeakMap<ValidSignature, ProviderCredentials>()
  let current = credentials
  const signatureWith = (fresh: ProviderCredentials): ValidSignature => {
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
 * Creates the renewal for an account whose credentials are not stored. It exchanges credentials that a fleet
 * entered, once. It renews no others, because that may invalidate the credentials that the caller holds.
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
  signer: AccountSigner,
  request: (signature: ValidSignature) => Promise<T>,
): Promise<T> {
  const signature = await signer.current()
  try {
    return await request(signature)
  } catch (error) {
    const isRefused = error instanceof ProviderError && error.kind === 'invalid_credentials'
    const replacement = isRefused ? await signer.replacementFor(signature) : null
    if (replacement === null) throw error
    return request(replacement)
  }
}

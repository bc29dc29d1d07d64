import { ProviderError } from '../provider-error.ts'
import type { ProviderCredentials, Renewal, RenewableCredentials } from '../provider.ts'
import type { Query } from '../provider-api.ts'

type HeaderTexts = Readonly<Record<string, string>>

/** What a request says of on whose behalf it is. */
export interface RequestSignature {
  readonly headers: HeaderTexts
  /** Where this account is served; without it where all are. */
  readonly baseUrl?: string
  /** A body together with what says so, for providers that look for it there. */
  readonly bodyOf?: (body: unknown) => unknown
  /** What says so in the address, for providers that look for it there. */
  readonly queryOf?: (path: string) => Query
}

/** What says on whose behalf a provider is asked. */
export interface RequestSigner extends RequestSignature {
  /** What must not be told or kept where the provider says it again. */
  readonly secrets: readonly string[]
}

/** Signs the requests of an account. Its signature may change from request to request. */
export interface AccountSigner {
  now(): Promise<RequestSigner>
  /** Another, after the provider refused this one; null where there is none. */
  instead(refused: RequestSigner): Promise<RequestSigner | null>
}

export function fixedSigner(headers: HeaderTexts): AccountSigner {
  const signature = signatureOf({ headers })
  return { now: async () => signature, instead: async () => null }
}

/** The words of a header such as `Bearer …` are none of its secrets. */
function signatureOf(signs: RequestSignature, secrets: readonly string[] = []): RequestSigner {
  const { headers } = signs
  if (!canBeSent(headers))
    throw new ProviderError('revoked', 'the credentials have a form that cannot be sent')
  return { ...signs, secrets: [...secrets, ...Object.values(headers).map(withoutScheme)] }
}

const withoutScheme = (value: string): string => value.replace(/^\w+ +/, '')

/** An error that says so would quote them. */
function canBeSent(headers: HeaderTexts): boolean {
  try {
    return new Headers(headers) instanceof Headers
  } catch {
    return false
  }
}

interface SignerOptions {
  toSigns(credentials: ProviderCredentials): RequestSignature
  secretsIn(credentials: ProviderCredentials): readonly string[]
}

/** Signs with the credentials of an account as they are at each request. */
export function createSigner(
  credentials: ProviderCredentials,
  renewing: RenewableCredentials,
  { toSigns, secretsIn }: SignerOptions,
): AccountSigner {
  const signatures = new WeakMap<ProviderCredentials, RequestSigner>()
  const from = new WeakMap<RequestSigner, ProviderCredentials>()
  let now = credentials
  const signatureWith = (fresh: ProviderCredentials): RequestSigner => {
    now = fresh
    const signature = signatures.get(fresh) ?? signatureOf(toSigns(fresh), secretsIn(fresh))
    signatures.set(fresh, signature)
    from.set(signature, fresh)
    return signature
  }
  return {
    now: async () => signatureWith(await renewing.fresh(now)),
    async instead(refused) {
      const other = await renewing.instead(from.get(refused) ?? now)
      return other && signatureWith(other)
    },
  }
}

/**
 * Renews for an account that nothing is stored of. What a fleet typed in is exchanged, once; nothing else is renewed,
 * since that would spend what the caller has.
 */
export function unstoredCredentials(renewal: Renewal, signal: AbortSignal): RenewableCredentials {
  let opened: Promise<ProviderCredentials> | undefined
  return {
    fresh: (credentials) =>
      renewal.endOf(credentials) === 0
        ? (opened ??= renewal.renew(credentials, signal))
        : Promise.resolve(credentials),
    instead: async () => null,
  }
}

/** Asks with what signs now, and where the provider refuses it once more with what takes its place. */
export async function withSignature<T>(
  signing: AccountSigner,
  ask: (signature: RequestSigner) => Promise<T>,
): Promise<T> {
  const signature = await signing.now()
  try {
    return await ask(signature)
  } catch (error) {
    const isRefused = error instanceof ProviderError && error.kind === 'revoked'
    const others = isRefused ? await signing.instead(signature) : null
    if (others === null) throw error
    return ask(others)
  }
}

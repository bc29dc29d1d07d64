import { z } from 'zod'
import { type Clock, systemClock, toInstant, toIso } from '../time.ts'
import { bodyOf, fetched, refusal } from './answered.ts'
import { ProviderError } from './api.ts'
import type { OAuthClient, ProviderCredentials, Renewal } from './provider.ts'

/** What a provider's documents tell of its OAuth 2. */
interface OAuthServer {
  /** The provider's code. */
  readonly provider: string
  /** As a browser reaches it. */
  readonly authorizeUrl: string
  /** As this service reaches it. */
  readonly tokenUrl: string
  readonly clientId: string
  /** What a registered application signs in with beside its id, by HTTP Basic. Without one it is a public client. */
  readonly clientSecret?: string
  /** Of the answers with tokens, texts that are kept with them: whose they are. */
  readonly kept?: readonly string[]
  readonly clock?: Clock
}

/**
 * A client of a provider's OAuth 2 server (RFC 6749, with the PKCE of RFC 7636). Its credentials have `accessToken`,
 * `refreshToken` and `expiresAt`, and what of the answer is kept.
 */
export function oauth(server: OAuthServer): OAuthClient & Renewal {
  const { authorizeUrl, clientId } = server
  return {
    authorizeUrl({ state, challenge, redirectUri }) {
      const url = new URL(authorizeUrl)
      const asked = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
      return url.href
    },

    exchange: ({ code, verifier, redirectUri }, signal) =>
      tokens(
        server,
        {
          grant_type: 'authorization_code',
          client_id: clientId,
          code,
          redirect_uri: redirectUri,
          code_verifier: verifier,
        },
        signal,
      ),

    endOf: ({ expiresAt }) => (expiresAt === undefined ? null : toInstant(expiresAt)),

    async renew(credentials, signal) {
      const { refreshToken } = credentials
      // Not every provider gives one, and none renews a grant without it.
      if (!refreshToken) throw new ProviderError('revoked', 'the grant has no refresh token')
      const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken }
      return { ...credentials, ...(await tokens(server, form, signal)) }
    },
  }
}

const answer = z.looseObject({
  access_token: z.string().min(1),
  /** Absent where the one that there is stays. */
  refresh_token: z.string().min(1).optional(),
  expires_in: z.coerce.number().positive().optional(),
})

/** For servers that do not say how long an access token lasts. */
const UNTOLD_LIFETIME_SECONDS = 3600

async function tokens(
  server: OAuthServer,
  form: Record<string, string>,
  signal: AbortSignal,
): Promise<ProviderCredentials> {
  const { provider, tokenUrl, kept = [], clock = systemClock } = server
  const { headers, secrets } = clientOf(server)
  const request = {
    method: 'POST',
    headers: { accept: 'application/json', ...headers },
    body: new URLSearchParams(form),
  }
  const response = await fetched({ provider, url: new URL(tokenUrl), request, secrets, signal })
  if (!response.ok) throw await refusedGrant(response)
  const { success, data } = answer.safeParse(await bodyOf(response))
  if (!success) throw new ProviderError('malformed', 'the sign-in gave no tokens')
  const { access_token, refresh_token, expires_in = UNTOLD_LIFETIME_SECONDS } = data
  const texts = kept.flatMap((name) => (typeof data[name] === 'string' ? [[name, data[name]] as const] : []))
  return {
    ...Object.fromEntries(texts),
    accessToken: access_token,
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    expiresAt: toIso(clock.now() + Math.round(expires_in * 1000)),
  }
}

/** How the application itself signs in (RFC 6749, 2.3.1). */
function clientOf({ clientId, clientSecret }: OAuthServer): {
  headers: Record<string, string>
  secrets: string[]
} {
  if (clientSecret === undefined) return { headers: {}, secrets: [] }
  const pair = Buffer.from([clientId, clientSecret].map(encodeURIComponent).join(':')).toString('base64')
  return { headers: { authorization: `Basic ${pair}` }, secrets: [clientSecret, pair] }
}

/** A grant that is no good any more is the fleet's matter; a client that is not known is ours, and revokes nothing. */
async function refusedGrant(response: Response): Promise<ProviderError> {
  const { status } = response
  if (status !== 400 && status !== 401) {
    await response.body?.cancel()
    return refusal(response)
  }
  const error = errorIn(await bodyOf(response).catch(() => null))
  if (error === 'invalid_grant') return new ProviderError('revoked', 'the provider refused the grant')
  if (error === 'invalid_scope') return new ProviderError('scope_missing', 'the provider refused the scope')
  return new ProviderError('malformed', `the sign-in answered ${status}`)
}

/** The word of the RFC, which some providers wrap in a sentence of theirs. */
function errorIn(body: unknown): string | undefined {
  const { error, message } = (body ?? {}) as { readonly error?: unknown; readonly message?: unknown }
  return /\binvalid_(?:grant|scope)\b/.exec(`${error ?? message}`)?.[0]
}

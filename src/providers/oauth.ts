import { z } from 'zod'
import { type Clock, systemClock, toInstant, toIso } from '../domain/time.ts'
import { readBody, fetchResponse, errorOfResponse } from './http/http-response.ts'
import { ProviderError } from './provider-error.ts'
import { readErrorText } from './http/bounded-body.ts'
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
  /** Whether it says its secret in the form instead. */
  readonly signsInForm?: boolean
  /** What is asked for, where that must be said. */
  readonly scopes?: readonly string[]
  /** Whether a refresh names the address that the code went to: it is kept as `redirectUri`. */
  readonly namesAddress?: boolean
  /** Whether a 400 without a word that says why refuses the grant: how some word it is not published. */
  readonly refusesWordless?: boolean
  /** Of the answers with tokens, texts that are kept with them: whose they are. */
  readonly keptMembers?: readonly string[]
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
        ...(server.scopes ? { scope: server.scopes.join(' ') } : {}),
      }
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
      return url.href
    },

    async exchange({ code, verifier, redirectUri }, signal) {
      const form = {
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }
      const given = await tokens(server, form, signal)
      return server.namesAddress ? { ...given, redirectUri } : given
    },

    endOf: ({ expiresAt }) => (expiresAt === undefined ? null : toInstant(expiresAt)),

    async renew(credentials, signal) {
      const { refreshToken, redirectUri } = credentials
      // Not every provider gives one, and none renews a grant without it.
      if (!refreshToken) throw new ProviderError('revoked', 'the grant has no refresh token')
      const form = {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: refreshToken,
        ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
      }
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
  const { provider, tokenUrl, keptMembers = [], clock = systemClock } = server
  const { headers, fields, secrets } = clientOf(server)
  const request = {
    method: 'POST',
    headers: { accept: 'application/json', ...headers },
    body: new URLSearchParams({ ...form, ...fields }),
  }
  const response = await fetchResponse({ provider, url: new URL(tokenUrl), request, secrets, signal })
  if (!response.ok) throw await grantError(server, response)
  const { success, data } = answer.safeParse(await readBody(response))
  if (!success) throw new ProviderError('malformed', 'the sign-in gave no tokens')
  const { access_token, refresh_token, expires_in = UNTOLD_LIFETIME_SECONDS } = data
  const texts = keptMembers.flatMap((name) =>
    typeof data[name] === 'string' ? [[name, data[name]] as const] : [],
  )
  return {
    ...Object.fromEntries(texts),
    accessToken: access_token,
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    expiresAt: toIso(clock.now() + Math.round(expires_in * 1000)),
  }
}

interface ClientSigns {
  readonly headers: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
}

/** How the application itself signs in (RFC 6749, 2.3.1). */
function clientOf({ clientId, clientSecret, signsInForm }: OAuthServer): ClientSigns {
  if (clientSecret === undefined) return { headers: {}, fields: {}, secrets: [] }
  if (signsInForm) return { headers: {}, fields: { client_secret: clientSecret }, secrets: [clientSecret] }
  const pair = Buffer.from([clientId, clientSecret].map(encodeURIComponent).join(':')).toString('base64')
  return { headers: { authorization: `Basic ${pair}` }, fields: {}, secrets: [clientSecret, pair] }
}

/** A grant that is no good any more is the fleet's matter; a client that is not known is ours, and revokes nothing. */
async function grantError({ refusesWordless }: OAuthServer, response: Response): Promise<ProviderError> {
  const { status } = response
  if (status !== 400 && status !== 401) {
    await response.body?.cancel()
    return errorOfResponse(response)
  }
  const word = errorWordIn(await readErrorText(response))
  const isGrant = word === undefined ? refusesWordless && status === 400 : word === 'invalid_grant'
  if (isGrant) return new ProviderError('revoked', 'the provider refused the grant')
  if (word === 'invalid_scope') return new ProviderError('scope_missing', 'the provider refused the scope')
  return new ProviderError('malformed', `the sign-in answered ${status}`)
}

/** The word of the RFC, which some providers wrap in a sentence or a member of theirs. */
const errorWordIn = (text: string): string | undefined =>
  /\b(?:invalid_(?:grant|scope|client|request)|unauthorized_client|unsupported_grant_type)\b/.exec(text)?.[0]

import { z } from 'zod'
import { type Clock, systemClock, toInstant, toIso } from '../domain/time.ts'
import { readBody, fetchResponse, errorOfResponse } from './http/http-response.ts'
import { ProviderError } from './provider-error.ts'
import { readErrorText } from './http/bounded-body.ts'
import type { OAuthClient, ProviderCredentials, Renewal } from './provider.ts'

/** OAuth 2 settings of a provider. */
interface OAuthServer {
  readonly provider: string
  /** URL for the browser of the user. */
  readonly authorizeUrl: string
  /** URL for requests of this service. */
  readonly tokenUrl: string
  readonly clientId: string
  /** Secret of a confidential client, sent by HTTP Basic. A public client has none. */
  readonly clientSecret?: string
  /** Whether the client secret is sent in the form instead of by HTTP Basic. */
  readonly sendsSecretInForm?: boolean
  /** Requested scopes, if the provider requires them. */
  readonly scopes?: readonly string[]
  /** Whether a refresh request must repeat the redirect URI of the sign-in. The credentials then include it. */
  readonly sendsRedirectUri?: boolean
  /**
   * Whether status 400 without an OAuth error code means a refused grant, for providers that do not document
   * their error codes.
   */
  readonly treatsBare400AsRefusal?: boolean
  /** Text fields of a token response that become part of the credentials, for example the owner. */
  readonly keptFields?: readonly string[]
  readonly clock?: Clock
}

/**
 * Creates a client of a provider's OAuth 2 server (RFC 6749, with PKCE of RFC 7636). Its credentials are
 * `accessToken`, `refreshToken`, `expiresAt` and the kept fields of the token response.
 */
export function oauth(server: OAuthServer): OAuthClient & Renewal {
  const { authorizeUrl, clientId } = server
  return {
    authorizeUrl({ state, challenge, redirectUri }) {
      const url = new URL(authorizeUrl)
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...(server.scopes ? { scope: server.scopes.join(' ') } : {}),
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
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
      const granted = await requestTokens(server, form, signal)
      return server.sendsRedirectUri ? { ...granted, redirectUri } : granted
    },

    expiryOf: ({ expiresAt }) => (expiresAt === undefined ? null : toInstant(expiresAt)),

    async renew(credentials, signal) {
      const { refreshToken, redirectUri } = credentials
      // Some providers issue no refresh token. Without one, the fleet has to sign in again.
      if (!refreshToken) throw new ProviderError('invalid_credentials', 'the grant has no refresh token')
      const form = {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: refreshToken,
        ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
      }
      return { ...credentials, ...(await requestTokens(server, form, signal)) }
    },
  }
}

const tokenResponse = z.looseObject({
  access_token: z.string().min(1),
  /** Absent if the previous refresh token stays valid. */
  refresh_token: z.string().min(1).optional(),
  expires_in: z.coerce.number().positive().optional(),
})

/** Assumed lifetime of an access token if the server does not send one. */
const DEFAULT_LIFETIME_SECONDS = 3600

async function requestTokens(
  server: OAuthServer,
  form: Record<string, string>,
  signal: AbortSignal,
): Promise<ProviderCredentials> {
  const { provider, tokenUrl, keptFields = [], clock = systemClock } = server
  const { headers, fields, secrets } = clientAuthOf(server)
  const request = {
    method: 'POST',
    headers: { accept: 'application/json', ...headers },
    body: new URLSearchParams({ ...form, ...fields }),
  }
  const response = await fetchResponse({ provider, url: new URL(tokenUrl), request, secrets, signal })
  if (!response.ok) throw await grantError(server, response)
  const { success, data } = tokenResponse.safeParse(await readBody(response))
  if (!success) throw new ProviderError('malformed', 'the token response has no access token')
  const { access_token, refresh_token, expires_in = DEFAULT_LIFETIME_SECONDS } = data
  const keptTexts = keptFields.flatMap((name) =>
    typeof data[name] === 'string' ? [[name, data[name]] as const] : [],
  )
  return {
    ...Object.fromEntries(keptTexts),
    accessToken: access_token,
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    expiresAt: toIso(clock.now() + Math.round(expires_in * 1000)),
  }
}

interface ClientAuth {
  readonly headers: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
}

/** Client authentication of the application (RFC 6749, 2.3.1). */
function clientAuthOf({ clientId, clientSecret, sendsSecretInForm }: OAuthServer): ClientAuth {
  if (clientSecret === undefined) return { headers: {}, fields: {}, secrets: [] }
  if (sendsSecretInForm)
    return { headers: {}, fields: { client_secret: clientSecret }, secrets: [clientSecret] }
  const pair = Buffer.from([clientId, clientSecret].map(encodeURIComponent).join(':')).toString('base64')
  return { headers: { authorization: `Basic ${pair}` }, fields: {}, secrets: [clientSecret, pair] }
}

/**
 * Maps an error of the token endpoint. A refused grant is `invalid_credentials`, which disconnects the connection. An
 * unknown client is `malformed`: it is an error in the configuration of this service, and the connection stays
 * connected.
 */
async function grantError(
  { treatsBare400AsRefusal }: OAuthServer,
  response: Response,
): Promise<ProviderError> {
  const { status } = response
  if (status !== 400 && status !== 401) {
    await response.body?.cancel()
    return errorOfResponse(response)
  }
  const errorCode = errorCodeIn(await readErrorText(response))
  const isGrant =
    errorCode === undefined ? treatsBare400AsRefusal && status === 400 : errorCode === 'invalid_grant'
  if (isGrant) return new ProviderError('invalid_credentials', 'the provider refused the grant')
  if (errorCode === 'invalid_scope')
    return new ProviderError('scope_missing', 'the provider refused the scope')
  return new ProviderError('malformed', `the token endpoint answered ${status}`)
}

/** Finds the error code (RFC 6749, 5.2), which some providers put inside a sentence or another field. */
const errorCodeIn = (text: string): string | undefined =>
  /\b(?:invalid_(?:grant|scope|client|request)|unauthorized_client|unsupported_grant_type)\b/.exec(text)?.[0]

import { z } from 'zod'
import { requestJson } from '../http/http-response.ts'
import { MAX_SIGN_IN_BYTES } from '../http/bounded-body.ts'
import { validate } from '../mapping/validate.ts'
import { oauth } from '../oauth.ts'
import type { OAuthClient, ProviderCredentials, Renewal } from '../provider.ts'
import type { Clock } from '../../domain/time.ts'

/**
 * Creates the sign-ins whose credentials expire: OAuth, and user with password. An API key does not expire, so
 * it needs no renewal.
 */
export function createAuth(
  baseUrl: string,
  { browserUrl = baseUrl, clock }: { readonly browserUrl?: string | undefined; readonly clock?: Clock },
): { readonly oauth: OAuthClient; readonly renewal: Renewal } {
  const oauthClient = oauth({
    provider: 'sandbox',
    authorizeUrl: `${browserUrl}/oauth/authorize`,
    tokenUrl: `${baseUrl}/oauth/token`,
    clientId: 'Odograph',
    keptFields: ['user'],
    ...(clock ? { clock } : {}),
  })
  const renewal: Renewal = {
    expiryOf: (credentials) => (needsSession(credentials) ? 0 : oauthClient.expiryOf(credentials)),
    renew: (credentials, signal) =>
      'password' in credentials
        ? addSession(baseUrl, credentials, signal)
        : oauthClient.renew(credentials, signal),
  }
  return { oauth: oauthClient, renewal }
}

/** Whether the credentials are a user and a password that have no session yet. */
const needsSession = (credentials: ProviderCredentials): boolean =>
  'password' in credentials && !('session' in credentials)

const sessionResponse = z.object({ session: z.string(), expiresAt: z.string() })

/** Signs in and adds the session to the credentials. They keep the password, which renews the session. */
async function addSession(
  baseUrl: string,
  credentials: ProviderCredentials,
  signal: AbortSignal,
): Promise<ProviderCredentials> {
  const { user = '', password = '' } = credentials
  const response = await requestJson({
    provider: 'sandbox',
    url: new URL(`${baseUrl}/sessions`),
    request: { method: 'POST', body: JSON.stringify({ user, password }) },
    signal,
    maxBytes: MAX_SIGN_IN_BYTES,
  })
  return { ...credentials, ...validate(sessionResponse, response) }
}

import { z } from 'zod'
import { requestJson } from '../http/http-response.ts'
import { MAX_SIGN_IN_BYTES } from '../http/bounded-body.ts'
import { validate } from '../mapping/validate.ts'
import { oauth } from '../oauth.ts'
import type { OAuthClient, ProviderCredentials, Renewal } from '../provider.ts'
import type { Clock } from '../../domain/time.ts'

/** The ways to sign in whose credentials end. An API key does not: it is sent as it is. */
export function createAuth(
  baseUrl: string,
  { browserUrl = baseUrl, clock }: { readonly browserUrl?: string | undefined; readonly clock?: Clock },
): { readonly oauth: OAuthClient; readonly renewal: Renewal } {
  const server = oauth({
    provider: 'sandbox',
    authorizeUrl: `${browserUrl}/oauth/authorize`,
    tokenUrl: `${baseUrl}/oauth/token`,
    clientId: 'Odograph',
    keptFields: ['user'],
    ...(clock ? { clock } : {}),
  })
  const renewal: Renewal = {
    expiryOf: (credentials) => (isTyped(credentials) ? 0 : server.expiryOf(credentials)),
    renew: (credentials, signal) =>
      'password' in credentials
        ? withSession(baseUrl, credentials, signal)
        : server.renew(credentials, signal),
  }
  return { oauth: server, renewal }
}

/** A user and a password that no session was asked for yet. */
const isTyped = (credentials: ProviderCredentials): boolean =>
  'password' in credentials && !('session' in credentials)

const session = z.object({ session: z.string(), expiresAt: z.string() })

/** The password is kept: sessions end, and the next one takes it again. */
async function withSession(
  baseUrl: string,
  credentials: ProviderCredentials,
  signal: AbortSignal,
): Promise<ProviderCredentials> {
  const { user = '', password = '' } = credentials
  const answer = await requestJson({
    provider: 'sandbox',
    url: new URL(`${baseUrl}/sessions`),
    request: { method: 'POST', body: JSON.stringify({ user, password }) },
    signal,
    maxBytes: MAX_SIGN_IN_BYTES,
  })
  return { ...credentials, ...validate(session, answer) }
}

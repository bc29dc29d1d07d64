import { z } from 'zod'
import { answered } from '../answered.ts'
import { MOST_BYTES_SIGNING_IN } from '../bodies.ts'
import { checked } from '../checked.ts'
import { oauth } from '../oauth.ts'
import type { OAuthClient, ProviderCredentials, Renewal } from '../provider.ts'
import type { Clock } from '../../time.ts'

/** The ways to sign in whose credentials end. An API key does not: it is sent as it is. */
export function signInsOf(
  baseUrl: string,
  { browserUrl = baseUrl, clock }: { readonly browserUrl?: string | undefined; readonly clock?: Clock },
): { readonly oauth: OAuthClient; readonly renewal: Renewal } {
  const server = oauth({
    provider: 'sandbox',
    authorizeUrl: `${browserUrl}/oauth/authorize`,
    tokenUrl: `${baseUrl}/oauth/token`,
    clientId: 'Odograph',
    kept: ['user'],
    ...(clock ? { clock } : {}),
  })
  const renewal: Renewal = {
    endOf: (credentials) => (isTyped(credentials) ? 0 : server.endOf(credentials)),
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
  const answer = await answered({
    provider: 'sandbox',
    url: new URL(`${baseUrl}/sessions`),
    request: { method: 'POST', body: JSON.stringify({ user, password }) },
    signal,
    mostBytes: MOST_BYTES_SIGNING_IN,
  })
  return { ...credentials, ...checked(session, answer) }
}

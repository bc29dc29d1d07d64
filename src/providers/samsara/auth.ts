import type { Clock } from '../../domain/time.ts'
import { readBody, fetchResponse, errorOfResponse } from '../http/http-response.ts'
import { ProviderError } from '../provider-error.ts'
import { readErrorText } from '../http/bounded-body.ts'
import { validate } from '../mapping/validate.ts'
import { oauth } from '../oauth.ts'
import type { OAuthClient, ProviderCredentials, Renewal } from '../provider.ts'
import { organization } from './schemas/roster.ts'
import { lacksPermission } from './error-mapping.ts'

export type Region = 'us' | 'eu' | 'ca'

/** Base URLs of Samsara's regions. An organization is in one of them. The fleet does not have to know in which. */
export type Regions = Readonly<Record<Region, string>>

export const publicRegions: Regions = {
  us: 'https://api.samsara.com',
  eu: 'https://api.eu.samsara.com',
  ca: 'https://api.ca.samsara.com',
}

/** OAuth application registered at Samsara, in one region. */
export interface Application {
  readonly clientId: string
  readonly clientSecret: string
  readonly region?: Region
}

interface AuthOptions {
  readonly provider: string
  readonly regions: Regions
  readonly application?: Application | undefined
  readonly clock?: Clock | undefined
}

interface SignIns {
  readonly renewal: Renewal
  readonly oauth?: OAuthClient
}

/**
 * Creates the sign-in methods: API token and, with a registered application, OAuth. An API token does not expire.
 * Before its first use, its region and organization are looked up.
 */
export function createAuth(options: AuthOptions): SignIns {
  const { application } = options
  const client = application && createOAuthClient(options, application)
  const renewal: Renewal = {
    expiryOf: (credentials) =>
      'accessToken' in credentials
        ? (client?.expiryOf(credentials) ?? null)
        : 'region' in credentials
          ? null
          : 0,
    async renew(credentials, signal) {
      if ('accessToken' in credentials && client) return client.renew(credentials, signal)
      if ('region' in credentials)
        throw new ProviderError('invalid_credentials', 'an API token cannot be renewed')
      return { ...credentials, ...(await findHomeRegion(options, credentials['token'] ?? '', signal)) }
    },
  }
  return client ? { renewal, oauth: client } : { renewal }
}

/** Creates the OAuth client. It adds the region and the organization to the credentials. */
function createOAuthClient(options: AuthOptions, { clientId, clientSecret, region = 'us' }: Application) {
  const { provider, regions, clock } = options
  const server = oauth({
    provider,
    authorizeUrl: `${regions[region]}/oauth2/authorize`,
    tokenUrl: `${regions[region]}/oauth2/token`,
    clientId,
    clientSecret,
    ...(clock ? { clock } : {}),
  })
  return {
    ...server,
    async exchange(grant: Parameters<OAuthClient['exchange']>[0], signal: AbortSignal) {
      const tokens = await server.exchange(grant, signal)
      const ownRegion = { [region]: regions[region] }
      return {
        ...tokens,
        ...(await findHomeRegion({ provider, regions: ownRegion }, tokens['accessToken'] ?? '', signal)),
      }
    },
  }
}

interface LookupOptions {
  readonly provider: string
  readonly regions: Partial<Regions>
}

/** Finds the region that accepts a token, and the organization if the token has the permission to read it. */
async function findHomeRegion(
  { provider, regions }: LookupOptions,
  token: string,
  signal: AbortSignal,
): Promise<ProviderCredentials> {
  for (const [region, baseUrl] of Object.entries(regions)) {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    const request = {
      provider,
      url: new URL(`${baseUrl}/me`),
      request: { headers },
      secrets: [token],
      signal,
    }
    const response = await fetchResponse(request)
    if (response.ok) return { region, organization: validate(organization, await readBody(response)).data.id }
    const errorText = await readErrorText(response)
    await response.body?.cancel()
    if (response.status === 403 || lacksPermission(response.status, errorText)) return { region }
    if (response.status !== 401) throw errorOfResponse(response)
  }
  throw new ProviderError('invalid_credentials', 'no region of Samsara accepts the token')
}

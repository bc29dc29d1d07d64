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

/** Where Samsara serves its regions. An organization is in one of them, which it need not know. */
export type Regions = Readonly<Record<Region, string>>

export const publicRegions: Regions = {
  us: 'https://api.samsara.com',
  eu: 'https://api.eu.samsara.com',
  ca: 'https://api.ca.samsara.com',
}

/** An application that is registered at Samsara, which is in one region. */
export interface Application {
  readonly clientId: string
  readonly clientSecret: string
  readonly region?: Region
}

interface Given {
  readonly provider: string
  readonly regions: Regions
  readonly application?: Application | undefined
  readonly clock?: Clock | undefined
}

interface SignIns {
  readonly renewal: Renewal
  readonly oauth?: OAuthClient
}

/** A token is sent as it is; before its first use its region and organization are found out. */
export function createAuth(given: Given): SignIns {
  const { application } = given
  const client = application && clientOf(given, application)
  const renewal: Renewal = {
    endOf: (credentials) =>
      'accessToken' in credentials
        ? (client?.endOf(credentials) ?? null)
        : 'region' in credentials
          ? null
          : 0,
    async renew(credentials, signal) {
      if ('accessToken' in credentials && client) return client.renew(credentials, signal)
      if ('region' in credentials) throw new ProviderError('revoked', 'a token cannot be renewed')
      return { ...credentials, ...(await findHomeRegion(given, credentials['token'] ?? '', signal)) }
    },
  }
  return client ? { renewal, oauth: client } : { renewal }
}

function clientOf(given: Given, { clientId, clientSecret, region = 'us' }: Application) {
  const { provider, regions, clock } = given
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
    async exchange(code: Parameters<OAuthClient['exchange']>[0], signal: AbortSignal) {
      const tokens = await server.exchange(code, signal)
      const only = { [region]: regions[region] }
      return {
        ...tokens,
        ...(await findHomeRegion({ provider, regions: only }, tokens['accessToken'] ?? '', signal)),
      }
    },
  }
}

interface Asked {
  readonly provider: string
  readonly regions: Partial<Regions>
}

/** The region that knows a token, and whose token it is there, as far as the token may read that. */
async function findHomeRegion(
  { provider, regions }: Asked,
  token: string,
  signal: AbortSignal,
): Promise<ProviderCredentials> {
  for (const [region, baseUrl] of Object.entries(regions)) {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    const asking = { provider, url: new URL(`${baseUrl}/me`), request: { headers }, secrets: [token], signal }
    const response = await fetchResponse(asking)
    if (response.ok) return { region, organization: validate(organization, await readBody(response)).data.id }
    const said = await readErrorText(response)
    await response.body?.cancel()
    if (response.status === 403 || lacksPermission(response.status, said)) return { region }
    if (response.status !== 401) throw errorOfResponse(response)
  }
  throw new ProviderError('revoked', 'no region knows the token')
}

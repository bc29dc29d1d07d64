import type { Clock } from '../../domain/time.ts'
import { readBody, fetchResponse, errorOfResponse } from '../http/http-response.ts'
import { oauth } from '../oauth.ts'
import type { OAuthClient, ProviderCredentials, Renewal } from '../provider.ts'
import type { RequestSignature } from '../http/request-signing.ts'
import { companyIn } from './schemas/company.ts'
import { COMPANY_PATH } from './error-mapping.ts'

/** OAuth application registered at Motive. */
export interface Application {
  readonly clientId: string
  readonly clientSecret: string
}

/** OAuth scopes of the data that the readers need. */
const SCOPES = [
  'companies.read',
  'users.read',
  'vehicles.read',
  'groups.read',
  'eld_devices.read',
  'assets.read',
  'locations.vehicle_locations_list',
  'locations.vehicle_locations_single',
  'driving_periods.read',
  'hos_logs.logs',
  'hos_logs.available_time',
  'driver_performance_events.read',
  'fault_codes.read',
  'utilization.vehicle_utilization',
  'ifta_reports.summary',
]

interface AuthOptions {
  readonly provider: string
  readonly baseUrl: string
  readonly application: Application
  readonly clock?: Clock | undefined
}

/** Creates the OAuth sign-in and the renewal of its tokens, which expire. */
export function createOAuth({ provider, baseUrl, application, clock }: AuthOptions): OAuthClient & Renewal {
  const server = oauth({
    provider,
    authorizeUrl: `${baseUrl}/oauth/authorize`,
    tokenUrl: `${baseUrl}/oauth/token`,
    ...application,
    sendsSecretInForm: true,
    scopes: SCOPES,
    sendsRedirectUri: true,
    treatsBare400AsRefusal: true,
    ...(clock ? { clock } : {}),
  })
  return {
    ...server,
    /** Adds the company to the credentials, because Motive's rate limits are per company. */
    async exchange(code, signal) {
      const tokens = await server.exchange(code, signal)
      const { headers } = signRequestWith(tokens)
      const request = { provider, url: new URL(baseUrl + COMPANY_PATH), request: { headers }, signal }
      const response = await fetchResponse({ ...request, secrets: Object.values(headers) })
      if (response.ok) return { ...tokens, organization: String(companyIn(await readBody(response)).id) }
      await response.body?.cancel()
      throw errorOfResponse(response)
    },
  }
}

/**
 * Returns the headers of a request. None asks for a time zone or for units: dates are then in UTC, and records state
 * their units. Motive does not always respect the header for metric units.
 */
export const signRequestWith = ({ accessToken, apiKey = '' }: ProviderCredentials): RequestSignature => ({
  headers: {
    accept: 'application/json',
    ...(accessToken === undefined ? { 'x-api-key': apiKey } : { authorization: `Bearer ${accessToken}` }),
  },
})

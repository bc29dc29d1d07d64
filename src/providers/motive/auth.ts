import type { Clock } from '../../domain/time.ts'
import { readBody, fetchResponse, errorOfResponse } from '../http/http-response.ts'
import { oauth } from '../oauth.ts'
import type { OAuthClient, ProviderCredentials, Renewal } from '../provider.ts'
import type { RequestSignature } from '../http/request-signing.ts'
import { companyIn } from './schemas/company.ts'
import { COMPANY_PATH } from './error-mapping.ts'

/** An application that is registered at Motive. */
export interface Application {
  readonly clientId: string
  readonly clientSecret: string
}

/** What is read, by the names that Motive has for it. */
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

interface Given {
  readonly provider: string
  readonly baseUrl: string
  readonly application: Application
  readonly clock?: Clock | undefined
}

/** A key is sent as it is and does not end; what OAuth gives does. */
export function createOAuth({ provider, baseUrl, application, clock }: Given): OAuthClient & Renewal {
  const server = oauth({
    provider,
    authorizeUrl: `${baseUrl}/oauth/authorize`,
    tokenUrl: `${baseUrl}/oauth/token`,
    ...application,
    signsInForm: true,
    scopes: SCOPES,
    namesAddress: true,
    refusesWordless: true,
    ...(clock ? { clock } : {}),
  })
  return {
    ...server,
    /** The company is kept, since by it Motive counts. */
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
 * Neither a zone nor units are asked for: without them dates are of UTC, and everything is in the units that it says of
 * itself, while the header that asks for metric ones does not always count.
 */
export const signRequestWith = ({ accessToken, apiKey = '' }: ProviderCredentials): RequestSignature => ({
  headers: {
    accept: 'application/json',
    ...(accessToken === undefined ? { 'x-api-key': apiKey } : { authorization: `Bearer ${accessToken}` }),
  },
})

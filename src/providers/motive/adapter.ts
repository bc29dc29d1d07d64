import type { Clock } from '../../domain/time.ts'
import { createProviderApi } from '../http/create-provider-api.ts'
import type { LimiterFor } from '../rate-limit/rate-limiter.ts'
import { secretsIn } from '../credential-secrets.ts'
import type { FleetAccount, ProviderAdapter, ProviderCredentials, RenewableCredentials } from '../provider.ts'
import { createSigner, unstoredCredentials } from '../http/request-signing.ts'
import { rateLimits } from './rate-limits.ts'
import { notifications } from './webhook-notifications.ts'
import { manifestWith } from './manifest.ts'
import { passthroughRefusal } from './passthrough-rules.ts'
import { fetchCompany } from './readers/company.ts'
import { faultCodes } from './readers/faults.ts'
import { hours } from './readers/hos.ts'
import { latest } from './readers/latest.ts'
import { positionReaders } from './readers/positions.ts'
import { dailyTotals } from './readers/daily-totals.ts'
import { rosterReaders } from './readers/roster.ts'
import { findCameraMedia, safetyEvents } from './readers/safety.ts'
import { trips } from './readers/trips.ts'
import { errorMapping, distinguishScopeErrors } from './error-mapping.ts'
import { type Application, createOAuth, signRequestWith } from './auth.ts'
import { toTimeZone } from './time-zones.ts'

const readers: ProviderAdapter['readers'] = {
  ...rosterReaders,
  Trip: trips,
  SafetyEvent: safetyEvents,
  FaultCodeEvent: faultCodes,
  ...hours,
  ...positionReaders,
  ...dailyTotals,
}

interface Options {
  /** Base URL of the API. Motive's own by default. */
  readonly baseUrl?: string
  /** OAuth application. Without one, fleets can sign in only with an API key. */
  readonly application?: Application
  readonly clock?: Clock
}

/** Renewal for API keys, which neither expire nor can be renewed. */
const nonExpiring: RenewableCredentials = {
  fresh: (credentials) => Promise.resolve(credentials),
  replacementFor: () => Promise.resolve(null),
}

/** Adapter of Motive's API, based on its public documentation. */
export function motiveAdapter(limiterFor?: LimiterFor, options: Options = {}): ProviderAdapter {
  const { baseUrl = 'https://api.gomotive.com', application, clock } = options
  const manifest = manifestWith({ isRegistered: application !== undefined })
  const { code: provider, signIns } = manifest
  const oauth = application && createOAuth({ provider, baseUrl, application, clock })
  return {
    manifest,
    passthrough: true,
    passthroughRefusal,
    ...(oauth ? { oauth, renewal: oauth } : {}),
    api: (
      credentials,
      signal,
      priority = 'background',
      renewing = oauth ? unstoredCredentials(oauth, signal) : nonExpiring,
    ) =>
      distinguishScopeErrors(
        createProviderApi({
          provider,
          baseUrl,
          headers: createSigner(credentials, renewing, {
            toSignature: signRequestWith,
            secretsIn: (current) => secretsIn(current, signIns),
          }),
          signal,
          errorMapping,
          ...(limiterFor
            ? { limiter: limiterFor({ provider, rateLimits, account: accountOf(credentials), priority }) }
            : {}),
        }),
      ),
    async identify(api): Promise<FleetAccount> {
      const { id, name, dot_ids: dotNumbers, time_zone: zone } = await fetchCompany(api)
      return {
        sourceId: String(id),
        name: name ?? 'Motive',
        dotNumbers,
        timeZone: toTimeZone(zone),
        user: {},
      }
    },
    readers,
    latest,
    cameraMedia: findCameraMedia,
    notifications,
  }
}

/**
 * Account of the rate limit: the company if known, because Motive counts all credentials of a company together.
 */
const accountOf = ({ organization, apiKey, refreshToken }: ProviderCredentials): string =>
  organization ?? apiKey ?? refreshToken ?? ''

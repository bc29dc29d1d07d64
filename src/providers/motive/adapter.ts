import type { Clock } from '../../domain/time.ts'
import { createProviderApi } from '../http/create-provider-api.ts'
import type { LimiterFor } from '../rate-limit/rate-limiter.ts'
import { secretsIn } from '../credential-secrets.ts'
import type { Account, ProviderAdapter, ProviderCredentials, RenewableCredentials } from '../provider.ts'
import { createSigner, unstoredCredentials } from '../http/request-signing.ts'
import { rateLimits } from './rate-limits.ts'
import { notifications } from './webhook-notifications.ts'
import { manifestWith } from './manifest.ts'
import { whyNotPassed } from './passthrough-rules.ts'
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
import { timeZoneNamed } from './time-zones.ts'

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
  /** Where it is served, if that is not Motive's own. */
  readonly baseUrl?: string
  /** Without one fleets sign in with a key alone. */
  readonly application?: Application
  readonly clock?: Clock
}

/** Of keys: they last, and nothing takes their place. */
const lasting: RenewableCredentials = {
  fresh: (credentials) => Promise.resolve(credentials),
  instead: () => Promise.resolve(null),
}

/** Motive's API, as far as its public pages tell of it. */
export function motiveAdapter(limiterFor?: LimiterFor, options: Options = {}): ProviderAdapter {
  const { baseUrl = 'https://api.gomotive.com', application, clock } = options
  const manifest = manifestWith({ isRegistered: application !== undefined })
  const { code: provider, signIns } = manifest
  const oauth = application && createOAuth({ provider, baseUrl, application, clock })
  return {
    manifest,
    passthrough: true,
    whyNotPassed,
    ...(oauth ? { oauth, renewal: oauth } : {}),
    api: (
      credentials,
      signal,
      priority = 'background',
      renewing = oauth ? unstoredCredentials(oauth, signal) : lasting,
    ) =>
      distinguishScopeErrors(
        createProviderApi({
          provider,
          baseUrl,
          headers: createSigner(credentials, renewing, {
            toSigns: signRequestWith,
            secretsIn: (held) => secretsIn(held, signIns),
          }),
          signal,
          errorMapping,
          ...(limiterFor
            ? { limiter: limiterFor({ provider, rateLimits, account: accountOf(credentials), priority }) }
            : {}),
        }),
      ),
    async identify(api): Promise<Account> {
      const { id, name, dot_ids: dotNumbers, time_zone: zone } = await fetchCompany(api)
      return {
        sourceId: String(id),
        name: name ?? 'Motive',
        dotNumbers,
        timeZone: timeZoneNamed(zone),
        user: {},
      }
    },
    readers,
    latest,
    cameraMedia: findCameraMedia,
    notifications,
  }
}

/** What Motive counts by: all the credentials of a company are counted together, as far as its name is known. */
const accountOf = ({ organization, apiKey, refreshToken }: ProviderCredentials): string =>
  organization ?? apiKey ?? refreshToken ?? ''

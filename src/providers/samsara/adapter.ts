import { type Clock, systemClock } from '../../domain/time.ts'
import type { ErrorMapping } from '../http/http-response.ts'
import { createProviderApi } from '../http/create-provider-api.ts'
import { ProviderError } from '../provider-error.ts'
import type { LimiterFor } from '../rate-limit/rate-limiter.ts'
import { validateParts } from '../mapping/readable-parts.ts'
import { secretsIn } from '../credential-secrets.ts'
import type { FleetAccount, ProviderAdapter, ProviderCredentials } from '../provider.ts'
import { createSigner, type RequestSignature, unstoredCredentials } from '../http/request-signing.ts'
import { rateLimits } from './rate-limits.ts'
import { notifications } from './webhook-notifications.ts'
import { manifestWith } from './manifest.ts'
import { passthroughRefusal } from './passthrough-rules.ts'
import { faultCodes } from './readers/faults.ts'
import { hours } from './readers/hos.ts'
import { latest } from './readers/latest.ts'
import { positionReadersBy } from './readers/positions.ts'
import { dailyTotals } from './readers/daily-totals.ts'
import { rosterReaders } from './readers/roster.ts'
import { findCameraMedia, safetyEvents } from './readers/safety.ts'
import { trips } from './readers/trips.ts'
import { organization } from './schemas/roster.ts'
import { lacksPermission } from './error-mapping.ts'
import { type Application, publicRegions, type Region, type Regions, createAuth } from './auth.ts'

const readersBy = (clock: Clock): ProviderAdapter['readers'] => ({
  ...rosterReaders,
  Trip: trips,
  SafetyEvent: safetyEvents,
  FaultCodeEvent: faultCodes,
  ...hours,
  ...positionReadersBy(clock),
  ...dailyTotals,
})

const errorMapping: ErrorMapping = {
  errorIn: (status, text) =>
    lacksPermission(status, text)
      ? new ProviderError('scope_missing', 'the token lacks the permission to read this data')
      : null,
}

interface Options {
  /** Base URLs of the regions. Samsara's own by default. */
  readonly regions?: Regions
  /** OAuth application. Without one, fleets can sign in only with an API token. */
  readonly application?: Application
  readonly clock?: Clock
}

/** Adapter of Samsara's API, based on the documentation of version 2025-10-23. */
export function samsaraAdapter(limiterFor?: LimiterFor, options: Options = {}): ProviderAdapter {
  const { regions = publicRegions, application, clock = systemClock } = options
  const manifest = manifestWith({ isRegistered: application !== undefined })
  const { code: provider, signIns } = manifest
  const { renewal, oauth } = createAuth({ provider, regions, application, clock })
  return {
    manifest,
    passthrough: true,
    passthroughRefusal,
    ...(oauth ? { oauth } : {}),
    renewal,
    api: (credentials, signal, priority = 'background', renewing = unstoredCredentials(renewal, signal)) =>
      createProviderApi({
        provider,
        baseUrl: regions.us,
        headers: createSigner(credentials, renewing, {
          toSignature: (current) => signatureWith(current, regions),
          secretsIn: (current) => secretsIn(current, signIns),
        }),
        signal,
        errorMapping,
        ...(limiterFor
          ? { limiter: limiterFor({ provider, rateLimits, account: accountOf(credentials), priority }) }
          : {}),
      }),
    async identify(api): Promise<FleetAccount> {
      const { id, name, carrierSettings } = validateParts(organization, await api.get('/me')).data
      const dotNumber = carrierSettings?.dotNumber
      return {
        sourceId: id,
        name: carrierSettings?.carrierName ?? name ?? 'Samsara',
        dotNumbers: dotNumber == null ? [] : [dotNumber],
        timeZone: null,
        user: {},
      }
    },
    readers: readersBy(clock),
    latest,
    notifications,
    cameraMedia: findCameraMedia,
  }
}

const signatureWith = (
  { accessToken, token = '', region }: ProviderCredentials,
  regions: Regions,
): RequestSignature => ({
  headers: { authorization: `Bearer ${accessToken ?? token}`, accept: 'application/json' },
  baseUrl: regions[region as Region] ?? regions.us,
})

/** Account of the rate limit: the organization if known, because Samsara counts all its tokens together. */
const accountOf = ({ organization, token, refreshToken }: ProviderCredentials): string =>
  organization ?? token ?? refreshToken ?? ''

import { systemClock, type Clock } from '../../domain/time.ts'
import { createProviderApi } from '../http/create-provider-api.ts'
import type { ProviderApi } from '../provider-api.ts'
import type { Priority } from '../rate-limit/rate-limit.ts'
import type { LimiterFor } from '../rate-limit/rate-limiter.ts'
import { secretsIn } from '../credential-secrets.ts'
import type { ProviderAdapter, ProviderCredentials } from '../provider.ts'
import { createSigner, unstoredCredentials } from '../http/request-signing.ts'
import { fleetAccountOf } from './account.ts'
import { rateLimits, rateLimitAccountOf, endpointOf } from './rate-limits.ts'
import { errorMapping } from './error-mapping.ts'
import { availableTimeReader } from './readers/hos/available-times.ts'
import { dailyLogReader } from './readers/hos/daily-logs.ts'
import { driverReader } from './readers/drivers.ts'
import { faultReader } from './readers/faults.ts'
import { groupReader } from './readers/groups.ts'
import { manifest } from './manifest.ts'
import { hosLogReader } from './readers/hos/hos-logs.ts'
import { measurementReader } from './readers/measurements.ts'
import { passthroughRefusal } from './passthrough-rules.ts'
import { latestLocationReader, locationReader } from './readers/locations.ts'
import { safetyReader } from './readers/safety.ts'
import { geotabUrl, type UrlOf } from './servers.ts'
import { serverOf, createAuth, signRequestWith } from './auth.ts'
import { trailerReader } from './readers/trailers.ts'
import { tripReader } from './readers/trips.ts'
import { utilizationReader } from './readers/utilization.ts'
import { deviceReader, vehicleReader } from './readers/vehicles.ts'

const readers: ProviderAdapter['readers'] = {
  Group: groupReader,
  Driver: driverReader,
  Vehicle: vehicleReader,
  Trailer: trailerReader,
  Device: deviceReader,
  VehicleLocation: locationReader,
  VehicleStatLog: measurementReader,
  Trip: tripReader,
  SafetyEvent: safetyReader,
  FaultCodeEvent: faultReader,
  HOSLog: hosLogReader,
  HOSDailyLog: dailyLogReader,
  VehicleUtilization: utilizationReader,
}

const latest: ProviderAdapter['latest'] = {
  LatestVehicleLocation: latestLocationReader,
  HOSAvailableTime: availableTimeReader,
}

interface Options {
  readonly fetch?: typeof fetch
  readonly clock?: Clock
  /** Maps a server name to its URL. By default only MyGeotab's servers are allowed. */
  readonly urlOf?: UrlOf
}

/** Adapter of MyGeotab, Geotab's service and API. The account of a fleet is a database. */
export function geotabAdapter(
  limiterFor?: LimiterFor,
  { fetch, clock = systemClock, urlOf = geotabUrl }: Options = {},
): ProviderAdapter {
  const { code: provider, signIns } = manifest
  const limiterOf = (credentials: ProviderCredentials, priority: Priority) =>
    limiterFor?.({ provider, rateLimits, account: rateLimitAccountOf(credentials), priority, endpointOf })
  const renewal = createAuth({ provider, fetch }, { clock, urlOf, limiterOf })
  const signing = {
    toSignature: signRequestWith(urlOf),
    secretsIn: (current: ProviderCredentials) => secretsIn(current, signIns),
  }
  return {
    manifest,
    passthrough: true,
    passthroughRefusal,
    renewal,
    api(
      credentials,
      signal,
      priority = 'background',
      renewing = unstoredCredentials(renewal, signal),
    ): ProviderApi {
      const limiter = limiterOf(credentials, priority)
      return createProviderApi({
        provider,
        baseUrl: urlOf(serverOf(credentials)),
        headers: createSigner(credentials, renewing, signing),
        signal,
        errorMapping,
        ...(fetch ? { fetch } : {}),
        ...(limiter ? { limiter } : {}),
      })
    },
    identify: fleetAccountOf,
    readers,
    latest,
  }
}

import { createProviderApi } from '../http/create-provider-api.ts'
import { secretsIn } from '../credential-secrets.ts'
import type { RateLimit } from '../rate-limit/rate-limit.ts'
import type { LimiterFor } from '../rate-limit/rate-limiter.ts'
import { validate } from '../mapping/validate.ts'
import type { FleetAccount, ProviderAdapter, ProviderCredentials } from '../provider.ts'
import { createSigner, unstoredCredentials } from '../http/request-signing.ts'
import * as engineMappers from './mappers/engine.ts'
import * as hosMappers from './mappers/hos.ts'
import * as rosterMappers from './mappers/roster.ts'
import * as safetyMappers from './mappers/safety.ts'
import * as travelMappers from './mappers/travel.ts'
import type { Clock } from '../../domain/time.ts'
import { notifications } from './webhook-notifications.ts'
import { manifest } from './manifest.ts'
import { createAuth } from './auth.ts'
import { periodReader, fullListReader, months } from './readers.ts'
import * as engine from './schemas/engine.ts'
import * as hos from './schemas/hos.ts'
import * as roster from './schemas/roster.ts'
import * as safety from './schemas/safety.ts'
import * as travel from './schemas/travel.ts'

const readers: ProviderAdapter['readers'] = {
  Group: fullListReader('/groups', 'group', roster.group, rosterMappers.toGroup),
  Driver: fullListReader('/drivers', 'driver', roster.driver, rosterMappers.toDriver),
  Vehicle: fullListReader('/vehicles', 'vehicle', roster.vehicle, rosterMappers.toVehicle),
  Trailer: fullListReader('/trailers', 'trailer', roster.trailer, rosterMappers.toTrailer),
  Device: fullListReader('/devices', 'device', roster.device, rosterMappers.toDevice),
  Trip: periodReader('/trips', 'trip', travel.trip, travelMappers.toTrip),
  SafetyEvent: periodReader(
    '/safety-events',
    'safety_event',
    safety.safetyEvent,
    safetyMappers.toSafetyEvent,
  ),
  FaultCodeEvent: periodReader(
    '/fault-codes',
    'fault_code',
    engine.faultCode,
    engineMappers.toFaultCodeEvent,
  ),
  HOSLog: periodReader('/hos/logs', 'hos_log', hos.hosLog, hosMappers.toHosLog),
  HOSDailyLog: periodReader('/hos/daily-logs', 'hos_daily_log', hos.dailyLog, hosMappers.toHosDailyLog),
  VehicleUtilization: periodReader(
    '/utilization',
    'utilization_day',
    travel.utilization,
    travelMappers.toUtilizationDay,
  ),
  VehicleLocation: periodReader(
    '/locations/history',
    'location',
    travel.breadcrumb,
    travelMappers.toLocation,
  ),
  VehicleStatLog: periodReader('/vehicles/stats', 'stat', engine.stat, engineMappers.toStatLog),
  IFTASummary: periodReader('/ifta', 'ifta_month', travel.ifta, travelMappers.toIftaMonth, months),
}

const latest: ProviderAdapter['latest'] = {
  LatestVehicleLocation: fullListReader(
    '/locations',
    'location',
    travel.latest,
    travelMappers.toLatestLocation,
  ),
  LatestTrailerLocation: fullListReader(
    '/trailers/locations',
    'trailer_location',
    travel.trailerLocation,
    travelMappers.toTrailerLocation,
  ),
  HOSAvailableTime: fullListReader('/hos/clocks', 'hos_clocks', hos.clocks, hosMappers.toHosAvailableTime),
}

export const rateLimits: readonly RateLimit[] = [{ per: 'account', requests: 100, perSeconds: 1 }]

interface Options {
  /** Base URL of the sign-in page for browsers, if it differs from the base URL of the API. */
  readonly browserUrl?: string | undefined
  readonly clock?: Clock
}

/**
 * Creates the adapter of the simulated provider that is part of the service. It is read over HTTP like any
 * other.
 */
export function sandboxAdapter(
  baseUrl: string,
  limiterFor?: LimiterFor,
  options: Options = {},
): ProviderAdapter {
  const auth = createAuth(baseUrl, options)
  return {
    manifest,
    passthrough: true,
    ...auth,
    api: (
      credentials,
      signal,
      priority = 'background',
      renewing = unstoredCredentials(auth.renewal, signal),
    ) =>
      createProviderApi({
        provider: manifest.code,
        baseUrl,
        headers: createSigner(credentials, renewing, {
          toSignature,
          secretsIn: (current) => secretsIn(current, manifest.signIns),
        }),
        signal,
        limiter: limiterFor?.({
          provider: manifest.code,
          rateLimits,
          account: rateLimitAccountOf(credentials),
          priority,
        }),
      }),
    async identify(api): Promise<FleetAccount> {
      const { id, name, usdotNumbers, timeZone, user } = validate(roster.account, await api.get('/account'))
      return {
        sourceId: id,
        name,
        dotNumbers: usdotNumbers,
        timeZone,
        user: { sourceId: user.id, firstName: user.firstName, lastName: user.lastName, email: user.email },
      }
    },
    readers,
    latest,
    notifications,
    async cameraMedia(api, eventSourceId) {
      const raw = await api.get(`/safety-events/${encodeURIComponent(eventSourceId)}/media`)
      return { raw, files: safetyMappers.toCameraMedia(validate(safety.media, raw)) }
    },
  }
}

const toSignature = ({ accessToken, session, apiKey }: ProviderCredentials) => ({
  headers: { authorization: `Bearer ${accessToken ?? session ?? apiKey ?? ''}` },
})

/** Returns the account for the rate limit. A user and the API key of the same name share an account. */
const rateLimitAccountOf = ({ user, apiKey }: ProviderCredentials): string => user ?? apiKey ?? ''

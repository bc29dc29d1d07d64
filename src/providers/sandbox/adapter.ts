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
import { windowReader, fullListReader, monthQueryOf } from './readers.ts'
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
  Trip: windowReader('/trips', 'trip', travel.trip, travelMappers.toTrip),
  SafetyEvent: windowReader(
    '/safety-events',
    'safety_event',
    safety.safetyEvent,
    safetyMappers.toSafetyEvent,
  ),
  FaultCodeEvent: windowReader(
    '/fault-codes',
    'fault_code',
    engine.faultCode,
    engineMappers.toFaultCodeEvent,
  ),
  HOSLog: windowReader('/hos/logs', 'hos_log', hos.hosLog, hosMappers.toHosLog),
  HOSDailyLog: windowReader('/hos/daily-logs', 'hos_daily_log', hos.dailyLog, hosMappers.toHosDailyLog),
  VehicleUtilization: windowReader(
    '/utilization',
    'utilization_day',
    travel.utilization,
    travelMappers.toUtilizationDay,
  ),
  VehicleLocation: windowReader(
    '/locations/history',
    'location',
    travel.breadcrumb,
    travelMappers.toLocation,
  ),
  VehicleStatLog: windowReader('/vehicles/stats', 'stat', engine.stat, engineMappers.toStatLog),
  IFTASummary: windowReader('/ifta', 'ifta_month', travel.ifta, travelMappers.toIftaMonth, monthQueryOf),
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
  /** Base URL at which browsers reach the sign-in page, if it is not the base URL of the API. */
  readonly browserUrl?: string | undefined
  readonly clock?: Clock
}

/**
 * Creates the adapter of the sandbox provider, which simulates fleets. The adapter reads the simulator over
 * HTTP, like any other provider.
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
          account: sandboxAccountOf(credentials),
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

/** Returns the name of an account. A user and the API key of the same name share an account and its rate limit. */
export const sandboxAccountOf = ({ user, apiKey }: ProviderCredentials): string => user ?? apiKey ?? ''

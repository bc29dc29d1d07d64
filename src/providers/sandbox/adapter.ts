import { createProviderApi } from '../http/create-provider-api.ts'
import { secretsIn } from '../credential-secrets.ts'
import type { RateLimit } from '../rate-limit/rate-limit.ts'
import type { LimiterFor } from '../rate-limit/rate-limiter.ts'
import { validate } from '../mapping/validate.ts'
import type { FleetAccount, ProviderAdapter, ProviderCredentials } from '../provider.ts'
import { createSigner, unstoredCredentials } from '../http/request-signing.ts'
import * as engineDrafts from './mappers/engine.ts'
import * as hosDrafts from './mappers/hos.ts'
import * as rosterDrafts from './mappers/roster.ts'
import * as safetyDrafts from './mappers/safety.ts'
import * as travelDrafts from './mappers/travel.ts'
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
  Group: fullListReader('/groups', 'group', roster.group, rosterDrafts.toGroup),
  Driver: fullListReader('/drivers', 'driver', roster.driver, rosterDrafts.toDriver),
  Vehicle: fullListReader('/vehicles', 'vehicle', roster.vehicle, rosterDrafts.toVehicle),
  Trailer: fullListReader('/trailers', 'trailer', roster.trailer, rosterDrafts.toTrailer),
  Device: fullListReader('/devices', 'device', roster.device, rosterDrafts.toDevice),
  Trip: periodReader('/trips', 'trip', travel.trip, travelDrafts.toTrip),
  SafetyEvent: periodReader('/safety-events', 'safety_event', safety.safetyEvent, safetyDrafts.toSafetyEvent),
  FaultCodeEvent: periodReader('/fault-codes', 'fault_code', engine.faultCode, engineDrafts.toFaultCodeEvent),
  HOSLog: periodReader('/hos/logs', 'hos_log', hos.hosLog, hosDrafts.toHosLog),
  HOSDailyLog: periodReader('/hos/daily-logs', 'hos_daily_log', hos.dailyLog, hosDrafts.toHosDailyLog),
  VehicleUtilization: periodReader(
    '/utilization',
    'utilization_day',
    travel.utilization,
    travelDrafts.toUtilizationDay,
  ),
  VehicleLocation: periodReader('/locations/history', 'location', travel.crumb, travelDrafts.toLocation),
  VehicleStatLog: periodReader('/vehicles/stats', 'stat', engine.stat, engineDrafts.toStatLog),
  IFTASummary: periodReader('/ifta', 'ifta_month', travel.ifta, travelDrafts.toIftaMonth, months),
}

const latest: ProviderAdapter['latest'] = {
  LatestVehicleLocation: fullListReader(
    '/locations',
    'location',
    travel.latest,
    travelDrafts.toLatestLocation,
  ),
  LatestTrailerLocation: fullListReader(
    '/trailers/locations',
    'trailer_location',
    travel.trailerLocation,
    travelDrafts.toTrailerLocation,
  ),
  HOSAvailableTime: fullListReader('/hos/clocks', 'hos_clocks', hos.clocks, hosDrafts.toHosAvailableTime),
}

export const rateLimits: readonly RateLimit[] = [{ per: 'account', requests: 100, perSeconds: 1 }]

interface Places {
  /** Where the browsers of fleets reach it, if that is elsewhere. */
  readonly browserUrl?: string | undefined
  readonly clock?: Clock
}

/** The simulated provider that comes with the service; it is read over HTTP like any other. */
export function sandboxAdapter(
  baseUrl: string,
  limiterFor?: LimiterFor,
  places: Places = {},
): ProviderAdapter {
  const signIns = createAuth(baseUrl, places)
  return {
    manifest,
    passthrough: true,
    ...signIns,
    api: (
      credentials,
      signal,
      priority = 'background',
      renewing = unstoredCredentials(signIns.renewal, signal),
    ) =>
      createProviderApi({
        provider: manifest.code,
        baseUrl,
        headers: createSigner(credentials, renewing, {
          toSignature,
          secretsIn: (held) => secretsIn(held, manifest.signIns),
        }),
        signal,
        limiter: limiterFor?.({
          provider: manifest.code,
          rateLimits,
          account: accountOf(credentials),
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
      return { raw, files: safetyDrafts.toCameraMedia(validate(safety.media, raw)) }
    },
  }
}

const toSignature = ({ accessToken, session, apiKey }: ProviderCredentials) => ({
  headers: { authorization: `Bearer ${accessToken ?? session ?? apiKey ?? ''}` },
})

/** Whoever signs in is the account that the key of this name opens, and is counted together with it. */
const accountOf = ({ user, apiKey }: ProviderCredentials): string => user ?? apiKey ?? ''

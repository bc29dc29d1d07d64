import { providerApi } from '../api.ts'
import { secretsIn } from '../credential-secrets.ts'
import type { Budget } from '../budgets/budget.ts'
import type { TurnsOf } from '../budgets/turns.ts'
import { checked } from '../checked.ts'
import type { Account, ProviderAdapter, ProviderCredentials } from '../provider.ts'
import { signedWith, unstored } from '../signing.ts'
import * as engineDrafts from './drafts/engine.ts'
import * as hosDrafts from './drafts/hos.ts'
import * as rosterDrafts from './drafts/roster.ts'
import * as safetyDrafts from './drafts/safety.ts'
import * as travelDrafts from './drafts/travel.ts'
import type { Clock } from '../../time.ts'
import { hints } from './hints.ts'
import { manifest } from './manifest.ts'
import { signInsOf } from './sign-ins.ts'
import { during, full, months } from './readers.ts'
import * as engine from './records/engine.ts'
import * as hos from './records/hos.ts'
import * as roster from './records/roster.ts'
import * as safety from './records/safety.ts'
import * as travel from './records/travel.ts'

const readers: ProviderAdapter['readers'] = {
  Group: full('/groups', 'group', roster.group, rosterDrafts.toGroup),
  Driver: full('/drivers', 'driver', roster.driver, rosterDrafts.toDriver),
  Vehicle: full('/vehicles', 'vehicle', roster.vehicle, rosterDrafts.toVehicle),
  Trailer: full('/trailers', 'trailer', roster.trailer, rosterDrafts.toTrailer),
  Device: full('/devices', 'device', roster.device, rosterDrafts.toDevice),
  Trip: during('/trips', 'trip', travel.trip, travelDrafts.toTrip),
  SafetyEvent: during('/safety-events', 'safety_event', safety.safetyEvent, safetyDrafts.toSafetyEvent),
  FaultCodeEvent: during('/fault-codes', 'fault_code', engine.faultCode, engineDrafts.toFaultCodeEvent),
  HOSLog: during('/hos/logs', 'hos_log', hos.hosLog, hosDrafts.toHosLog),
  HOSDailyLog: during('/hos/daily-logs', 'hos_daily_log', hos.dailyLog, hosDrafts.toHosDailyLog),
  VehicleUtilization: during(
    '/utilization',
    'utilization_day',
    travel.utilization,
    travelDrafts.toUtilizationDay,
  ),
  VehicleLocation: during('/locations/history', 'location', travel.crumb, travelDrafts.toLocation),
  VehicleStatLog: during('/vehicles/stats', 'stat', engine.stat, engineDrafts.toStatLog),
  IFTASummary: during('/ifta', 'ifta_month', travel.ifta, travelDrafts.toIftaMonth, months),
}

const latest: ProviderAdapter['latest'] = {
  LatestVehicleLocation: full('/locations', 'location', travel.latest, travelDrafts.toLatestLocation),
  LatestTrailerLocation: full(
    '/trailers/locations',
    'trailer_location',
    travel.trailerLocation,
    travelDrafts.toTrailerLocation,
  ),
  HOSAvailableTime: full('/hos/clocks', 'hos_clocks', hos.clocks, hosDrafts.toHosAvailableTime),
}

export const budgets: readonly Budget[] = [{ per: 'account', requests: 100, perSeconds: 1 }]

interface Places {
  /** Where the browsers of fleets reach it, if that is elsewhere. */
  readonly browserUrl?: string | undefined
  readonly clock?: Clock
}

/** The simulated provider that comes with the service; it is read over HTTP like any other. */
export function sandboxAdapter(baseUrl: string, turnsOf?: TurnsOf, places: Places = {}): ProviderAdapter {
  const signIns = signInsOf(baseUrl, places)
  return {
    manifest,
    passthrough: true,
    ...signIns,
    api: (credentials, signal, priority = 'background', renewing = unstored(signIns.renewal, signal)) =>
      providerApi({
        provider: manifest.code,
        baseUrl,
        headers: signedWith(credentials, renewing, {
          toSigns,
          secretsIn: (held) => secretsIn(held, manifest.signIns),
        }),
        signal,
        turns: turnsOf?.({ provider: manifest.code, budgets, account: accountOf(credentials), priority }),
      }),
    async identify(api): Promise<Account> {
      const { id, name, usdotNumbers, timeZone, user } = checked(roster.account, await api.get('/account'))
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
    hints,
    async cameraMedia(api, eventSourceId) {
      const raw = await api.get(`/safety-events/${encodeURIComponent(eventSourceId)}/media`)
      return { raw, draft: safetyDrafts.toCameraMedia(checked(safety.media, raw)) }
    },
  }
}

const toSigns = ({ accessToken, session, apiKey }: ProviderCredentials) => ({
  headers: { authorization: `Bearer ${accessToken ?? session ?? apiKey ?? ''}` },
})

/** Whoever signs in is the account that the key of this name opens, and is counted together with it. */
const accountOf = ({ user, apiKey }: ProviderCredentials): string => user ?? apiKey ?? ''

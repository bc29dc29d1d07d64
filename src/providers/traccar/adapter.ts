import { systemClock, type Clock } from '../../domain/time.ts'
import { createProviderApi } from '../http/create-provider-api.ts'
import type { RateLimit } from '../rate-limit/rate-limit.ts'
import type { LimiterFor } from '../rate-limit/rate-limiter.ts'
import { validateParts } from '../mapping/readable-parts.ts'
import { validate } from '../mapping/validate.ts'
import { secretsIn } from '../credential-secrets.ts'
import { hasValidCoordinates } from '../mapping/valid-coordinates.ts'
import type { FleetAccount, ProviderAdapter, ProviderCredentials, Reader } from '../provider.ts'
import type { QueryParams } from '../provider-api.ts'
import { createSigner, type RequestSignature, unstoredCredentials } from '../http/request-signing.ts'
import { dailyTotalsReader } from './daily-totals.ts'
import * as mappers from './mappers.ts'
import { errorMapping } from './error-mapping.ts'
import { faultReader } from './faults/fault-reader.ts'
import { notifications } from './webhook-notifications.ts'
import { manifest } from './manifest.ts'
import { measurementsOf, toStatLog } from './measurements.ts'
import { passthroughRefusal } from './passthrough-rules.ts'
import { fullListReader, MAX_TRIP_MS, readPositions, type Slice, readSlice, readTrips } from './readers.ts'
import * as records from './schemas.ts'
import { readSafetyEvents, toSafetyEvent } from './safety.ts'
import { apiUrlOf, withAddressCheck, createAuth } from './auth.ts'
import { timeZoneOf } from './time-zone.ts'

/** Slicing of a read, by endpoint: Traccar lists positions for one device per request, reports for several. */
const BY_DEVICE = { maxDevices: 1, maxDays: 31 }
const BY_REPORT = { maxDevices: 50, maxDays: 31 }
const BY_TRIPS = { ...BY_REPORT, marginMs: MAX_TRIP_MS }

const windowReader = <Normalized>(
  schema: string,
  normalize: Reader<Normalized>['normalize'],
  slicing: typeof BY_DEVICE,
  read: (api: Parameters<Reader<Normalized>['read']>[0], slice: Slice) => ReturnType<typeof readPositions>,
): Reader<Normalized> => ({
  mode: 'window',
  schema,
  read: (api, state, window) => readSlice(api, state, window, slicing, (slice) => read(api, slice)),
  normalize,
})

const readers: ProviderAdapter['readers'] = {
  Group: fullListReader('/groups', 'group', records.group, mappers.toGroup),
  Driver: fullListReader('/drivers', 'driver', records.driver, mappers.toDriver),
  Vehicle: fullListReader('/devices', 'device', records.device, mappers.toVehicle),
  Device: fullListReader('/devices', 'device', records.device, mappers.toDevice),
  Trip: {
    ...windowReader(
      'trip',
      (record) => mappers.toTrip(validate(records.trip, record)),
      BY_TRIPS,
      async (api, slice) => ({ records: await readTrips(api, slice), readTo: slice.to }),
    ),
    // A late position can change the start of a trip, which is part of its id. The former record must be removed.
    completeBy: 'vehicle',
  },
  SafetyEvent: windowReader(
    'event',
    (record) => toSafetyEvent(validate(records.eventWithPosition, record)),
    BY_REPORT,
    async (api, slice) => ({ records: await readSafetyEvents(api, slice), readTo: slice.to }),
  ),
  FaultCodeEvent: faultReader,
  VehicleUtilization: dailyTotalsReader,
  VehicleLocation: windowReader(
    'position',
    (record) => mappers.toLocation(validate(records.position, record)),
    BY_DEVICE,
    readPositions,
  ),
  VehicleStatLog: windowReader(
    'measurement',
    (record) => toStatLog(validate(records.measurement, record)),
    BY_DEVICE,
    async (api, slice) => {
      const { records: positions, readTo } = await readPositions(api, slice)
      return { records: measurementsOf(positions), readTo }
    },
  ),
}

const latest: ProviderAdapter['latest'] = {
  LatestVehicleLocation: fullListReader(
    '/positions',
    'position',
    records.position,
    mappers.toLatestLocation,
    hasValidCoordinates,
  ),
}

/** Traccar has no rate limit. Fleets may run it on a small server, so few requests are concurrent. */
const rateLimits: readonly RateLimit[] = [{ per: 'account', requests: 4, perSeconds: 0 }]

interface Options {
  /** Replacement of `unguardedFetch`, for servers whose address a fleet enters. */
  readonly fetch?: typeof fetch
  readonly clock?: Clock
}

/** Adapter of Traccar, software for a server that a fleet runs itself. */
export function traccarAdapter(
  limiterFor?: LimiterFor,
  { fetch, clock = systemClock }: Options = {},
): ProviderAdapter {
  const endpoint = { provider: manifest.code, fetch }
  const renewal = createAuth(endpoint, clock)
  return {
    manifest,
    passthrough: true,
    passthroughRefusal,
    renewal,
    api: (credentials, signal, priority = 'background', renewing = unstoredCredentials(renewal, signal)) =>
      createProviderApi({
        provider: manifest.code,
        ...(fetch ? { fetch } : {}),
        baseUrl: apiUrlOf(credentials),
        headers: createSigner(credentials, renewing, {
          toSignature,
          secretsIn: (current) => secretsIn(current, manifest.signIns),
        }),
        signal,
        errorMapping,
        ...(limiterFor
          ? {
              limiter: limiterFor({
                provider: manifest.code,
                rateLimits,
                account: accountOf(credentials),
                priority,
              }),
            }
          : {}),
      }),
    async identify(api, credentials): Promise<FleetAccount> {
      const user = await withAddressCheck(async () => validateParts(records.user, await api.get('/session')))
      const { id, name, email } = user
      return {
        sourceId: `${apiUrlOf(credentials).replace(/\/api$/, '')}#${id}`,
        name: name ?? email ?? 'Traccar',
        dotNumbers: [],
        timeZone: await timeZoneOf(api, user),
        user: { sourceId: mappers.sourceIdOf(id), ...(email === null ? {} : { email }) },
      }
    },
    readers,
    latest,
    notifications,
  }
}

/** Authentication of a request: a header and, for `/session`, also the query parameter `token`. */
const toSignature = ({ token = '' }: ProviderCredentials): RequestSignature => ({
  headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  queryOf: (path): QueryParams => (path === '/session' ? { token } : {}),
})

/** Account of the rate limit: a server and its user, identified by the token if the email is unknown. */
const accountOf = ({ serverUrl, email, token }: ProviderCredentials): string =>
  JSON.stringify([serverUrl, email, email === undefined ? token : null])

import { systemClock, type Clock } from '../../domain/time.ts'
import { createProviderApi } from '../http/create-provider-api.ts'
import type { RateLimit } from '../rate-limit/rate-limit.ts'
import type { LimiterFor } from '../rate-limit/rate-limiter.ts'
import { validate } from '../mapping/validate.ts'
import { secretsIn } from '../credential-secrets.ts'
import { hasValidCoordinates } from '../mapping/valid-coordinates.ts'
import type { Account, ProviderAdapter, ProviderCredentials, Reader } from '../provider.ts'
import type { Query } from '../provider-api.ts'
import { createSigner, type RequestSignature, unstoredCredentials } from '../http/request-signing.ts'
import { dailyTotalsReader } from './daily-totals.ts'
import * as drafts from './mappers.ts'
import { errorMapping } from './error-mapping.ts'
import { faultReader } from './faults/fault-reader.ts'
import { notifications } from './webhook-notifications.ts'
import { manifest } from './manifest.ts'
import { measurementsOf, toStatLog } from './measurements.ts'
import { whyNotPassed } from './passthrough-rules.ts'
import { fullListReader, MAX_DRIVE_MS, positionsIn, type Slice, readSlice, tripsIn } from './readers.ts'
import * as records from './schemas.ts'
import { safetyEventsIn, toSafetyEvent } from './safety.ts'
import { apiUrlOf, atServer, createAuth } from './auth.ts'
import { zoneOf } from './time-zone.ts'

const BY_DEVICE = { atOnce: 1, mostDays: 31 }
const BY_REPORT = { atOnce: 50, mostDays: 31 }
const BY_DRIVES = { ...BY_REPORT, aroundMs: MAX_DRIVE_MS }

const during = <Draft>(
  schema: string,
  normalize: Reader<Draft>['normalize'],
  slicing: typeof BY_DEVICE,
  read: (api: Parameters<Reader<Draft>['read']>[0], slice: Slice) => ReturnType<typeof positionsIn>,
): Reader<Draft> => ({
  mode: 'window',
  schema,
  read: (api, state, window) => readSlice(api, state, window, slicing, (slice) => read(api, slice)),
  normalize,
})

const readers: ProviderAdapter['readers'] = {
  Group: fullListReader('/groups', 'group', records.group, drafts.toGroup),
  Driver: fullListReader('/drivers', 'driver', records.driver, drafts.toDriver),
  Vehicle: fullListReader('/devices', 'device', records.device, drafts.toVehicle),
  Device: fullListReader('/devices', 'device', records.device, drafts.toDevice),
  Trip: {
    ...during(
      'trip',
      (record) => drafts.toTrip(validate(records.trip, record)),
      BY_DRIVES,
      async (api, slice) => ({ records: await tripsIn(api, slice), readTo: slice.to }),
    ),
    // Positions that arrive late move the beginnings of drives.
    wholeBy: 'vehicle',
  },
  SafetyEvent: during(
    'event',
    (record) => toSafetyEvent(validate(records.noticed, record)),
    BY_REPORT,
    async (api, slice) => ({ records: await safetyEventsIn(api, slice), readTo: slice.to }),
  ),
  FaultCodeEvent: faultReader,
  VehicleUtilization: dailyTotalsReader,
  VehicleLocation: during(
    'position',
    (record) => drafts.toLocation(validate(records.position, record)),
    BY_DEVICE,
    positionsIn,
  ),
  VehicleStatLog: during(
    'measurement',
    (record) => toStatLog(validate(records.measured, record)),
    BY_DEVICE,
    async (api, slice) => {
      const { records: positions, readTo } = await positionsIn(api, slice)
      return { records: measurementsOf(positions), readTo }
    },
  ),
}

const latest: ProviderAdapter['latest'] = {
  LatestVehicleLocation: fullListReader(
    '/positions',
    'position',
    records.position,
    drafts.toLatestLocation,
    hasValidCoordinates,
  ),
}

/** It knows no limits; what is asked of one server at a time is what a small one bears. */
const rateLimits: readonly RateLimit[] = [{ per: 'account', requests: 4, perSeconds: 0 }]

interface Reaching {
  /** What reaches servers that fleets name. */
  readonly fetch?: typeof fetch
  readonly clock?: Clock
}

/** A fleet's own Traccar server. */
export function traccarAdapter(
  limiterFor?: LimiterFor,
  { fetch, clock = systemClock }: Reaching = {},
): ProviderAdapter {
  const line = { provider: manifest.code, fetch }
  const renewal = createAuth(line, clock)
  return {
    manifest,
    passthrough: true,
    whyNotPassed,
    renewal,
    api: (credentials, signal, priority = 'background', renewing = unstoredCredentials(renewal, signal)) =>
      createProviderApi({
        provider: manifest.code,
        ...(fetch ? { fetch } : {}),
        baseUrl: apiUrlOf(credentials),
        headers: createSigner(credentials, renewing, {
          toSigns,
          secretsIn: (held) => secretsIn(held, manifest.signIns),
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
    async identify(api, credentials): Promise<Account> {
      const { id, name, email, attributes } = await atServer(async () =>
        validate(records.user, await api.get('/session')),
      )
      const zone = attributes['timezone']
      return {
        sourceId: `${apiUrlOf(credentials).replace(/\/api$/, '')}#${id}`,
        name: name ?? email ?? 'Traccar',
        dotNumbers: [],
        timeZone: typeof zone === 'string' && zone !== '' ? zoneOf(zone) : null,
        user: { sourceId: drafts.sourceIdOf(id), ...(email === null ? {} : { email }) },
      }
    },
    readers,
    latest,
    notifications,
  }
}

/** The one request that tells whose a token is takes it in its address. */
const toSigns = ({ token = '' }: ProviderCredentials): RequestSignature => ({
  headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  queryOf: (path): Query => (path === '/session' ? { token } : {}),
})

/** A server and whoever signs in there. */
const accountOf = ({ serverUrl, email, token }: ProviderCredentials): string =>
  JSON.stringify([serverUrl, email, email === undefined ? token : null])

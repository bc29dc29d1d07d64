import { systemClock, type Clock } from '../../time.ts'
import { providerApi } from '../api.ts'
import type { Budget } from '../budgets/budget.ts'
import type { TurnsOf } from '../budgets/turns.ts'
import { checked } from '../checked.ts'
import { secretsIn } from '../credential-secrets.ts'
import { isPlace } from '../places.ts'
import type { Account, ProviderAdapter, ProviderCredentials, Reader } from '../provider.ts'
import type { Query } from '../question.ts'
import { signedWith, type Signs, unstored } from '../signing.ts'
import { dayReader } from './days.ts'
import * as drafts from './drafts.ts'
import { dialect } from './errors.ts'
import { faultReader } from './fault-reader.ts'
import { hints } from './hints.ts'
import { manifest } from './manifest.ts'
import { measurementsOf, toStatLog } from './measurements.ts'
import { refusalOf } from './passed.ts'
import { full, LONGEST_DRIVE_MS, positionsIn, type Slice, sliced, tripsIn } from './readers.ts'
import * as records from './records.ts'
import { safetyEventsIn, toSafetyEvent } from './safety.ts'
import { apiUrlOf, atServer, signInsOf } from './sign-ins.ts'
import { zoneOf } from './zones.ts'

const BY_DEVICE = { atOnce: 1, mostDays: 31 }
const BY_REPORT = { atOnce: 50, mostDays: 31 }
const BY_DRIVES = { ...BY_REPORT, aroundMs: LONGEST_DRIVE_MS }

const during = <Draft>(
  schema: string,
  toDraft: Reader<Draft>['toDraft'],
  slicing: typeof BY_DEVICE,
  read: (api: Parameters<Reader<Draft>['read']>[0], slice: Slice) => ReturnType<typeof positionsIn>,
): Reader<Draft> => ({
  mode: 'window',
  schema,
  read: (api, state, window) => sliced(api, state, window, slicing, (slice) => read(api, slice)),
  toDraft,
})

const readers: ProviderAdapter['readers'] = {
  Group: full('/groups', 'group', records.group, drafts.toGroup),
  Driver: full('/drivers', 'driver', records.driver, drafts.toDriver),
  Vehicle: full('/devices', 'device', records.device, drafts.toVehicle),
  Device: full('/devices', 'device', records.device, drafts.toDevice),
  Trip: {
    ...during(
      'trip',
      (record) => drafts.toTrip(checked(records.trip, record)),
      BY_DRIVES,
      async (api, slice) => ({ records: await tripsIn(api, slice), readTo: slice.to }),
    ),
    // Positions that arrive late move the beginnings of drives.
    wholeBy: 'vehicle',
  },
  SafetyEvent: during(
    'event',
    (record) => toSafetyEvent(checked(records.noticed, record)),
    BY_REPORT,
    async (api, slice) => ({ records: await safetyEventsIn(api, slice), readTo: slice.to }),
  ),
  FaultCodeEvent: faultReader,
  VehicleUtilization: dayReader,
  VehicleLocation: during(
    'position',
    (record) => drafts.toLocation(checked(records.position, record)),
    BY_DEVICE,
    positionsIn,
  ),
  VehicleStatLog: during(
    'measurement',
    (record) => toStatLog(checked(records.measured, record)),
    BY_DEVICE,
    async (api, slice) => {
      const { records: positions, readTo } = await positionsIn(api, slice)
      return { records: measurementsOf(positions), readTo }
    },
  ),
}

const latest: ProviderAdapter['latest'] = {
  LatestVehicleLocation: full('/positions', 'position', records.position, drafts.toLatestLocation, isPlace),
}

/** It knows no limits; what is asked of one server at a time is what a small one bears. */
const budgets: readonly Budget[] = [{ per: 'account', requests: 4, perSeconds: 0 }]

interface Reaching {
  /** What reaches servers that fleets name. */
  readonly fetch?: typeof fetch
  readonly clock?: Clock
}

/** A fleet's own Traccar server. */
export function traccarAdapter(
  turnsOf?: TurnsOf,
  { fetch, clock = systemClock }: Reaching = {},
): ProviderAdapter {
  const line = { provider: manifest.code, fetch }
  const renewal = signInsOf(line, clock)
  return {
    manifest,
    passthrough: true,
    refusalOf,
    renewal,
    api: (credentials, signal, priority = 'background', renewing = unstored(renewal, signal)) =>
      providerApi({
        provider: manifest.code,
        ...(fetch ? { fetch } : {}),
        baseUrl: apiUrlOf(credentials),
        headers: signedWith(credentials, renewing, {
          toSigns,
          secretsIn: (held) => secretsIn(held, manifest.signIns),
        }),
        signal,
        dialect,
        ...(turnsOf
          ? {
              turns: turnsOf({
                provider: manifest.code,
                budgets,
                account: accountOf(credentials),
                priority,
              }),
            }
          : {}),
      }),
    async identify(api, credentials): Promise<Account> {
      const { id, name, email, attributes } = await atServer(async () =>
        checked(records.user, await api.get('/session')),
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
    hints,
  }
}

/** The one request that tells whose a token is takes it in its address. */
const toSigns = ({ token = '' }: ProviderCredentials): Signs => ({
  headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  queryOf: (path): Query => (path === '/session' ? { token } : {}),
})

/** A server and whoever signs in there. */
const accountOf = (credentials: ProviderCredentials): string =>
  `${credentials['serverUrl']} ${credentials['email'] ?? credentials['token']}`

import { systemClock, type Clock } from '../../time.ts'
import { providerApi, type ProviderApi } from '../api.ts'
import type { Priority } from '../budgets/budget.ts'
import type { TurnsOf } from '../budgets/turns.ts'
import { secretsIn } from '../credential-secrets.ts'
import type { ProviderAdapter, ProviderCredentials } from '../provider.ts'
import { signedWith, unstored } from '../signing.ts'
import { accountOf } from './account.ts'
import { budgets, countedAs, endpointOf } from './budgets.ts'
import { dialect } from './dialect.ts'
import { availableTimeReader } from './records/available-times.ts'
import { dailyLogReader } from './records/daily-logs.ts'
import { driverReader } from './records/drivers.ts'
import { faultReader } from './records/faults.ts'
import { groupReader } from './records/groups.ts'
import { manifest } from './manifest.ts'
import { hosLogReader } from './records/hos-logs.ts'
import { measurementReader } from './records/measurements.ts'
import { refusalOf } from './passed.ts'
import { latestLocationReader, locationReader } from './records/places.ts'
import { safetyReader } from './records/safety.ts'
import { geotabUrl, type UrlOf } from './servers.ts'
import { serverOf, signInsOf, signsWith } from './sign-ins.ts'
import { trailerReader } from './records/trailers.ts'
import { tripReader } from './records/trips.ts'
import { utilizationReader } from './records/utilization.ts'
import { deviceReader, vehicleReader } from './records/vehicles.ts'

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

interface Reaching {
  readonly fetch?: typeof fetch
  readonly clock?: Clock
  /** Where servers listen, for who has some that are not MyGeotab's own. */
  readonly urlOf?: UrlOf
}

/** A fleet's database at MyGeotab. */
export function geotabAdapter(
  turnsOf?: TurnsOf,
  { fetch, clock = systemClock, urlOf = geotabUrl }: Reaching = {},
): ProviderAdapter {
  const { code: provider, signIns } = manifest
  const turnsFor = (credentials: ProviderCredentials, priority: Priority) =>
    turnsOf?.({ provider, budgets, account: countedAs(credentials), priority, endpointOf })
  const renewal = signInsOf({ provider, fetch }, { clock, urlOf, turnsFor })
  const how = {
    toSigns: signsWith(urlOf),
    secretsIn: (held: ProviderCredentials) => secretsIn(held, signIns),
  }
  return {
    manifest,
    passthrough: true,
    refusalOf,
    renewal,
    api(credentials, signal, priority = 'background', renewing = unstored(renewal, signal)): ProviderApi {
      const turns = turnsFor(credentials, priority)
      return providerApi({
        provider,
        baseUrl: urlOf(serverOf(credentials)),
        headers: signedWith(credentials, renewing, how),
        signal,
        dialect,
        ...(fetch ? { fetch } : {}),
        ...(turns ? { turns } : {}),
      })
    },
    identify: accountOf,
    readers,
    latest,
  }
}

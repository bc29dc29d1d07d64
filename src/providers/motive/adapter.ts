import type { Clock } from '../../time.ts'
import { providerApi } from '../api.ts'
import type { TurnsOf } from '../budgets/turns.ts'
import { secretsIn } from '../credential-secrets.ts'
import type { Account, ProviderAdapter, ProviderCredentials, Renewing } from '../provider.ts'
import { signedWith, unstored } from '../signing.ts'
import { budgets } from './budgets.ts'
import { hints } from './hints.ts'
import { manifestWith } from './manifest.ts'
import { refusalOf } from './passed.ts'
import { askedCompany } from './reading/company.ts'
import { faultCodes } from './reading/faults.ts'
import { hours } from './reading/hos.ts'
import { latest } from './reading/latest.ts'
import { positions } from './reading/positions.ts'
import { rollups } from './reading/rollups.ts'
import { rosters } from './reading/rosters.ts'
import { filmsOf, safetyEvents } from './reading/safety.ts'
import { trips } from './reading/trips.ts'
import { dialect, tellingScopes } from './refusals.ts'
import { type Application, oauthOf, signsWith } from './sign-ins.ts'
import { timeZoneNamed } from './zones.ts'

const readers: ProviderAdapter['readers'] = {
  ...rosters,
  Trip: trips,
  SafetyEvent: safetyEvents,
  FaultCodeEvent: faultCodes,
  ...hours,
  ...positions,
  ...rollups,
}

interface Options {
  /** Where it is served, if that is not Motive's own. */
  readonly baseUrl?: string
  /** Without one fleets sign in with a key alone. */
  readonly application?: Application
  readonly clock?: Clock
}

/** Of keys: they last, and nothing takes their place. */
const lasting: Renewing = {
  fresh: (credentials) => Promise.resolve(credentials),
  instead: () => Promise.resolve(null),
}

/** Motive's API, as far as its public pages tell of it. */
export function motiveAdapter(turnsOf?: TurnsOf, options: Options = {}): ProviderAdapter {
  const { baseUrl = 'https://api.gomotive.com', application, clock } = options
  const manifest = manifestWith({ isRegistered: application !== undefined })
  const { code: provider, signIns } = manifest
  const oauth = application && oauthOf({ provider, baseUrl, application, clock })
  return {
    manifest,
    passthrough: true,
    refusalOf,
    ...(oauth ? { oauth, renewal: oauth } : {}),
    api: (
      credentials,
      signal,
      priority = 'background',
      renewing = oauth ? unstored(oauth, signal) : lasting,
    ) =>
      tellingScopes(
        providerApi({
          provider,
          baseUrl,
          headers: signedWith(credentials, renewing, {
            toSigns: signsWith,
            secretsIn: (held) => secretsIn(held, signIns),
          }),
          signal,
          dialect,
          ...(turnsOf
            ? { turns: turnsOf({ provider, budgets, account: accountOf(credentials), priority }) }
            : {}),
        }),
      ),
    async identify(api): Promise<Account> {
      const { id, name, dot_ids: dotNumbers, time_zone: zone } = await askedCompany(api)
      return {
        sourceId: String(id),
        name: name ?? 'Motive',
        dotNumbers,
        timeZone: timeZoneNamed(zone),
        user: {},
      }
    },
    readers,
    latest,
    cameraMedia: filmsOf,
    hints,
  }
}

/** What Motive counts by: all the credentials of a company are counted together, as far as its name is known. */
const accountOf = ({ organization, apiKey, refreshToken }: ProviderCredentials): string =>
  organization ?? apiKey ?? refreshToken ?? ''

import { type Clock, systemClock } from '../../time.ts'
import type { Dialect } from '../answered.ts'
import { providerApi, ProviderError } from '../api.ts'
import type { TurnsOf } from '../budgets/turns.ts'
import { checked } from '../checked.ts'
import { secretsIn } from '../credential-secrets.ts'
import type { Account, ProviderAdapter, ProviderCredentials } from '../provider.ts'
import { signedWith, type Signs, unstored } from '../signing.ts'
import { budgets } from './budgets.ts'
import { hints } from './hints.ts'
import { manifestWith } from './manifest.ts'
import { refusalOf } from './passed.ts'
import { BadRequest } from './reading/cursors.ts'
import { faultCodes } from './reading/faults.ts'
import { hours } from './reading/hos.ts'
import { latest } from './reading/latest.ts'
import { positionsBy } from './reading/positions.ts'
import { reports } from './reading/reports.ts'
import { rosters } from './reading/rosters.ts'
import { filmsOf, safetyEvents } from './reading/safety.ts'
import { trips } from './reading/trips.ts'
import { organization } from './records/roster.ts'
import { lacksPermission } from './refusals.ts'
import { type Application, publicRegions, type Region, type Regions, signInsOf } from './sign-ins.ts'

const readersBy = (clock: Clock): ProviderAdapter['readers'] => ({
  ...rosters,
  Trip: trips,
  SafetyEvent: safetyEvents,
  FaultCodeEvent: faultCodes,
  ...hours,
  ...positionsBy(clock),
  ...reports,
})

const dialect: Dialect = {
  errorIn(status, text) {
    if (status === 400) return new BadRequest()
    return lacksPermission(status, text)
      ? new ProviderError('scope_missing', 'the token may not read this')
      : null
  },
}

interface Options {
  /** Where it is served, if that is not Samsara's own. */
  readonly regions?: Regions
  /** Without one fleets sign in with a token alone. */
  readonly application?: Application
  readonly clock?: Clock
}

/** Samsara's API, by the document of its version 2025-10-23. */
export function samsaraAdapter(turnsOf?: TurnsOf, options: Options = {}): ProviderAdapter {
  const { regions = publicRegions, application, clock = systemClock } = options
  const manifest = manifestWith({ isRegistered: application !== undefined })
  const { code: provider, signIns } = manifest
  const { renewal, oauth } = signInsOf({ provider, regions, application, clock })
  return {
    manifest,
    passthrough: true,
    refusalOf,
    ...(oauth ? { oauth } : {}),
    renewal,
    api: (credentials, signal, priority = 'background', renewing = unstored(renewal, signal)) =>
      providerApi({
        provider,
        baseUrl: regions.us,
        headers: signedWith(credentials, renewing, {
          toSigns: (held) => signsWith(held, regions),
          secretsIn: (held) => secretsIn(held, signIns),
        }),
        signal,
        dialect,
        ...(turnsOf
          ? { turns: turnsOf({ provider, budgets, account: accountOf(credentials), priority }) }
          : {}),
      }),
    async identify(api): Promise<Account> {
      const { id, name, carrierSettings } = checked(organization, await api.get('/me')).data
      const dotNumber = carrierSettings?.dotNumber
      return {
        sourceId: id,
        name: carrierSettings?.carrierName ?? name ?? 'Samsara',
        dotNumbers: dotNumber == null || dotNumber === '' ? [] : [String(dotNumber)],
        timeZone: null,
        user: {},
      }
    },
    readers: readersBy(clock),
    latest,
    hints,
    cameraMedia: filmsOf,
  }
}

const signsWith = ({ accessToken, token = '', region }: ProviderCredentials, regions: Regions): Signs => ({
  headers: { authorization: `Bearer ${accessToken ?? token}`, accept: 'application/json' },
  baseUrl: regions[region as Region] ?? regions.us,
})

/** What Samsara counts by: all the tokens of an organization are counted together. */
const accountOf = ({ organization, token, refreshToken }: ProviderCredentials): string =>
  organization ?? token ?? refreshToken ?? ''

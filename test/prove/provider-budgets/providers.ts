import { geotabAdapter } from '../../../src/providers/geotab/adapter.ts'
import { geotabAt } from '../../../src/providers/geotab/servers.ts'
import { motiveAdapter } from '../../../src/providers/motive/adapter.ts'
import type { ProviderAdapter, ProviderCredentials } from '../../../src/providers/provider.ts'
import { samsaraAdapter } from '../../../src/providers/samsara/adapter.ts'
import { traccarAdapter } from '../../../src/providers/traccar/adapter.ts'
import type { Fault } from '../../fakes/kit/faults.ts'
import type { FakeOptions } from '../../fakes/kit/start-fake.ts'

/** A provider, as its budgets are proved. */
export interface Budgeted {
  readonly provider: string
  readonly fake: FakeOptions
  /** How it is when it is as it usually is. */
  readonly faults?: readonly Fault[]
  /** What one of its accounts signs in with. */
  credentials(url: string, account: number): ProviderCredentials
  /** An adapter that asks as fast as it can. */
  hasty(url: string): ProviderAdapter
}

const READER = 'reader@fleet.example'

export const budgeted: readonly Budgeted[] = [
  {
    provider: 'samsara',
    fake: {},
    credentials: (_url, account) => ({ token: `fake-token-${account}` }),
    hasty: (url) => samsaraAdapter(undefined, { regions: { us: url, eu: url, ca: url } }),
  },
  {
    provider: 'geotab',
    fake: {},
    credentials: (_url, account) => ({
      database: `fleet_${account}`,
      userName: READER,
      password: `the password of ${READER}`,
    }),
    hasty: (url) => geotabAdapter(undefined, { urlOf: geotabAt(url) }),
  },
  {
    provider: 'traccar',
    // It has no limit of its own: what a small server bears is what we promise.
    fake: { settings: { atOnce: '4' } },
    // An answer that is there at once is never under way with another.
    faults: [{ kind: 'slow', milliseconds: 250, times: null }],
    credentials: (serverUrl, account) => ({ serverUrl, token: `token-${account}` }),
    hasty: () => traccarAdapter(),
  },
  {
    provider: 'motive',
    fake: {},
    credentials: (_url, account) => ({ apiKey: `fake-key-${account}` }),
    hasty: (url) => motiveAdapter(undefined, { baseUrl: url }),
  },
]

export const budgetedNamed = (provider: string): Budgeted => {
  const found = budgeted.find((one) => one.provider === provider)
  if (!found) throw new Error(`there is no provider ${provider}`)
  return found
}

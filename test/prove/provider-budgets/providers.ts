import type { ProviderAdapter, ProviderCredentials } from '../../../src/providers/provider.ts'
import type { Fault } from '../../fakes/kit/faults.ts'
import type { FakeOptions } from '../../fakes/kit/start-fake.ts'
import { adapters } from '../../support/providers/adapters.ts'

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
    hasty: adapters.samsara,
  },
  {
    provider: 'geotab',
    fake: {},
    credentials: (_url, account) => ({
      database: `fleet_${account}`,
      userName: READER,
      password: `the password of ${READER}`,
    }),
    hasty: adapters.geotab,
  },
  {
    provider: 'traccar',
    // It has no limit of its own: what a small server bears is what we promise.
    fake: { settings: { atOnce: '4' } },
    // An answer that is there at once is never under way with another.
    faults: [{ kind: 'slow', milliseconds: 250, times: null }],
    credentials: (serverUrl, account) => ({ serverUrl, token: `token-${account}` }),
    hasty: adapters.traccar,
  },
  {
    provider: 'motive',
    fake: {},
    credentials: (_url, account) => ({ apiKey: `fake-key-${account}` }),
    hasty: adapters.motive,
  },
]

export const budgetedNamed = (provider: string): Budgeted => {
  const found = budgeted.find((one) => one.provider === provider)
  if (!found) throw new Error(`there is no provider ${provider}`)
  return found
}

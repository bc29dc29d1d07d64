import type { ProviderAdapter, ProviderCredentials } from '../../../src/providers/provider.ts'
import type { Fault } from '../../fakes/kit/faults.ts'
import type { FakeOptions } from '../../fakes/kit/start-fake.ts'
import { adapters } from '../../support/providers/adapters.ts'

/** A provider with rate limits. */
export interface Budgeted {
  readonly provider: string
  readonly fake: FakeOptions
  /** Its usual behaviour. */
  readonly faults?: readonly Fault[]
  /** Returns the credentials of one of its accounts. */
  credentials(url: string, account: number): ProviderCredentials
  /** Creates an adapter without rate limits. */
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
    // Traccar has no limit of its own: the adapter promises a load that a small server can serve.
    fake: { settings: { atOnce: '4' } },
    // An instant response never overlaps with another request.
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
  if (!found) throw new Error(`unknown provider ${provider}`)
  return found
}

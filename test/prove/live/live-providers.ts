import { adapters } from '../../support/providers/adapters.ts'
import type { ProviderAdapter } from '../../../src/providers/provider.ts'

/** An environment variable with a credential. */
interface Variable {
  readonly name: string
  /** Its name among the adapter's credentials. */
  readonly credential: string
  readonly isOptional?: boolean
}

/** A real provider that an account holder can check. */
export interface LiveProvider {
  readonly code: string
  readonly variables: readonly Variable[]
  /** Creates the adapter, at another URL if one is given. */
  adapter(url?: string): ProviderAdapter
}

export const liveProviders: readonly LiveProvider[] = [
  {
    code: 'samsara',
    variables: [{ name: 'LIVE_SAMSARA_TOKEN', credential: 'token' }],
    adapter: adapters.samsara,
  },
  {
    code: 'geotab',
    variables: [
      { name: 'LIVE_GEOTAB_SERVER', credential: 'server', isOptional: true },
      { name: 'LIVE_GEOTAB_DATABASE', credential: 'database' },
      { name: 'LIVE_GEOTAB_USER', credential: 'userName' },
      { name: 'LIVE_GEOTAB_PASSWORD', credential: 'password' },
    ],
    adapter: adapters.geotab,
  },
  {
    code: 'traccar',
    variables: [
      { name: 'LIVE_TRACCAR_URL', credential: 'serverUrl' },
      { name: 'LIVE_TRACCAR_TOKEN', credential: 'token' },
    ],
    adapter: adapters.traccar,
  },
  {
    code: 'motive',
    variables: [{ name: 'LIVE_MOTIVE_KEY', credential: 'apiKey' }],
    adapter: adapters.motive,
  },
]

import { geotabAdapter } from '../../../src/providers/geotab/adapter.ts'
import { motiveAdapter } from '../../../src/providers/motive/adapter.ts'
import type { ProviderAdapter } from '../../../src/providers/provider.ts'
import { samsaraAdapter } from '../../../src/providers/samsara/adapter.ts'
import { traccarAdapter } from '../../../src/providers/traccar/adapter.ts'

/** A variable of the environment that holds a credential. */
interface Variable {
  readonly name: string
  /** Its name among the credentials of the adapter. */
  readonly credential: string
  readonly isOptional?: boolean
}

/** A provider that can be asked for real, by whoever has an account there. */
export interface LiveProvider {
  readonly code: string
  readonly variables: readonly Variable[]
  /** At an address that stands in for the provider's own, where one is given. */
  adapter(url: string | undefined): ProviderAdapter
}

export const liveProviders: readonly LiveProvider[] = [
  {
    code: 'samsara',
    variables: [{ name: 'LIVE_SAMSARA_TOKEN', credential: 'token' }],
    adapter: (url) =>
      samsaraAdapter(undefined, url === undefined ? {} : { regions: { us: url, eu: url, ca: url } }),
  },
  {
    code: 'geotab',
    variables: [
      { name: 'LIVE_GEOTAB_SERVER', credential: 'server', isOptional: true },
      { name: 'LIVE_GEOTAB_DATABASE', credential: 'database' },
      { name: 'LIVE_GEOTAB_USER', credential: 'userName' },
      { name: 'LIVE_GEOTAB_PASSWORD', credential: 'password' },
    ],
    adapter: (url) => geotabAdapter(undefined, url === undefined ? {} : { urlOf: () => url }),
  },
  {
    code: 'traccar',
    variables: [
      { name: 'LIVE_TRACCAR_URL', credential: 'serverUrl' },
      { name: 'LIVE_TRACCAR_TOKEN', credential: 'token' },
    ],
    adapter: () => traccarAdapter(),
  },
  {
    code: 'motive',
    variables: [{ name: 'LIVE_MOTIVE_KEY', credential: 'apiKey' }],
    adapter: (url) => motiveAdapter(undefined, url === undefined ? {} : { baseUrl: url }),
  },
]

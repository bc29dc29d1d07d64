import type { LimiterFor } from '../../../src/providers/rate-limit/rate-limiter.ts'
import { geotabAdapter } from '../../../src/providers/geotab/adapter.ts'
import { DEFAULT_SERVER } from '../../../src/providers/geotab/servers.ts'
import { motiveAdapter } from '../../../src/providers/motive/adapter.ts'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import { samsaraAdapter } from '../../../src/providers/samsara/adapter.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'
import { traccarAdapter } from '../../../src/providers/traccar/adapter.ts'
import type { Clock } from '../../../src/domain/time.ts'

/** Creates an adapter, at the URL of a fake if one is given. Without a limiter it never waits. */
type Adapting = (url?: string, clock?: Clock, limiterFor?: LimiterFor) => ProviderAdapter

const NOWHERE = 'http://127.0.0.1:1'

/** Every adapter by its code. A new provider adds one entry. */
export const adapters = byCode({
  samsara: (url, clock, limiterFor) =>
    samsaraAdapter(limiterFor, { ...(url && { regions: { us: url, eu: url, ca: url } }), ...ticking(clock) }),
  geotab: (url, clock, limiterFor) =>
    geotabAdapter(limiterFor, { ...(url && { urlOf: geotabAt(url) }), ...ticking(clock) }),
  motive: (url, clock, limiterFor) =>
    motiveAdapter(limiterFor, { ...(url && { baseUrl: url }), ...ticking(clock) }),
  traccar: (_url, clock, limiterFor) => traccarAdapter(limiterFor, ticking(clock)),
  sandbox: (url = NOWHERE, clock, limiterFor) => sandboxAdapter(url, limiterFor, ticking(clock)),
})

function byCode<Code extends string>(all: Readonly<Record<Code, Adapting>>) {
  return all
}

const ticking = (clock: Clock | undefined) => (clock ? { clock } : {})

/** Resolves a database server: the first one is at `url`, others are host names. */
const geotabAt = (url: string) => (server: string) => (server === DEFAULT_SERVER ? url : `http://${server}`)

/** Returns a provider's readers by model; none for an unknown provider. */
export const readersOf = (code: string): Readonly<Record<string, Reader<object>>> => {
  const adapter = (adapters as Readonly<Record<string, Adapting>>)[code]?.()
  return { ...adapter?.readers, ...adapter?.latest } as Readonly<Record<string, Reader<object>>>
}

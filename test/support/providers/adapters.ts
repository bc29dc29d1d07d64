import type { LimiterFor } from '../../../src/providers/rate-limit/rate-limiter.ts'
import { geotabAdapter } from '../../../src/providers/geotab/adapter.ts'
import { FIRST_SERVER } from '../../../src/providers/geotab/servers.ts'
import { motiveAdapter } from '../../../src/providers/motive/adapter.ts'
import type { ProviderAdapter, Reader } from '../../../src/providers/provider.ts'
import { samsaraAdapter } from '../../../src/providers/samsara/adapter.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'
import { traccarAdapter } from '../../../src/providers/traccar/adapter.ts'
import type { Clock } from '../../../src/domain/time.ts'

/** An adapter; at an address that stands in for the provider's own, where one is given. Without turns it never waits. */
type Adapting = (url?: string, clock?: Clock, turnsOf?: LimiterFor) => ProviderAdapter

const NOWHERE = 'http://127.0.0.1:1'

/** Every adapter there is, by its code: whoever adds a provider adds one. */
export const adapters = byCode({
  samsara: (url, clock, turnsOf) =>
    samsaraAdapter(turnsOf, { ...(url && { regions: { us: url, eu: url, ca: url } }), ...ticking(clock) }),
  geotab: (url, clock, turnsOf) =>
    geotabAdapter(turnsOf, { ...(url && { urlOf: geotabAt(url) }), ...ticking(clock) }),
  motive: (url, clock, turnsOf) =>
    motiveAdapter(turnsOf, { ...(url && { baseUrl: url }), ...ticking(clock) }),
  traccar: (_url, clock, turnsOf) => traccarAdapter(turnsOf, ticking(clock)),
  sandbox: (url = NOWHERE, clock, turnsOf) => sandboxAdapter(url, turnsOf, ticking(clock)),
})

function byCode<Code extends string>(all: Readonly<Record<Code, Adapting>>) {
  return all
}

const ticking = (clock: Clock | undefined) => (clock ? { clock } : {})

/** Where sign-ins begin, and the servers of databases that are named there. */
const geotabAt = (url: string) => (server: string) => (server === FIRST_SERVER ? url : `http://${server}`)

/** By their models, what reads them of a provider; none where there is no such provider. */
export const readersOf = (code: string): Readonly<Record<string, Reader<object>>> => {
  const adapter = (adapters as Readonly<Record<string, Adapting>>)[code]?.()
  return { ...adapter?.readers, ...adapter?.latest } as Readonly<Record<string, Reader<object>>>
}

import type { Config } from './config.ts'
import type { Logger } from './log.ts'
import { guardedFetch } from './outgoing/guarded-fetch.ts'
import { providerRules } from './outgoing/check-url.ts'
import { providerTurns } from './providers/budgets/provider-turns.ts'
import { geotabAdapter } from './providers/geotab/adapter.ts'
import { geotabAt, geotabUrl } from './providers/geotab/servers.ts'
import { motiveAdapter } from './providers/motive/adapter.ts'
import type { ProviderAdapter } from './providers/provider.ts'
import { type Registry, registry } from './providers/registry.ts'
import { samsaraAdapter } from './providers/samsara/adapter.ts'
import { publicRegions } from './providers/samsara/sign-ins.ts'
import { sandboxAdapter } from './providers/sandbox/adapter.ts'
import { traccarAdapter } from './providers/traccar/adapter.ts'
import type { TurnsOf } from './providers/budgets/turns.ts'
import type { Resources } from './resources.ts'

/** Where nobody listens: a service without a sandbox knows its accounts, and cannot ask it. */
const NOWHERE = 'http://127.0.0.1:9'

/** The providers that fleets can be linked with, as the settings say. */
export function openProviders(
  config: Config,
  log: Logger,
  opened: Resources,
  sandboxUrl = config.sandboxUrl ?? NOWHERE,
): Registry {
  const { turnsOf } = opened.add(providerTurns(config, log))
  const { fetch } = opened.add(guardedFetch(providerRules(config)))
  const providers = registry([
    samsaraOf(config, turnsOf),
    geotabOf(config, turnsOf),
    motiveOf(config, turnsOf),
    traccarAdapter(turnsOf, { fetch }),
    sandboxAdapter(sandboxUrl, turnsOf, { browserUrl: config.sandboxBrowserUrl }),
  ])
  refuseUnknown('PROVIDER_BUDGETS', config.providerBudgets, providers)
  refuseUnknown('PROVIDER_URLS', config.providerUrls, providers)
  return providers
}

function samsaraOf(config: Config, turnsOf: TurnsOf): ProviderAdapter {
  const { providerUrls, samsaraClientId: clientId, samsaraClientSecret: clientSecret } = config
  const url = providerUrls.get('samsara')
  return samsaraAdapter(turnsOf, {
    regions: url === undefined ? publicRegions : { us: url, eu: url, ca: url },
    ...(clientId !== undefined && clientSecret !== undefined
      ? { application: { clientId, clientSecret, region: config.samsaraRegion } }
      : {}),
  })
}

function motiveOf(config: Config, turnsOf: TurnsOf): ProviderAdapter {
  const { providerUrls, motiveClientId: clientId, motiveClientSecret: clientSecret } = config
  const baseUrl = providerUrls.get('motive')
  return motiveAdapter(turnsOf, {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(clientId !== undefined && clientSecret !== undefined
      ? { application: { clientId, clientSecret } }
      : {}),
  })
}

function geotabOf({ providerUrls }: Config, turnsOf: TurnsOf): ProviderAdapter {
  const url = providerUrls.get('geotab')
  return geotabAdapter(turnsOf, { urlOf: url === undefined ? geotabUrl : geotabAt(url) })
}

function refuseUnknown(setting: string, named: ReadonlyMap<string, unknown>, providers: Registry): void {
  for (const code of named.keys())
    if (!providers.find(code)) throw new Error(`${setting}: no fleet can be linked with a provider ${code}`)
}

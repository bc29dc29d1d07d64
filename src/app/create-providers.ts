import type { Config } from '../platform/config/config.ts'
import type { Logger } from '../platform/logging/log.ts'
import { createGuardedFetch } from '../platform/outbound-http/guarded-fetch.ts'
import { providerRules } from '../platform/outbound-http/ssrf-guard.ts'
import { createLimiters } from '../providers/rate-limit/create-limiters.ts'
import { geotabAdapter } from '../providers/geotab/adapter.ts'
import { geotabAt, geotabUrl } from '../providers/geotab/servers.ts'
import { motiveAdapter } from '../providers/motive/adapter.ts'
import type { ProviderAdapter } from '../providers/provider.ts'
import { type Registry, registry } from '../providers/registry.ts'
import { samsaraAdapter } from '../providers/samsara/adapter.ts'
import { publicRegions } from '../providers/samsara/auth.ts'
import { sandboxAdapter } from '../providers/sandbox/adapter.ts'
import { traccarAdapter } from '../providers/traccar/adapter.ts'
import type { LimiterFor } from '../providers/rate-limit/rate-limiter.ts'
import type { Disposer } from '../platform/lifecycle/disposer.ts'

/** URL of the sandbox provider if no sandbox runs. Nothing listens there, so requests to the provider fail. */
const UNREACHABLE_URL = 'http://127.0.0.1:9'

/** Creates the adapters of all providers from the settings. */
export function createProviders(
  config: Config,
  log: Logger,
  disposer: Disposer,
  sandboxUrl = config.sandboxUrl ?? UNREACHABLE_URL,
): Registry {
  const { limiterFor } = disposer.add(createLimiters(config, log))
  const { fetch } = disposer.add(createGuardedFetch(providerRules(config)))
  const providers = registry([
    createSamsara(config, limiterFor),
    createGeotab(config, limiterFor),
    createMotive(config, limiterFor),
    traccarAdapter(limiterFor, { fetch }),
    sandboxAdapter(sandboxUrl, limiterFor, { browserUrl: config.sandboxBrowserUrl }),
  ])
  requireKnownProviders('PROVIDER_BUDGETS', config.providerBudgets, providers)
  requireKnownProviders('PROVIDER_URLS', config.providerUrls, providers)
  return providers
}

function createSamsara(config: Config, limiterFor: LimiterFor): ProviderAdapter {
  const { providerUrls, samsaraClientId: clientId, samsaraClientSecret: clientSecret } = config
  const url = providerUrls.get('samsara')
  return samsaraAdapter(limiterFor, {
    regions: url === undefined ? publicRegions : { us: url, eu: url, ca: url },
    ...(clientId !== undefined && clientSecret !== undefined
      ? { application: { clientId, clientSecret, region: config.samsaraRegion } }
      : {}),
  })
}

function createMotive(config: Config, limiterFor: LimiterFor): ProviderAdapter {
  const { providerUrls, motiveClientId: clientId, motiveClientSecret: clientSecret } = config
  const baseUrl = providerUrls.get('motive')
  return motiveAdapter(limiterFor, {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(clientId !== undefined && clientSecret !== undefined
      ? { application: { clientId, clientSecret } }
      : {}),
  })
}

function createGeotab({ providerUrls }: Config, limiterFor: LimiterFor): ProviderAdapter {
  const url = providerUrls.get('geotab')
  return geotabAdapter(limiterFor, { urlOf: url === undefined ? geotabUrl : geotabAt(url) })
}

function requireKnownProviders(
  setting: string,
  byProvider: ReadonlyMap<string, unknown>,
  providers: Registry,
): void {
  for (const code of byProvider.keys())
    if (!providers.find(code)) {
      const codes = providers.all.map(({ manifest }) => manifest.code).join(', ')
      throw new Error(`${setting}: there is no provider ${code}. The providers are ${codes}.`)
    }
}

import { collectDefaultMetrics, Registry } from 'prom-client'
import { measureApi } from './api-metrics.ts'
import type { ScrapedGauges } from './scraped-gauges.ts'
import { instruments } from './instruments.ts'
import { stateMetrics, type ServiceState } from './state-metrics.ts'
import { measureBackground } from './background-metrics.ts'

/** Metrics of a process in the Prometheus format. */
export interface Metrics {
  readonly contentType: string
  text(): Promise<string>
  /** Registers the gauges that are read from these sources at each scrape. */
  addState(state: ServiceState): void
  close(): Promise<void>
}

/** Starts to collect metrics. */
export function startMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const make = instruments(registry)
  const unsubscribers = [...measureApi(make), ...measureBackground(make)]
  let scrapedGauges: ScrapedGauges | null = null
  return {
    contentType: registry.contentType,
    async text() {
      await scrapedGauges?.collect()
      return registry.metrics()
    },
    addState: (state) => void (scrapedGauges = stateMetrics(make, state)),
    close: async () => {
      for (const unsubscribe of unsubscribers) unsubscribe()
      registry.clear()
    },
  }
}

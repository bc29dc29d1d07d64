import { collectDefaultMetrics, Registry } from 'prom-client'
import { measureApi } from './api-metrics.ts'
import type { ScrapedGauges } from './scraped-gauges.ts'
import { instruments } from './instruments.ts'
import { stateMetrics, type ServiceState } from './state-metrics.ts'
import { measureBackground } from './background-metrics.ts'

/** The metrics of a process, in Prometheus' form. */
export interface Metrics {
  readonly contentType: string
  text(): Promise<string>
  /** Says where the state is looked up, once there is where. */
  show(states: ServiceState): void
  close(): Promise<void>
}

/** Measures from now on. */
export function startMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const make = instruments(registry)
  const leave = [...measureApi(make), ...measureBackground(make)]
  let collected: ScrapedGauges | null = null
  return {
    contentType: registry.contentType,
    async text() {
      await collected?.collect()
      return registry.metrics()
    },
    show: (states) => void (collected = stateMetrics(make, states)),
    close: async () => {
      for (const end of leave) end()
      registry.clear()
    },
  }
}

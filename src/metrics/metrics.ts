import { collectDefaultMetrics, Registry } from 'prom-client'
import { watchApi } from './api-metrics.ts'
import type { Collected } from './gauges.ts'
import { instruments } from './instruments.ts'
import { stateMetrics, type States } from './state-metrics.ts'
import { watchWork } from './work-metrics.ts'

/** The metrics of a process, in Prometheus' form. */
export interface Metrics {
  readonly contentType: string
  text(): Promise<string>
  /** Says where the state is looked up, once there is where. */
  show(states: States): void
  close(): Promise<void>
}

/** Measures from now on. */
export function startMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const make = instruments(registry)
  const leave = [...watchApi(make), ...watchWork(make)]
  let collected: Collected | null = null
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

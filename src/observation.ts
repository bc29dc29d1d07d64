import { type Config, isOn } from './config.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Resources } from './resources.ts'

/** Whether `/metrics` is served: never in production unless it is asked for, or kept by a token. */
const servesMetrics = (config: Config): boolean =>
  isOn('metrics', config) || (config.metrics !== 'off' && config.metricsToken !== undefined)

/** Measures and traces what is configured, from before the first request; what is off is not even loaded. */
export async function observed(config: Config, log: Logger, opened: Resources): Promise<Metrics | null> {
  const { otlpEndpoint: endpoint, otlpServiceName: serviceName, role } = config
  if (endpoint !== undefined) {
    const { startTracing } = await import('./tracing/tracing.ts')
    opened.add(startTracing({ endpoint, serviceName, role, log }))
  }
  if (!servesMetrics(config)) return null
  const { startMetrics } = await import('./metrics/metrics.ts')
  return opened.add(startMetrics())
}

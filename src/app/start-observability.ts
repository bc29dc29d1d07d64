import { type Config, isOn } from '../platform/config/config.ts'
import type { Logger } from '../platform/logging/log.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { Disposer } from '../platform/lifecycle/disposer.ts'

/** Whether `/metrics` is served. A METRICS_TOKEN turns it on, unless METRICS is off. */
const servesMetrics = (config: Config): boolean =>
  isOn('metrics', config) || (config.metrics !== 'off' && config.metricsToken !== undefined)

/**
 * Starts metrics and tracing, if they are configured. They must start before the first request, which they measure.
 * The modules of a disabled part are not loaded.
 */
export async function startObservability(
  config: Config,
  log: Logger,
  disposer: Disposer,
): Promise<Metrics | null> {
  const { otlpEndpoint: endpoint, otlpServiceName: serviceName, role } = config
  if (endpoint !== undefined) {
    const { startTracing } = await import('../platform/tracing/tracing.ts')
    disposer.add(startTracing({ endpoint, serviceName, role, log }))
  }
  if (!servesMetrics(config)) return null
  const { startMetrics } = await import('../platform/metrics/metrics.ts')
  return disposer.add(startMetrics())
}

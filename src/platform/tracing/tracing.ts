import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Logger } from '../logging/log.ts'
import { startSpans } from './spans.ts'

interface TracingOptions {
  /** URL of a collector that accepts OTLP over HTTP, without `/v1/traces` and without a trailing slash. */
  readonly endpoint: string
  readonly serviceName: string
  readonly role: string
  readonly log: Logger
}

const EXPORT_TIMEOUT_MS = 3000

/** Starts tracing; spans are exported in the background. */
export function startTracing({ endpoint, serviceName, role, log }: TracingOptions): {
  close(): Promise<void>
} {
  const contexts = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(contexts)
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'odograph.role': role }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1000 })],
  })
  const unsubscribers = startSpans(provider.getTracer('odograph'))
  return {
    async close() {
      for (const unsubscribe of unsubscribers) unsubscribe()
      await provider.shutdown().catch((err: unknown) => log.warn({ err }, 'trace export failed at shutdown'))
      context.disable()
      trace.disable()
    },
  }
}

import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Logger } from '../logging/log.ts'
import { startSpans } from './spans.ts'

interface TracingOptions {
  /** Of a collector that takes OTLP over HTTP, without `/v1/traces`. */
  readonly endpoint: string
  readonly serviceName: string
  readonly role: string
  readonly log: Logger
}

const DELIVERY_MS = 3000

/** Traces what the service does from now on, and delivers the spans in the background. */
export function startTracing({ endpoint, serviceName, role, log }: TracingOptions): {
  close(): Promise<void>
} {
  const contexts = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(contexts)
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: DELIVERY_MS,
  })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'odograph.role': role }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1000 })],
  })
  const leave = startSpans(provider.getTracer('odograph'))
  return {
    async close() {
      for (const end of leave) end()
      await provider
        .shutdown()
        .catch((err: unknown) => log.warn({ err }, 'the last traces were not delivered'))
      context.disable()
      trace.disable()
    },
  }
}

import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import {
  batches,
  outboundHeaders,
  jobRuns,
  operations,
  providerCalls,
  requests,
  type RequestWork,
  statements,
  type Middleware,
} from '../instrumentation.ts'
import { toSpanContext, toTraceparent } from './traceparent.ts'

/** Name, kind and attributes of a span. */
interface SpanDescription {
  readonly name: string
  readonly kind?: SpanKind
  readonly attributes: Attributes
}

interface SpanSource<Work> {
  describe(work: Work): SpanDescription
  /** Adds what is known only at the end of the work. */
  onEnd?(span: Span, work: Work): void
  /** Parent context of the span; null if the work is not traced. */
  parent?(work: Work): Context | null
  /** Called with the context in which the work runs. */
  onStart?(work: Work, workContext: Context): void
}

/** Starts a span for each request, operation, batch, statement, provider request and job. */
export function startSpans(tracer: Tracer): (() => void)[] {
  const traced = <Work>(source: SpanSource<Work>) => middlewareOf(tracer, source)
  return [
    requests.use(traced(requestTracing)),
    operations.use(
      traced({
        describe: ({ name, type, engine }) => ({
          name: name === null ? type : `${type} ${name}`,
          attributes: {
            'graphql.operation.type': type,
            'odograph.engine': engine,
            ...(name === null ? {} : { 'graphql.operation.name': name }),
          },
        }),
        onEnd: (span, { codes }) => void (codes.length > 0 && setFailed(span, codes.join(', '))),
      }),
    ),
    batches.use(
      traced({
        parent: withinTrace,
        describe: ({ loader, size }) => ({
          name: `load ${loader}`,
          attributes: { 'odograph.batch.size': size },
        }),
      }),
    ),
    statements.use(
      traced({
        parent: withinTrace,
        describe: ({ sql }) => ({
          name: sql.trimStart().split(/\s/, 1)[0] ?? 'statement',
          kind: SpanKind.CLIENT,
          attributes: { 'db.query.text': sql.slice(0, MAX_STATEMENT_LENGTH) },
        }),
      }),
    ),
    providerCalls.use(
      traced({
        parent: withinTrace,
        describe: ({ provider, method, host, path, attempt }) => ({
          name: `${method} ${provider}`,
          kind: SpanKind.CLIENT,
          attributes: {
            'http.request.method': method,
            'server.address': host,
            'url.path': path,
            'http.request.resend_count': attempt - 1,
          },
        }),
        onEnd: (span, { status }) =>
          void (status !== undefined && span.setAttribute('http.response.status_code', status)),
      }),
    ),
    jobRuns.use(
      traced({
        parent: () => ROOT_CONTEXT,
        describe: ({ job, jobId, attempt, connectionId, syncId }) => ({
          name: `job ${job}`,
          kind: SpanKind.CONSUMER,
          attributes: {
            'odograph.job.id': jobId,
            'odograph.job.attempt': attempt,
            ...(connectionId === undefined ? {} : { 'odograph.connection.id': connectionId }),
            ...(syncId === undefined ? {} : { 'odograph.sync.id': syncId }),
          },
        }),
      }),
    ),
    outboundHeaders.on((headers) => {
      const spanContext = trace.getSpanContext(context.active())
      if (spanContext) headers['traceparent'] = toTraceparent(spanContext)
    }),
  ]
}

/** Maximum length of a statement in a span; a statement can insert many rows. */
const MAX_STATEMENT_LENGTH = 2000

/** Returns the parent context of work inside a trace. Returns null for other work: periodic work is not traced. */
const withinTrace = (): Context | null => (trace.getActiveSpan() ? context.active() : null)

/** Routes that monitoring calls every few seconds; they are not traced. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

const requestTracing: SpanSource<RequestWork> = {
  parent({ route, traceparent }) {
    if (PROBES.has(route)) return null
    const remote = toSpanContext(traceparent)
    return remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT
  },
  describe: ({ method, route, requestId }) => ({
    name: `${method} ${route}`,
    kind: SpanKind.SERVER,
    attributes: { 'http.request.method': method, 'http.route': route, 'odograph.request.id': requestId },
  }),
  onStart: (work, workContext) => void (work.resume = (rest) => context.with(workContext, rest)),
  onEnd(span, { status }) {
    span.setAttribute('http.response.status_code', status)
    if (status >= 500) setFailed(span, String(status))
  },
}

const setFailed = (span: Span, message: string) => span.setStatus({ code: SpanStatusCode.ERROR, message })

function middlewareOf<Work>(
  tracer: Tracer,
  { describe, onEnd, parent, onStart }: SpanSource<Work>,
): Middleware<Work> {
  return (work, next) => {
    const parentContext = parent ? parent(work) : context.active()
    if (!parentContext) return next()
    const { name, ...options } = describe(work)
    const span = tracer.startSpan(name, options, parentContext)
    const workContext = trace.setSpan(parentContext, span)
    onStart?.(work, workContext)
    return context.with(workContext, async () => {
      try {
        return await next()
      } catch (error) {
        // Only the name is recorded, because a message can contain request data.
        setFailed(span, error instanceof Error ? error.name : 'failed')
        throw error
      } finally {
        onEnd?.(span, work)
        span.end()
      }
    })
  }
}

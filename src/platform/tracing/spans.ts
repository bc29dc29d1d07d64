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

/** How a piece of work looks in a trace. */
interface SpanAppearance {
  readonly name: string
  readonly kind?: SpanKind
  readonly attributes: Attributes
}

interface Tracing<Work> {
  look(work: Work): SpanAppearance
  /** What is only known when it is done. */
  after?(span: Span, work: Work): void
  /** Where it hangs; null where it is not traced. */
  parent?(work: Work): Context | null
  /** Told of where what is done in it hangs. */
  entered?(work: Work, inside: Context): void
}

/** A span for each request, operation, batch, statement, request to a provider and job. */
export function startSpans(tracer: Tracer): (() => void)[] {
  const traced = <Work>(tracing: Tracing<Work>) => middlewareOf(tracer, tracing)
  return [
    requests.use(traced(requestTracing)),
    operations.use(
      traced({
        look: ({ name, type, engine }) => ({
          name: name === null ? type : `${type} ${name}`,
          attributes: {
            'graphql.operation.type': type,
            'odograph.engine': engine,
            ...(name === null ? {} : { 'graphql.operation.name': name }),
          },
        }),
        after: (span, { codes }) => void (codes.length > 0 && failed(span, codes.join(', '))),
      }),
    ),
    batches.use(
      traced({
        parent: withinTrace,
        look: ({ loader, size }) => ({ name: `load ${loader}`, attributes: { 'odograph.batch.size': size } }),
      }),
    ),
    statements.use(
      traced({
        parent: withinTrace,
        look: ({ sql }) => ({
          name: sql.trimStart().split(/\s/, 1)[0] ?? 'statement',
          kind: SpanKind.CLIENT,
          attributes: { 'db.query.text': sql.slice(0, MAX_STATEMENT_LENGTH) },
        }),
      }),
    ),
    providerCalls.use(
      traced({
        parent: withinTrace,
        look: ({ provider, method, host, path, attempt }) => ({
          name: `${method} ${provider}`,
          kind: SpanKind.CLIENT,
          attributes: {
            'http.request.method': method,
            'server.address': host,
            'url.path': path,
            'http.request.resend_count': attempt - 1,
          },
        }),
        after: (span, { status }) =>
          void (status !== undefined && span.setAttribute('http.response.status_code', status)),
      }),
    ),
    jobRuns.use(
      traced({
        parent: () => ROOT_CONTEXT,
        look: ({ job, jobId, attempt, connectionId, syncId }) => ({
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
      const here = trace.getSpanContext(context.active())
      if (here) headers['traceparent'] = toTraceparent(here)
    }),
  ]
}

/** Rows are written many at a time. */
const MAX_STATEMENT_LENGTH = 2000

/** What the service looks up by itself, again and again, is of no trace. */
const withinTrace = (): Context | null => (trace.getActiveSpan() ? context.active() : null)

/** Whoever asks for these does so every few seconds. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

const requestTracing: Tracing<RequestWork> = {
  parent({ route, traceparent }) {
    if (PROBES.has(route)) return null
    const remote = toSpanContext(traceparent)
    return remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT
  },
  look: ({ method, route, requestId }) => ({
    name: `${method} ${route}`,
    kind: SpanKind.SERVER,
    attributes: { 'http.request.method': method, 'http.route': route, 'odograph.request.id': requestId },
  }),
  entered: (work, inside) => void (work.resume = (go) => context.with(inside, go)),
  after(span, { status }) {
    span.setAttribute('http.response.status_code', status)
    if (status >= 500) failed(span, String(status))
  },
}

const failed = (span: Span, message: string) => span.setStatus({ code: SpanStatusCode.ERROR, message })

function middlewareOf<Work>(
  tracer: Tracer,
  { look, after, parent, entered }: Tracing<Work>,
): Middleware<Work> {
  return (work, done) => {
    const place = parent ? parent(work) : context.active()
    if (!place) return done()
    const { name, ...options } = look(work)
    const span = tracer.startSpan(name, options, place)
    const inside = trace.setSpan(place, span)
    entered?.(work, inside)
    return context.with(inside, async () => {
      try {
        return await done()
      } catch (error) {
        // Messages may quote what was asked.
        failed(span, error instanceof Error ? error.name : 'failed')
        throw error
      } finally {
        after?.(span, work)
        span.end()
      }
    })
  }
}

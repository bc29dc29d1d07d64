/**
 * Instrumentation hook for one kind of work. Metrics and tracing add middlewares to it. Without a middleware it costs
 * one comparison. The middlewares are global to the process, so that no caller has to pass them on.
 */
export interface Hook<Work> {
  /**
   * Runs `next` inside the middlewares. `work` describes it. Members that become known only later, such as a status,
   * may be set while it runs.
   */
  run<T>(work: Work, next: () => Promise<T>): Promise<T>
  /** Adds a middleware until the returned function is called. */
  use(middleware: Middleware<Work>): () => void
  isUsed(): boolean
}

/** Wraps a piece of work; must call `next` exactly once. */
export type Middleware<Work> = (work: Work, next: () => Promise<unknown>) => Promise<unknown>

function createHook<Work>(): Hook<Work> {
  let middlewares: readonly Middleware<Work>[] = []
  return {
    isUsed: () => middlewares.length > 0,
    run<T>(work: Work, next: () => Promise<T>) {
      if (middlewares.length === 0) return next()
      const wrap = (inner: () => Promise<unknown>, middleware: Middleware<Work>) => () =>
        middleware(work, inner)
      return middlewares.reduce<() => Promise<unknown>>(wrap, next)() as Promise<T>
    },
    use(middleware) {
      middlewares = [...middlewares, middleware]
      return () => void (middlewares = middlewares.filter((other) => other !== middleware))
    },
  }
}

/** Channel for events that have no duration. */
export interface EventChannel<Event> {
  emit(event: Event): void
  on(listener: (event: Event) => void): () => void
}

function createEventChannel<Event>(): EventChannel<Event> {
  const listeners = new Set<(event: Event) => void>()
  return {
    emit: (event) => listeners.forEach((listener) => listener(event)),
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** HTTP request, until the last byte of the response. */
export interface RequestWork {
  readonly method: string
  /** Pattern of the route, never the path. */
  readonly route: string
  readonly requestId: string
  /** Trace context of the caller, in the W3C format. */
  readonly traceparent: string | undefined
  status: number
  /** Number of SQL statements so far. */
  statements: number
  /**
   * Set by tracing. Runs a function in the async context of the request. That context is lost while the body is parsed,
   * so the HTTP server restores it afterwards.
   */
  resume?: (work: () => void) => void
}

/** GraphQL operation over any transport. */
export interface OperationWork {
  /** Name that the caller chose, or the name of a REST route's operation. */
  readonly name: string | null
  /** Whether it is the operation of a REST route. Callers choose the names of other operations. */
  readonly isRestOperation: boolean
  readonly type: 'query' | 'mutation' | 'subscription'
  /** `fused`: one execution over all subgraphs in this process. `federated`: a query plan over several processes. */
  readonly engine: 'fused' | 'federated'
  /** Codes of the errors in the result. */
  codes: readonly string[]
}

/** Keys that a loader reads at once. */
export interface BatchWork {
  readonly loader: string
  readonly size: number
}

export interface StatementWork {
  /** SQL with placeholders, never with values. */
  readonly sql: string
}

/** Request to a provider; `status` is missing without a response. */
export interface ProviderWork {
  readonly provider: string
  readonly method: string
  readonly host: string
  /** Path without the query. */
  readonly path: string
  /** Number of the attempt, from 1. */
  readonly attempt: number
  status?: number
}

/** Attempt at a job. */
export interface JobWork {
  readonly job: string
  readonly jobId: string
  readonly attempt: number
  readonly connectionId?: string | undefined
  readonly syncId?: string | undefined
  readonly signal: AbortSignal
}

export const requests = createHook<RequestWork>()
export const operations = createHook<OperationWork>()
export const batches = createHook<BatchWork>()
export const statements = createHook<StatementWork>()
export const providerCalls = createHook<ProviderWork>()
export const jobRuns = createHook<JobWork>()

/**
 * Failure of a job, as its queue reports it. `final`: the job is not retried. `stalled`: the worker of the job died, or
 * was blocked for so long that it lost the lock of the job.
 */
export const jobFailures = createEventChannel<{
  readonly job: string
  readonly final: boolean
  readonly stalled: boolean
}>()
/** End of a sync, with its final status. */
export const syncEnds = createEventChannel<{ readonly provider: string; readonly outcome: string }>()
/** Records of a page that a sync has stored or found unchanged. */
export const storedRecords = createEventChannel<{
  readonly provider: string
  readonly model: string
  readonly count: number
}>()

/** Provider value that no mapping of the adapter contains, for a normalized field such as `HOSLog.status`. */
export const unknownEnumValues = createEventChannel<{
  readonly provider: string
  readonly field: string
  readonly value: string
}>()

/** Request to a webhook receiver: whether the message was delivered, and how the request ended. */
export const deliveryAttempts = createEventChannel<{
  readonly outcome: 'delivered' | 'failed'
  readonly ended: 'answered' | 'timed_out' | 'unreachable' | 'blocked'
  readonly durationMs: number
}>()

/**
 * Request above a rate limit. `bucket` names what the limit applies to, such as `key` or `address`. `applicationId` is
 * null for an address whose requests are not authenticated.
 */
export const rateLimitRefusals = createEventChannel<{
  readonly bucket: string
  readonly applicationId: string | null
}>()

/**
 * Requests that the request log does not store. `rate`: too many of one kind in a second. `full`: too many rows wait
 * for a write. `failed`: the write failed.
 */
export const requestLogDrops = createEventChannel<{
  readonly reason: 'rate' | 'full' | 'failed'
  readonly count: number
}>()

/** Headers of a request to another process of this service. Listeners may add headers. */
export const outboundHeaders = createEventChannel<Record<string, string>>()

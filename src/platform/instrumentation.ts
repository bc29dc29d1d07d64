/**
 * Work of one kind that others may watch: those who measure it and those who trace it. Where nobody does, it costs a
 * comparison. Watchers are of the process, like its log: whoever works need not be handed them.
 */
export interface Hook<Work> {
  /** Does a piece of work within its watchers. The work may be filled in while it is done. */
  run<T>(work: Work, done: () => Promise<T>): Promise<T>
  /** Watches from now on, until the returned function is called. */
  use(middleware: Middleware<Work>): () => void
  isUsed(): boolean
}

/** Stands around a piece of work and must do it, once. */
export type Middleware<Work> = (work: Work, done: () => Promise<unknown>) => Promise<unknown>

function createHook<Work>(): Hook<Work> {
  let middlewares: readonly Middleware<Work>[] = []
  return {
    isUsed: () => middlewares.length > 0,
    run<T>(work: Work, done: () => Promise<T>) {
      if (middlewares.length === 0) return done()
      const around = (inner: () => Promise<unknown>, middleware: Middleware<Work>) => () =>
        middleware(work, inner)
      return middlewares.reduce<() => Promise<unknown>>(around, done)() as Promise<T>
    },
    use(middleware) {
      middlewares = [...middlewares, middleware]
      return () => void (middlewares = middlewares.filter((other) => other !== middleware))
    },
  }
}

/** Something that has happened, for whoever hears of it. */
export interface EventChannel<Fact> {
  emit(fact: Fact): void
  on(listener: (fact: Fact) => void): () => void
}

function createEventChannel<Fact>(): EventChannel<Fact> {
  const listeners = new Set<(fact: Fact) => void>()
  return {
    emit: (fact) => listeners.forEach((listener) => listener(fact)),
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** A request over HTTP, to its last byte. */
export interface RequestWork {
  readonly method: string
  /** The pattern of the route, never the path. */
  readonly route: string
  readonly requestId: string
  /** The trace that the caller is in, in W3C's form. */
  readonly traceparent: string | undefined
  status: number
  statements: number
  /** Set by who needs to know the request again after its body has come: the parser works for nobody. */
  resume?: (work: () => void) => void
}

/** An operation over the graph, however it came. */
export interface OperationWork {
  /** The caller's name for it, or of a REST route's operation ours. */
  readonly name: string | null
  /** Whether it is one of ours, of which there are few. */
  readonly isRestOperation: boolean
  readonly type: 'query' | 'mutation' | 'subscription'
  readonly engine: 'fused' | 'federated'
  /** Of the errors in the answer. */
  codes: readonly string[]
}

/** The keys of a level, read at once. */
export interface BatchWork {
  readonly loader: string
  readonly size: number
}

export interface StatementWork {
  /** With placeholders; values are never told. */
  readonly sql: string
}

/** A request to a provider; without a status it was not answered. */
export interface ProviderWork {
  readonly provider: string
  readonly method: string
  readonly host: string
  /** Without its query. */
  readonly path: string
  /** The first is 1. */
  readonly attempt: number
  status?: number
}

/** One attempt at a job. */
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

/** A job's failure, as its queue tells it: `final` where it is not tried again. */
export const jobFailures = createEventChannel<{
  readonly job: string
  readonly final: boolean
  readonly stalled: boolean
}>()
export const syncEnds = createEventChannel<{ readonly provider: string; readonly outcome: string }>()
export const storedRecords = createEventChannel<{
  readonly provider: string
  readonly model: string
  readonly count: number
}>()

/** A word of a provider that no table of its adapter knows, for a field of ours such as `HOSLog.status`. */
export const unknownEnumValues = createEventChannel<{
  readonly provider: string
  readonly field: string
  readonly word: string
}>()

/** A request to a receiver of webhooks: whether the message has arrived, and how the request ended. */
export const deliveryAttempts = createEventChannel<{
  readonly outcome: 'delivered' | 'failed'
  readonly ended: 'answered' | 'timed_out' | 'unreachable' | 'blocked'
  readonly durationMs: number
}>()

/** Headers of a request to a process of ours, to which others may add. */
export const outboundHeaders = createEventChannel<Record<string, string>>()

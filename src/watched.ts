/**
 * Work of one kind that others may watch: those who measure it and those who trace it. Where nobody does, it costs a
 * comparison. Watchers are of the process, like its log: whoever works need not be handed them.
 */
export interface Watched<Work> {
  /** Does a piece of work within its watchers. The work may be filled in while it is done. */
  run<T>(work: Work, done: () => Promise<T>): Promise<T>
  /** Watches from now on, until the returned function is called. */
  watch(watcher: Watcher<Work>): () => void
  isWatched(): boolean
}

/** Stands around a piece of work and must do it, once. */
export type Watcher<Work> = (work: Work, done: () => Promise<unknown>) => Promise<unknown>

function watched<Work>(): Watched<Work> {
  let watchers: readonly Watcher<Work>[] = []
  return {
    isWatched: () => watchers.length > 0,
    run<T>(work: Work, done: () => Promise<T>) {
      if (watchers.length === 0) return done()
      const around = (inner: () => Promise<unknown>, watcher: Watcher<Work>) => () => watcher(work, inner)
      return watchers.reduce<() => Promise<unknown>>(around, done)() as Promise<T>
    },
    watch(watcher) {
      watchers = [...watchers, watcher]
      return () => void (watchers = watchers.filter((other) => other !== watcher))
    },
  }
}

/** Something that has happened, for whoever hears of it. */
export interface Told<Fact> {
  tell(fact: Fact): void
  hear(ear: (fact: Fact) => void): () => void
}

function told<Fact>(): Told<Fact> {
  const ears = new Set<(fact: Fact) => void>()
  return {
    tell: (fact) => ears.forEach((ear) => ear(fact)),
    hear(ear) {
      ears.add(ear)
      return () => void ears.delete(ear)
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
  readonly ours: boolean
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

export const requests = watched<RequestWork>()
export const operations = watched<OperationWork>()
export const batches = watched<BatchWork>()
export const statements = watched<StatementWork>()
export const providerCalls = watched<ProviderWork>()
export const jobRuns = watched<JobWork>()

/** A job's failure, as its queue tells it: `final` where it is not tried again. */
export const jobFailures = told<{
  readonly job: string
  readonly final: boolean
  readonly stalled: boolean
}>()
export const syncEnds = told<{ readonly provider: string; readonly outcome: string }>()
export const storedRecords = told<{
  readonly provider: string
  readonly model: string
  readonly count: number
}>()

/** A word of a provider that no table of its adapter knows, for a field of ours such as `HOSLog.status`. */
export const unknownWords = told<{
  readonly provider: string
  readonly field: string
  readonly word: string
}>()

/** A request to a receiver of webhooks: whether the message has arrived, and how the request ended. */
export const deliveryAttempts = told<{
  readonly outcome: 'delivered' | 'failed'
  readonly ended: 'answered' | 'timed_out' | 'unreachable' | 'blocked'
  readonly durationMs: number
}>()

/** Headers of a request to a process of ours, to which others may add. */
export const departures = told<Record<string, string>>()

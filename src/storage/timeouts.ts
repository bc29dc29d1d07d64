import { PublicError } from '../domain/errors.ts'

/** Time limits of database operations. */
export interface TimeoutPolicy {
  /** Limit of one wait: for a connection, or for the result of a statement. */
  readonly statementMs: number
  /** Time after the start within which temporary failures are retried. */
  readonly retryMs: number
  /** Limit for the whole operation. */
  readonly totalMs: number
}

/** Returns the limits for requests: a caller gets a result or an error within seconds. */
export const requestTimeouts = (timeoutMs: number): TimeoutPolicy => ({
  statementMs: timeoutMs,
  retryMs: timeoutMs,
  totalMs: timeoutMs,
})

/** Returns the limits for jobs. No caller waits, so a job can wait until a failover is over. */
export const jobTimeouts = (timeoutMs: number): TimeoutPolicy => ({
  statementMs: 4 * timeoutMs,
  retryMs: 8 * timeoutMs,
  totalMs: 80 * timeoutMs,
})

/** Time limit of one operation, counted from its start. */
export class TimeLimit {
  private readonly startedAt = performance.now()

  constructor(private readonly policy: TimeoutPolicy) {}

  /** Maximum duration of the next wait; 0 if no time is left. */
  get statementMs(): number {
    const { statementMs, totalMs } = this.policy
    return Math.max(0, Math.min(statementMs, totalMs - this.elapsedMs))
  }

  get mayRetry(): boolean {
    return this.elapsedMs < this.policy.retryMs
  }

  private get elapsedMs(): number {
    return performance.now() - this.startedAt
  }
}

interface Backoff {
  readonly firstMs: number
  /** Limit before the jitter. */
  readonly maxMs: number
}

/** Returns the pause before a retry: exponential backoff with a jitter of 50 % either way. */
export const pauseMs = (attempt: number, { firstMs, maxMs }: Backoff): number =>
  Math.min(firstMs * 2 ** attempt, maxMs) * (0.5 + Math.random())

/** Error: the database did not answer within its time limit. */
export class DatabaseTimeout extends Error {
  override readonly name = 'DatabaseTimeout'

  constructor(ms: number) {
    super(`the database has not answered for ${Math.round(ms)} ms`)
  }
}

const RETRY_AFTER_SECONDS = 2

/** Returns the error for callers: the database does not answer in time, or cannot accept the operation. */
export const databaseUnavailable = (cause: unknown): PublicError =>
  new PublicError('service_unavailable', 'The database is not available. Try again in a moment.', {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

/** Returns the error for callers: it is unknown whether the change was stored. */
export const outcomeUnknown = (cause: unknown): PublicError =>
  new PublicError(
    'service_unavailable',
    'The connection to the database was lost during the change. Check whether the change was made before you try again.',
    { cause, retryAfterSeconds: RETRY_AFTER_SECONDS },
  )

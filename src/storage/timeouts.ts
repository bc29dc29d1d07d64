import { PublicError } from '../domain/errors.ts'

/** Time limits of database operations. */
export interface TimeoutPolicy {
  /** Limit for a connection, and for the result of one statement. */
  readonly statementMs: number
  /** Time after the start within which temporary failures are retried. */
  readonly retryMs: number
  /** Limit for the whole operation. */
  readonly totalMs: number
}

/** Limits for requests: a caller gets a result or a refusal within seconds. */
export const requestTimeouts = (timeoutMs: number): TimeoutPolicy => ({
  statementMs: timeoutMs,
  retryMs: timeoutMs,
  totalMs: timeoutMs,
})

/** Limits for jobs: no caller waits, so a job may wait for a failover. */
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

/** Pause before a retry: exponential backoff with jitter. */
export const pauseMs = (attempt: number, first: number, longest: number): number =>
  Math.min(first * 2 ** attempt, longest) * (0.5 + Math.random())

/** Error: the database did not answer within its time limit. */
export class DatabaseTimeout extends Error {
  override readonly name = 'Overdue'

  constructor(ms: number) {
    super(`the database has not answered for ${Math.round(ms)} ms`)
  }
}

const RETRY_AFTER_SECONDS = 2

/** Error for callers: the database does not answer, or not in time. */
export const databaseUnavailable = (cause: unknown): PublicError =>
  new PublicError('service_unavailable', 'The database is out of reach. Try again in a moment.', {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

/** Error for callers: it is unknown whether the change was stored. */
export const outcomeUnknown = (cause: unknown): PublicError =>
  new PublicError(
    'service_unavailable',
    'The database went away while the change was stored. Look whether it was made before you try again.',
    { cause, retryAfterSeconds: RETRY_AFTER_SECONDS },
  )

import { PublicError } from '../domain/errors.ts'

/** How long who asks the database waits for it. */
export interface TimeoutPolicy {
  /** The longest wait for a connection, or for the answer to one statement. */
  readonly statementMs: number
  /** For so long after its beginning, what failed for a while is tried again. */
  readonly retryMs: number
  /** After this everything ends, whatever it waits for. */
  readonly totalMs: number
}

/** A caller waits: within a few seconds there is an answer, or the refusal to give one. */
export const requestTimeouts = (timeoutMs: number): TimeoutPolicy => ({
  statementMs: timeoutMs,
  retryMs: timeoutMs,
  totalMs: timeoutMs,
})

/** Nobody waits for a job: it may sit out a failover. */
export const jobTimeouts = (timeoutMs: number): TimeoutPolicy => ({
  statementMs: 4 * timeoutMs,
  retryMs: 8 * timeoutMs,
  totalMs: 80 * timeoutMs,
})

/** The patience of one piece of work, from when it began. */
export class TimeLimit {
  private readonly began = performance.now()

  constructor(private readonly policy: TimeoutPolicy) {}

  /** How long the next wait may be; 0 where there is nothing left. */
  get statementMs(): number {
    const { statementMs, totalMs } = this.policy
    return Math.max(0, Math.min(statementMs, totalMs - this.elapsedMs))
  }

  get mayRetry(): boolean {
    return this.elapsedMs < this.policy.retryMs
  }

  private get elapsedMs(): number {
    return performance.now() - this.began
  }
}

/** The pause before another try, longer from try to try, and never the same for two who failed together. */
export const pauseMs = (attempt: number, first: number, longest: number): number =>
  Math.min(first * 2 ** attempt, longest) * (0.5 + Math.random())

/** A wait for the database that went on for too long. */
export class DatabaseTimeout extends Error {
  override readonly name = 'Overdue'

  constructor(ms: number) {
    super(`the database has not answered for ${Math.round(ms)} ms`)
  }
}

const RETRY_AFTER_SECONDS = 2

/** What callers are told where the database does not answer, or not in time. */
export const databaseUnavailable = (cause: unknown): PublicError =>
  new PublicError('service_unavailable', 'The database is out of reach. Try again in a moment.', {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

/** The same where nobody could find out whether what was asked for has happened. */
export const outcomeUnknown = (cause: unknown): PublicError =>
  new PublicError(
    'service_unavailable',
    'The database went away while the change was stored. Look whether it was made before you try again.',
    { cause, retryAfterSeconds: RETRY_AFTER_SECONDS },
  )

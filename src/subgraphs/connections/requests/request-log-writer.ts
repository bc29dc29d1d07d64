import { newId } from '../../../domain/ids.ts'
import type { Clock, Instant } from '../../../domain/time.ts'
import { requestLogDrops } from '../../../platform/instrumentation.ts'
import { redactSecretsByForm } from '../../../platform/logging/log.ts'
import type { LogContext } from '../../../platform/logging/log-context.ts'
import type { Database } from '../../../storage/database.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { LoggedRequest } from './logged-request.ts'

/** Request that the API has answered. */
export interface AnsweredRequest extends Pick<LoggedRequest, 'interface' | 'status' | 'durationMs'> {
  readonly logContext: LogContext
}

export interface RequestLogWriter {
  /** Records a request. Returns before it is written, and never fails. */
  record(request: AnsweredRequest): void
  /** Writes the recorded requests that are not yet written. */
  close(): Promise<void>
}

interface WriterDeps {
  readonly db: Pick<Database, 'transaction'>
  readonly clock: Clock
  onWriteError(error: unknown): void
}

const WRITE_INTERVAL_MS = 1000
const ROWS_PER_WRITE = 100
/** Rows that may wait for a write. Short bursts above the rate of the writes are kept. */
export const MAX_WAITING_ROWS = 1000
/** Waiting rows above which only failed requests are recorded. */
export const MAX_WAITING_SUCCESSES = 800
/** Rows in a second for one application, by the outcome of its requests. */
export const ROWS_PER_SECOND = {
  succeeded: 50,
  failed: 25,
  /** Requests above the rate limit, and all requests without an application together. */
  refused: 5,
} as const

const table = tableOf(LoggedRequest)

/**
 * Writes the request log in the background: one statement a second for up to 100 rows. Requests never wait for it.
 * Rows above the limits are dropped and counted.
 */
export function createRequestLogWriter({ db, clock, onWriteError }: WriterDeps): RequestLogWriter {
  const isAdmitted = createAdmission()
  let waiting: LoggedRequest[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  const write = async (rows: LoggedRequest[]) => {
    try {
      const redacted = rows.map(redact)
      await db.transaction((tx) => tx.upsert(table, redacted), 'idempotent')
    } catch (error) {
      requestLogDrops.emit({ reason: 'failed', count: rows.length })
      onWriteError(error)
    }
  }
  const writeNext = () => {
    writing = write(waiting.splice(0, ROWS_PER_WRITE)).then(schedule)
  }
  const schedule = () => {
    timer = waiting.length === 0 ? undefined : setTimeout(writeNext, WRITE_INTERVAL_MS).unref()
  }
  return {
    record(request) {
      const now = clock.now()
      const outcome = outcomeOf(request.logContext)
      const reason = !isAdmitted(request.logContext, outcome, now)
        ? 'rate'
        : waiting.length >= (outcome === 'succeeded' ? MAX_WAITING_SUCCESSES : MAX_WAITING_ROWS)
          ? 'full'
          : null
      if (reason) return requestLogDrops.emit({ reason, count: 1 })
      waiting.push(toRow(request, now))
      if (timer === undefined) schedule()
    },
    async close() {
      clearTimeout(timer)
      await writing
      clearTimeout(timer)
      if (waiting.length > 0) await write(waiting.splice(0))
    },
  }
}

type Outcome = keyof typeof ROWS_PER_SECOND

function outcomeOf({ applicationId = '', rateLimit, details }: LogContext): Outcome {
  if (applicationId === '' || (rateLimit && rateLimit.waitMs > 0)) return 'refused'
  return details?.errorCode === undefined ? 'succeeded' : 'failed'
}

/** Creates a function that counts the rows of a second, and returns whether one more may be recorded. */
function createAdmission() {
  const counts = new Map<string, number>()
  let second = 0
  return ({ applicationId = '' }: LogContext, outcome: Outcome, now: Instant): boolean => {
    const current = Math.floor(now / 1000)
    if (current !== second) counts.clear()
    second = current
    const bucket = `${outcome} ${applicationId}`
    const count = counts.get(bucket) ?? 0
    if (count >= ROWS_PER_SECOND[outcome]) return false
    counts.set(bucket, count + 1)
    return true
  }
}

function toRow(
  { logContext, interface: via, status, durationMs }: AnsweredRequest,
  now: Instant,
): LoggedRequest {
  const {
    requestId = '',
    applicationId = '',
    connectionId = null,
    operation = null,
    cost,
    details = {},
  } = logContext
  return {
    id: newId('loggedRequest', now),
    requestId,
    at: Math.round(now - durationMs),
    applicationId,
    connectionId,
    keyId: details.keyId ?? null,
    sessionId: details.sessionId ?? null,
    interface: via,
    operation,
    documentHash: details.documentHash ?? null,
    cost: cost === undefined ? null : Math.min(cost, Number.MAX_SAFE_INTEGER),
    status,
    errorCode: details.errorCode ?? null,
    durationMs: Math.round(durationMs * 10) / 10,
  }
}

/** Form of error codes. A custom subgraph may choose any text. */
const ERROR_CODE = /^[\w.:-]{1,100}$/

/** Removes secrets from the texts that a client or a custom subgraph chooses. */
const redact = (row: LoggedRequest): LoggedRequest => ({
  ...row,
  requestId: redactSecretsByForm(row.requestId),
  operation: row.operation === null ? null : redactSecretsByForm(row.operation),
  errorCode: row.errorCode === null || ERROR_CODE.test(row.errorCode) ? row.errorCode : 'unknown',
})

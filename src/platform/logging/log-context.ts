import type { PublicError } from '../../domain/errors.ts'
import type { RateLimitStatus } from '../../domain/rate-limit.ts'

/** What the request log stores of a request, in addition to the fields of log lines. */
export interface RequestDetails {
  /** Id of the key that authenticated the request. */
  keyId?: string
  /** Id of the session that authenticated the request. */
  sessionId?: string
  /** Hash of the GraphQL document. */
  documentHash?: string
  /** Code of the first error in the response. */
  errorCode?: string
  /** Whether the request uses GraphQL over SSE. */
  isStream?: boolean
}

/**
 * Context of log lines: the request or job that a line belongs to. Functions pass it on as a part of the context of an
 * operation. AsyncLocalStorage would make this unnecessary, but a small request would cost 50 % more on Node 20 and 22.
 */
export interface LogContext {
  readonly requestId?: string
  readonly jobId?: string
  readonly syncId?: string
  /** Name of the operation or job; for a REST call its method and route. */
  operation?: string
  applicationId?: string
  connectionId?: string | null
  /** Whether the response is that of an earlier request with the same idempotency key. */
  isReplayed?: boolean
  /** Estimated cost of the GraphQL operation. */
  cost?: number
  /** Rate limit of the request. It is for the headers of the response and is not logged. */
  rateLimit?: RateLimitStatus
  /**
   * Error of an operation that was refused for the load, or that ended early. It sets the status of the GraphQL response
   * and is not logged.
   */
  refusal?: PublicError
  details?: RequestDetails
  /** Number of SQL statements so far. */
  statements: number
}

/** Adds fields that became known only after the start of the request or job. */
export function addLogFields(
  logContext: LogContext | undefined,
  { operation, applicationId, connectionId, cost }: Omit<LogContext, 'statements'>,
): void {
  if (!logContext) return
  if (operation !== undefined) logContext.operation ??= operation
  if (applicationId !== undefined) logContext.applicationId = applicationId
  if (connectionId) logContext.connectionId = connectionId
  if (cost !== undefined) logContext.cost = cost
}

/** Adds details for the request log. */
export function addRequestDetails(logContext: LogContext | undefined, details: RequestDetails): void {
  if (logContext) Object.assign((logContext.details ??= {}), details)
}

/** Returns the fields that every log line of the context has. Only the line of a request also has `statements`. */
export function logFieldsOf(logContext: LogContext | undefined): Partial<LogContext> {
  const {
    statements: _,
    rateLimit: __,
    refusal: ___,
    details: ____,
    ...names
  } = logContext ?? { statements: 0 }
  return names
}

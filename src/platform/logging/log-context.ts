import type { PublicError } from '../../domain/errors.ts'
import type { RateLimitStatus } from '../../domain/rate-limit.ts'

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
  /** Estimated cost of the GraphQL operation. */
  cost?: number
  /** Rate limit of the request. It is for the headers of the response and is not logged. */
  rateLimit?: RateLimitStatus
  /**
   * Error of an operation that was refused for the load, or that ended early. It sets the status of the GraphQL response
   * and is not logged.
   */
  refusal?: PublicError
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

/** Returns the fields that every log line of the context has. Only the line of a request also has `statements`. */
export function logFieldsOf(logContext: LogContext | undefined): Partial<LogContext> {
  const { statements: _, rateLimit: __, refusal: ___, ...names } = logContext ?? { statements: 0 }
  return names
}

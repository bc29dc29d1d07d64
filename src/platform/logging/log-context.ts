/**
 * Who is at work: what each line of the log says of the request or job that it comes from. It is handed on with the
 * context of an operation: keeping it in AsyncLocalStorage costs a small request half as much again on Node 20 and 22.
 */
export interface LogContext {
  readonly requestId?: string
  readonly jobId?: string
  readonly syncId?: string
  /** The name of the operation or job; of a REST call its method and route. */
  operation?: string
  applicationId?: string
  connectionId?: string | null
  /** How many statements there have been for it. */
  statements: number
}

/** Adds what has become known of whoever is at work. */
export function addLogFields(
  logContext: LogContext | undefined,
  { operation, applicationId, connectionId }: Omit<LogContext, 'statements'>,
): void {
  if (!logContext) return
  if (operation !== undefined) logContext.operation ??= operation
  if (applicationId !== undefined) logContext.applicationId = applicationId
  if (connectionId) logContext.connectionId = connectionId
}

/** What a line of the log says of it. */
export function logFieldsOf(logContext: LogContext | undefined): Partial<LogContext> {
  const { statements: _, ...names } = logContext ?? { statements: 0 }
  return names
}

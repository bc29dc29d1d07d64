import type { Caller, Credentials } from '../auth/caller.ts'
import type { LogContext } from '../platform/logging/log-context.ts'

/** Caller of an operation, with its credentials for the subgraphs of other processes. */
export interface Requester {
  readonly caller: Caller
  readonly credentials: Credentials
  readonly logContext?: LogContext
}

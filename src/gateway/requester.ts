import type { Caller, Credentials } from '../auth/caller.ts'
import type { LogContext } from '../platform/logging/log-context.ts'
import type { OperationLifetime } from './load/operation-lifetime.ts'

/** Caller of an operation, with its credentials for the subgraphs of other processes. */
export interface Requester {
  readonly caller: Caller
  readonly credentials: Credentials
  readonly logContext?: LogContext | undefined
  /** Idempotency key as the client sent it. Only mutations use it. */
  readonly idempotencyKey?: string | undefined
  /** Lifetime of its query or mutation. Absent if nothing reports that the client went away. */
  readonly lifetime?: OperationLifetime
}

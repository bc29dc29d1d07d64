import type { ExecutionResult } from 'graphql'
import type { Caller } from '../../auth/caller.ts'
import { isPublic, PublicError } from '../../domain/errors.ts'
import { heapUse } from '../../platform/heap-use.ts'
import type { LogContext } from '../../platform/logging/log-context.ts'
import type { Executor, OperationRequest } from '../execution/executor.ts'
import { refusalResult } from '../refusal.ts'
import type { FairShare } from './fair-shares.ts'
import { HeavyOperations } from './heavy-operations.ts'
import { OperationLifetime } from './operation-lifetime.ts'

/** Members of an operation context that the gateway reads. */
export interface GatewayContext {
  readonly logContext?: LogContext
  readonly caller?: Caller
  readonly share?: FairShare
  readonly lifetime?: OperationLifetime
}

/**
 * Returns a function that runs an operation once the fair share of its application permits it. A query ends early at
 * its time limit, or when its client goes away. A mutation can end early only before it begins.
 */
export function createOperationRunner(executor: Executor, timeoutMs: number, currentHeapUse = heapUse) {
  const heavyOperations = new HeavyOperations(currentHeapUse)
  return async (request: OperationRequest, cost: number): Promise<ExecutionResult> => {
    const { share, lifetime = new OperationLifetime(), logContext } = request.context as GatewayContext
    let hasBegun = false
    let end: (() => void) | undefined
    try {
      lifetime.limit(timeoutMs, () => (hasBegun ? timedOut(timeoutMs) : waitedTooLong(timeoutMs)))
      end = heavyOperations.begin(cost)
      await share?.request(cost, lifetime)
      hasBegun = true
      if (request.operation.type === 'mutation') lifetime.preventEnd()
      return await lifetime.resultOf(executor.execute(request))
    } catch (error) {
      if (!isPublic(error)) throw error
      if (logContext) logContext.refusal = error
      return refusalResult(error)
    } finally {
      lifetime.preventEnd()
      end?.()
    }
  }
}

const timedOut = (ms: number): PublicError =>
  new PublicError(
    'gateway_timeout',
    `The operation took longer than ${ms / 1000} s. Request smaller pages, fewer fields, or several operations.`,
  )

const waitedTooLong = (ms: number): PublicError =>
  new PublicError(
    'service_unavailable',
    `The operation waited for ${ms / 1000} s behind other requests and did not begin. Retry later.`,
    { retryAfterSeconds: 1 },
  )

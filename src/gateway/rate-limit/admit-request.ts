import type { ExecutionResult } from 'graphql'
import type { Caller } from '../../auth/caller.ts'
import type { LogContext } from '../../platform/logging/log-context.ts'
import { refusalResult } from '../refusal.ts'
import { MIN_POINTS, rateLimitError, type RequestRateLimiter } from './request-rate-limiter.ts'

interface RequestContext {
  readonly caller?: Caller | undefined
  readonly logContext?: LogContext | undefined
}

/**
 * Takes the points of a request. Returns the error result if the caller has too few; else null. The log context then
 * has what the response needs for its status and headers.
 */
export async function admitRequest(
  rateLimiter: RequestRateLimiter | undefined,
  { caller, logContext }: RequestContext,
  cost: number,
): Promise<ExecutionResult | null> {
  if (!rateLimiter || !caller) return null
  const status = await rateLimiter.take(caller, Math.max(MIN_POINTS, cost))
  if (!status) return null
  if (logContext) logContext.rateLimit = status
  if (status.waitMs === 0) return null
  const error = rateLimitError(caller, status)
  if (logContext) logContext.refusal = error
  return refusalResult(error)
}

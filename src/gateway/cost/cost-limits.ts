import type { ExecutionResult } from 'graphql'
import { PublicError } from '../../domain/errors.ts'
import { refusalResult } from '../refusal.ts'
import type { OperationCost } from './operation-cost.ts'

/** Maximum estimated costs, in the units of `OperationCost.cost`. */
export interface CostLimits {
  /** Limit for a query or mutation. */
  readonly operation: number
  /** Limit for the result of one event of a subscription. */
  readonly event: number
}

export const DEFAULT_COST_LIMITS: CostLimits = { operation: 200_000, event: 10_000 }

/** Maximum number of levels of nested fields. The introspection query of common tools has 15. */
const MAX_DEPTH = 30
/**
 * Maximum number of fields after the expansion of all fragments. Generated queries with every field of a type have
 * some hundreds.
 */
const MAX_FIELDS = 10_000

/** Returns the error of an operation that exceeds a limit; null if it may run. */
export function costErrorOf(cost: OperationCost, limit: number): PublicError | null {
  if (cost.depth > MAX_DEPTH)
    return exceeded(`The operation has ${formatted(cost.depth)} levels of fields. The limit is ${MAX_DEPTH}.`)
  if (cost.fields > MAX_FIELDS)
    return exceeded(
      `The operation has ${formatted(cost.fields)} fields, counting those of its fragments. The limit is ${formatted(MAX_FIELDS)}.`,
    )
  if (cost.cost <= limit) return null
  const path = cost.costliest()
  const most = path === '' ? '' : ` Most of the cost is \`${path}\`.`
  return exceeded(
    `The operation costs ${formatted(Math.ceil(cost.cost))}. The limit is ${formatted(limit)}.${most} Request smaller pages with \`first\`, fewer fields, or several operations.`,
  )
}

/** Returns the error result of an operation that exceeds a limit; null if it may run. */
export function costResultOf(cost: OperationCost, limit: number): ExecutionResult | null {
  const error = costErrorOf(cost, limit)
  return error && refusalResult(error)
}

const exceeded = (message: string): PublicError => new PublicError('cost_limit_exceeded', message)

const formatted = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 })

import { GraphQLError } from 'graphql'
import { PublicError } from '../../domain/errors.ts'
import type { OperationCost } from './operation-cost.ts'

/** Limits of one operation. */
export interface CostLimits {
  readonly operation: number
  /** Limit of the result of one event of a subscription. */
  readonly event: number
}

export const DEFAULT_COST_LIMITS: CostLimits = { operation: 200_000, event: 10_000 }

/** Levels of nested fields. The introspection query of common tools has 15. */
const MAX_DEPTH = 30
/** Fields after the expansion of all fragments. Generated queries with every field of a type have some hundreds. */
const MAX_FIELDS = 10_000

/** Returns the error of an operation that exceeds a limit; null if it may run. */
export function costErrorOf(cost: OperationCost, limit: number): GraphQLError | null {
  if (cost.depth > MAX_DEPTH)
    return exceeded(`The operation has ${number(cost.depth)} levels of fields. The limit is ${MAX_DEPTH}.`)
  if (cost.fields > MAX_FIELDS)
    return exceeded(
      `The operation has ${number(cost.fields)} fields, with those of its fragments. The limit is ${number(MAX_FIELDS)}.`,
    )
  if (cost.cost <= limit) return null
  const path = cost.costliest()
  const most = path === '' ? '' : ` Most of it is \`${path}\`.`
  return exceeded(
    `The operation costs ${number(Math.ceil(cost.cost))}. The limit is ${number(limit)}.${most} Request smaller pages with \`first\`, fewer fields, or several operations.`,
  )
}

function exceeded(message: string): GraphQLError {
  const originalError = new PublicError('cost_limit_exceeded', message)
  return new GraphQLError(message, { originalError })
}

const number = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 })

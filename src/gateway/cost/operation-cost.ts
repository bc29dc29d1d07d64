import type { GraphQLSchema } from 'graphql'
import type { Operation, OperationWithVariables } from '../operation.ts'
import { type Values, valuesOf } from '../execution/conditions.ts'
import { EMPTY_PLAN, type Member, planCost, type SelectionPlan } from './cost-plan.ts'
import { LEAF_COST } from './cost-weights.ts'

/** Estimate of the work of an operation, made before it runs. */
export interface OperationCost {
  /**
   * Number of objects that the result can contain, plus a tenth for each of their values. Writes, counts and
   * requests to providers add fixed amounts.
   */
  readonly cost: number
  /** Levels of nested fields. */
  readonly depth: number
  /** Number of fields after the expansion of all fragments. */
  readonly fields: number
  /** Path of the field that costs most, such as `vehicles.nodes.trips`. */
  costliest(): string
}

export type EstimateCost = (request: OperationWithVariables) => OperationCost

/**
 * Creates the function that estimates costs. A list counts with the requested page size, multiplied by the number of
 * objects that have the list. Equal selections are computed once. A short document whose fragments expand to many
 * fields therefore takes little time.
 */
export function createCostEstimate(schema: GraphQLSchema): EstimateCost {
  const plans = new WeakMap<Operation, SelectionPlan>()
  const planOf = (operation: Operation): SelectionPlan => {
    const plan = plans.get(operation) ?? planCost(operation, schema) ?? EMPTY_PLAN
    plans.set(operation, plan)
    return plan
  }
  return ({ operation, variables }) => {
    const plan = planOf(operation)
    const values = valuesOf(operation.definition, variables)
    const evaluation = new Evaluation(values)
    return {
      cost: evaluation.costOf(plan, 0),
      depth: plan.depth,
      fields: plan.fields,
      costliest: () => evaluation.costliestPath(plan).join('.'),
    }
  }
}

/** Costs of selections with the variables of one request. A selection that occurs several times is computed once. */
class Evaluation {
  /** Costs by selection and page size. */
  private readonly costs = new Map<SelectionPlan, Map<number, number>>()

  constructor(private readonly values: Values) {}

  /** Returns the cost of a selection on one object. If that object is a page, `pageSize` is its size. */
  costOf(selection: SelectionPlan, pageSize: number): number {
    const costsBySize = this.costs.get(selection) ?? new Map<number, number>()
    this.costs.set(selection, costsBySize)
    const computed = costsBySize.get(pageSize)
    if (computed !== undefined) return computed
    let common = selection.leaves * LEAF_COST
    const byType = new Map<string, number>()
    for (const member of selection.members) {
      const cost = this.costOfMember(member, pageSize)
      if (member.objectType === null) common += cost
      else byType.set(member.objectType, (byType.get(member.objectType) ?? 0) + cost)
    }
    const total = common + Math.max(0, ...byType.values())
    costsBySize.set(pageSize, total)
    return total
  }

  private costOfMember({ isIncluded, field, selection }: Member, pageSize: number): number {
    if (!isIncluded(this.values)) return 0
    if (!field) return this.costOf(selection, pageSize)
    const size = field.size(this.values, pageSize)
    const fixedCost = field.fixedCost(this.values)
    if (size === 0) return fixedCost
    return fixedCost + size * (1 + this.costOf(selection, field.pageSize(this.values)))
  }

  /** Follows the costliest field of each level, as long as it has at least half of the cost of its selection. */
  costliestPath(selection: SelectionPlan, pageSize = 0): string[] {
    const costs = selection.members.map((member) => this.costOfMember(member, pageSize))
    const most = costs.indexOf(Math.max(...costs))
    const member = selection.members[most]
    if (!member || (costs[most] ?? 0) < this.costOf(selection, pageSize) / 2) return []
    const { field } = member
    const below = this.costliestPath(member.selection, field ? field.pageSize(this.values) : pageSize)
    return field ? [field.key, ...below] : below
  }
}

import {
  type ArgumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isLeafType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import type { Operation } from '../operation.ts'
import { conditionOf, type Values } from '../execution/conditions.ts'
import {
  ASSUMED_ITEMS,
  costOfArgument,
  fixedCostOf,
  pageSizesOf,
  recordFieldsOf,
  sizeOfPlainList,
} from './cost-weights.ts'

/**
 * Plan of a selection, from which the cost is computed for given variables. Spreads of a fragment on the same type
 * share one plan, so planning takes time linear in the length of the document.
 */
export interface SelectionPlan {
  /** Number of leaf fields. Each is one value of an object. */
  leaves: number
  readonly members: Member[]
  /** Levels of nesting below the selection. */
  depth: number
  /** Number of fields after the expansion of all fragments. */
  fields: number
}

/** Field with a selection or a fixed cost, or the selection of a fragment. */
export interface Member {
  /** Whether `@skip` and `@include` select the member. */
  readonly isIncluded: (values: Values) => boolean
  /**
   * Object type of a fragment that applies to no other type. An object has one type, so of several such fragments
   * only the costliest type counts. Null if the member applies to every object.
   */
  readonly objectType: string | null
  /** Null for a fragment. */
  readonly field: FieldPlan | null
  readonly selection: SelectionPlan
}

interface FieldPlan {
  /** Name or alias in the result. */
  readonly key: string
  /** Cost in addition to that of the returned objects. */
  readonly fixedCost: (values: Values) => number
  /** Number of objects that the field returns. If the field is a member of a page, `pageSize` is its size. */
  readonly size: (values: Values, pageSize: number) => number
  /** Number of records of the page that the field returns. It is an assumption if the field has no page sizes. */
  readonly pageSize: (values: Values) => number
}

interface Planning {
  readonly schema: GraphQLSchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Plans by selection set and type name. */
  readonly plans: Map<SelectionSetNode, Map<string, SelectionPlan>>
}

/** Plans an operation. Returns null if the schema has no root type for it. */
export function planCost({ definition, document }: Operation, schema: GraphQLSchema): SelectionPlan | null {
  const root = schema.getRootType(definition.operation)
  if (!root) return null
  const fragments = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
    ),
  )
  return planSelection({ schema, fragments, plans: new Map() }, definition.selectionSet, root)
}

function planSelection(
  planning: Planning,
  selectionSet: SelectionSetNode,
  type: GraphQLNamedType,
): SelectionPlan {
  const plansByType = planning.plans.get(selectionSet) ?? new Map<string, SelectionPlan>()
  planning.plans.set(selectionSet, plansByType)
  const existing = plansByType.get(type.name)
  if (existing) return existing
  const plan: SelectionPlan = { leaves: 0, members: [], depth: 0, fields: 0 }
  plansByType.set(type.name, plan)
  for (const selection of selectionSet.selections) addSelection(planning, plan, selection, type)
  return plan
}

function addSelection(
  planning: Planning,
  plan: SelectionPlan,
  selection: SelectionNode,
  type: GraphQLNamedType,
): void {
  if (selection.kind === Kind.FIELD) return addField(planning, plan, selection, type)
  const node =
    selection.kind === Kind.INLINE_FRAGMENT ? selection : planning.fragments.get(selection.name.value)
  if (!node) return
  const fragmentType = node.typeCondition ? planning.schema.getType(node.typeCondition.name.value) : type
  if (!fragmentType) return
  const inner = planSelection(planning, node.selectionSet, fragmentType)
  plan.depth = Math.max(plan.depth, inner.depth)
  plan.fields += inner.fields
  plan.members.push({
    isIncluded: conditionOf(selection),
    objectType: isObjectType(fragmentType) && fragmentType !== type ? fragmentType.name : null,
    field: null,
    selection: inner,
  })
}

function addField(planning: Planning, plan: SelectionPlan, node: FieldNode, type: GraphQLNamedType): void {
  const name = node.name.value
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined
  plan.fields += 1
  plan.depth = Math.max(plan.depth, 1)
  const returned = field && getNamedType(field.type)
  const fixedCost = fixedCostIn(node, type.name)
  if (!node.selectionSet || !field || !returned || isLeafType(returned)) {
    plan.leaves += 1
    if (fixedCostOf(type.name, name) > 0)
      plan.members.push(memberOf(node, { fixedCost, size: () => 0, pageSize: () => 0 }, EMPTY_PLAN))
    return
  }
  const selection = planSelection(planning, node.selectionSet, returned)
  plan.fields += selection.fields
  plan.depth = Math.max(plan.depth, 1 + selection.depth)
  const sizes = pageSizesOf(field)
  const isPageRecords = recordFieldsOf(type.name).includes(name)
  plan.members.push(
    memberOf(
      node,
      {
        fixedCost,
        size: isPageRecords
          ? (_values, pageSize) => pageSize
          : sizeOfPlainList(type.name, field, (argument, values) =>
              lengthOf(argumentOf(node, argument), values),
            ),
        pageSize: sizes ? (values) => pageSizeIn(node, values, sizes) : () => ASSUMED_ITEMS,
      },
      selection,
    ),
  )
}

export const EMPTY_PLAN: SelectionPlan = { leaves: 0, members: [], depth: 0, fields: 0 }

const memberOf = (node: FieldNode, field: Omit<FieldPlan, 'key'>, selection: SelectionPlan): Member => ({
  isIncluded: conditionOf(node),
  objectType: null,
  field: { key: node.alias?.value ?? node.name.value, ...field },
  selection,
})

/** Returns the function that adds the costs of the arguments with a value to the fixed cost of a field. */
function fixedCostIn(
  { name, arguments: args = [] }: FieldNode,
  typeName: string,
): (values: Values) => number {
  const ofField = fixedCostOf(typeName, name.value)
  const costly = args.flatMap((argument) => {
    const cost = costOfArgument(typeName, name.value, argument.name.value)
    return cost > 0 ? [{ cost, value: argument.value }] : []
  })
  if (costly.length === 0) return () => ofField
  return (values) =>
    costly.reduce((total, { cost, value }) => (hasValue(value, values) ? total + cost : total), ofField)
}

const hasValue = (value: ValueNode, values: Values): boolean =>
  value.kind === Kind.VARIABLE ? values[value.name.value] != null : value.kind !== Kind.NULL

const argumentOf = ({ arguments: args = [] }: FieldNode, name: string): ArgumentNode | undefined =>
  args.find((argument) => argument.name.value === name)

/**
 * Returns the page size that a list uses for a field. A requested size above the maximum, which the list
 * refuses, counts as the maximum.
 * Without a requested size, the list uses its default.
 */
function pageSizeIn(
  node: FieldNode,
  values: Values,
  { preset, maximum }: { readonly preset: number; readonly maximum: number },
): number {
  const requested = ['first', 'last'].map((name) => numberIn(argumentOf(node, name)?.value, values))
  const sizes = requested.filter((size) => size !== null)
  return sizes.length === 0 ? preset : Math.min(maximum, Math.max(0, ...sizes))
}

function numberIn(value: ValueNode | undefined, values: Values): number | null {
  if (value?.kind === Kind.INT) return Number(value.value)
  const given = value?.kind === Kind.VARIABLE ? values[value.name.value] : null
  return typeof given === 'number' ? given : null
}

/** Returns the number of items of a list argument; null without a value. A single value is a list of one item. */
function lengthOf(argument: ArgumentNode | undefined, values: Values): number | null {
  if (!argument) return null
  const { value } = argument
  if (value.kind === Kind.LIST) return value.values.length
  if (value.kind !== Kind.VARIABLE) return 1
  const given = values[value.name.value]
  return given == null ? null : Array.isArray(given) ? given.length : 1
}

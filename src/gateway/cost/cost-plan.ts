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
import { fixedCostOf, PAGE_RECORDS, pageSizesOf, sizeOfPlainList } from './cost-weights.ts'

/** Plan by which the cost of an operation is computed for given variables. Fragments are planned once each. */
export interface SelectionPlan {
  /** Number of leaf fields, each of which is one value of an object. */
  leaves: number
  readonly members: Member[]
  /** Levels of nesting below the selection. */
  depth: number
  /** Number of fields after the expansion of all fragments. */
  fields: number
}

/** A field with a selection, or the selection of a fragment. */
export interface Member {
  /** Whether `@skip` and `@include` select the member. */
  readonly isIncluded: (values: Values) => boolean
  /** Object type of a fragment, of which an object has one only. Null if the member is for every type. */
  readonly objectType: string | null
  readonly field: FieldPlan | null
  readonly selection: SelectionPlan
}

interface FieldPlan {
  /** Name or alias in the result. */
  readonly key: string
  /** Cost beyond that of the returned objects. */
  readonly fixedCost: number
  /** Number of objects that the field returns. `pageSize` is the size of the page that the field is in. */
  readonly size: (values: Values, pageSize: number) => number
  /** Size of the page that the field returns. 0 for any other field. */
  readonly pageSize: (values: Values) => number
}

interface Planning {
  readonly schema: GraphQLSchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly planned: Map<SelectionSetNode, Map<string, SelectionPlan>>
}

/** Plans an operation. Returns null for a root type that the schema does not have. */
export function planCost({ definition, document }: Operation, schema: GraphQLSchema): SelectionPlan | null {
  const root = schema.getRootType(definition.operation)
  if (!root) return null
  const fragments = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
    ),
  )
  return planSelection({ schema, fragments, planned: new Map() }, definition.selectionSet, root)
}

function planSelection(
  planning: Planning,
  selectionSet: SelectionSetNode,
  type: GraphQLNamedType,
): SelectionPlan {
  const ofSet = planning.planned.get(selectionSet) ?? new Map<string, SelectionPlan>()
  planning.planned.set(selectionSet, ofSet)
  const known = ofSet.get(type.name)
  if (known) return known
  const plan: SelectionPlan = { leaves: 0, members: [], depth: 0, fields: 0 }
  ofSet.set(type.name, plan)
  for (const selection of selectionSet.selections) add(planning, plan, selection, type)
  return plan
}

function add(
  planning: Planning,
  plan: SelectionPlan,
  selection: SelectionNode,
  type: GraphQLNamedType,
): void {
  if (selection.kind === Kind.FIELD) return addField(planning, plan, selection, type)
  const node =
    selection.kind === Kind.INLINE_FRAGMENT ? selection : planning.fragments.get(selection.name.value)
  if (!node) return
  const on = node.typeCondition ? planning.schema.getType(node.typeCondition.name.value) : type
  if (!on) return
  const inner = planSelection(planning, node.selectionSet, on)
  plan.depth = Math.max(plan.depth, inner.depth)
  plan.fields += inner.fields
  plan.members.push({
    isIncluded: conditionOf(selection),
    objectType: isObjectType(on) && on !== type ? on.name : null,
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
  const fixedCost = fixedCostOf(type.name, name)
  if (!node.selectionSet || !field || !returned || isLeafType(returned)) {
    plan.leaves += 1
    if (fixedCost > 0)
      plan.members.push(memberOf(node, { fixedCost, size: () => 0, pageSize: () => 0 }, EMPTY))
    return
  }
  const selection = planSelection(planning, node.selectionSet, returned)
  plan.fields += selection.fields
  plan.depth = Math.max(plan.depth, 1 + selection.depth)
  const sizes = pageSizesOf(field)
  const isPageRecords = PAGE_RECORDS.has(name) && type.name.endsWith('Page')
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
        pageSize: sizes ? (values) => pageSizeIn(node, values, sizes) : () => 0,
      },
      selection,
    ),
  )
}

const EMPTY: SelectionPlan = { leaves: 0, members: [], depth: 0, fields: 0 }

const memberOf = (node: FieldNode, field: Omit<FieldPlan, 'key'>, selection: SelectionPlan): Member => ({
  isIncluded: conditionOf(node),
  objectType: null,
  field: { key: node.alias?.value ?? node.name.value, ...field },
  selection,
})

const argumentOf = ({ arguments: args = [] }: FieldNode, name: string): ArgumentNode | undefined =>
  args.find((argument) => argument.name.value === name)

/** Page size that a field requests, as the list reads it: the default without a size, and the maximum at most. */
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

/** Number of items of a list argument. Null without one. A single value stands for a list of one. */
function lengthOf(argument: ArgumentNode | undefined, values: Values): number | null {
  if (!argument) return null
  const { value } = argument
  if (value.kind === Kind.LIST) return value.values.length
  if (value.kind !== Kind.VARIABLE) return 1
  const given = values[value.name.value]
  return given == null ? null : Array.isArray(given) ? given.length : 1
}

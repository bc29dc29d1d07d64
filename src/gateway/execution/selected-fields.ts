import {
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import type { OperationWithVariables } from '../operation.ts'
import { conditionOf, valuesOf } from './conditions.ts'

/** Field that an operation selects. */
export interface SelectedField {
  /** Type that the field is selected on. */
  readonly parent: GraphQLNamedType
  readonly name: string
  /** Named type of the field. */
  readonly leadsTo: GraphQLNamedType
  /** Enclosing field; null for a root field. */
  readonly within: SelectedField | null
}

interface Walk {
  readonly schema: GraphQLSchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly isIncluded: (selection: SelectionNode) => boolean
  readonly onField: (field: SelectedField) => void
  /** Walked fragments with their enclosing fields, so that fragments that spread each other end the walk. */
  readonly walked: Map<string, Set<string>>
}

/**
 * Calls `onField` for each field that an operation selects with these variables, also in fragments. It
 * reports every field that would be executed: a condition that cannot be evaluated includes the selection.
 */
export function walkSelectedFields(
  { operation: { definition, document }, variables }: OperationWithVariables,
  schema: GraphQLSchema,
  onField: (field: SelectedField) => void,
): void {
  const root = schema.getRootType(definition.operation)
  if (!root) return
  const fragments = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
    ),
  )
  const values = valuesOf(definition, variables)
  const isIncluded = (selection: SelectionNode) => conditionOf(selection)(values)
  walk({ schema, fragments, isIncluded, onField, walked: new Map() }, definition.selectionSet, root, null)
}

function walk(
  state: Walk,
  { selections }: SelectionSetNode,
  parent: GraphQLNamedType,
  within: SelectedField | null,
): void {
  for (const selection of selections) {
    if (!state.isIncluded(selection)) continue
    if (selection.kind === Kind.FIELD) {
      const field = fieldOf(parent, selection.name.value, within)
      if (!field) continue
      state.onField(field)
      if (selection.selectionSet) walk(state, selection.selectionSet, field.leadsTo, field)
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const named = selection.typeCondition?.name.value
      walk(state, selection.selectionSet, typeNamed(state, named) ?? parent, within)
    } else walkFragment(state, selection.name.value, within)
  }
}

function walkFragment(state: Walk, name: string, within: SelectedField | null): void {
  const enclosing = within === null ? '' : `${within.parent.name}.${within.name}`
  const walked = state.walked.get(name) ?? new Set()
  if (walked.has(enclosing)) return
  state.walked.set(name, walked.add(enclosing))
  const fragment = state.fragments.get(name)
  const type = fragment && typeNamed(state, fragment.typeCondition.name.value)
  if (type) walk(state, fragment.selectionSet, type, within)
}

const typeNamed = ({ schema }: Walk, name: string | undefined): GraphQLNamedType | undefined =>
  name === undefined ? undefined : schema.getType(name)

/** Returns a field; null for introspection and unknown fields. */
function fieldOf(parent: GraphQLNamedType, name: string, within: SelectedField | null): SelectedField | null {
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined
  return field ? { parent, name, leadsTo: getNamedType(field.type), within } : null
}

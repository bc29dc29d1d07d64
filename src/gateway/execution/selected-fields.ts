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
  /** Type on which the field is selected. */
  readonly parent: GraphQLNamedType
  readonly name: string
  /** Type of the field, without list and non-null. */
  readonly type: GraphQLNamedType
  /** Enclosing field; null for a root field. */
  readonly enclosing: SelectedField | null
}

interface Walk {
  readonly schema: GraphQLSchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly isIncluded: (selection: SelectionNode) => boolean
  readonly onField: (field: SelectedField) => void
  /**
   * Enclosing fields of each walked fragment. Each fragment is walked once for an enclosing field, so the walk ends
   * even if fragments spread each other.
   */
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
  enclosing: SelectedField | null,
): void {
  for (const selection of selections) {
    if (!state.isIncluded(selection)) continue
    if (selection.kind === Kind.FIELD) {
      const field = fieldOf(parent, selection.name.value, enclosing)
      if (!field) continue
      state.onField(field)
      if (selection.selectionSet) walk(state, selection.selectionSet, field.type, field)
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const named = selection.typeCondition?.name.value
      walk(state, selection.selectionSet, typeNamed(state, named) ?? parent, enclosing)
    } else walkFragment(state, selection.name.value, enclosing)
  }
}

function walkFragment(state: Walk, name: string, enclosing: SelectedField | null): void {
  const enclosingName = enclosing === null ? '' : `${enclosing.parent.name}.${enclosing.name}`
  const walked = state.walked.get(name) ?? new Set()
  if (walked.has(enclosingName)) return
  state.walked.set(name, walked.add(enclosingName))
  const fragment = state.fragments.get(name)
  const type = fragment && typeNamed(state, fragment.typeCondition.name.value)
  if (type) walk(state, fragment.selectionSet, type, enclosing)
}

const typeNamed = ({ schema }: Walk, name: string | undefined): GraphQLNamedType | undefined =>
  name === undefined ? undefined : schema.getType(name)

/** Returns a field; null for introspection and unknown fields. */
function fieldOf(
  parent: GraphQLNamedType,
  name: string,
  enclosing: SelectedField | null,
): SelectedField | null {
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined
  return field ? { parent, name, type: getNamedType(field.type), enclosing } : null
}

import {
  type DirectiveNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import type { OperationWithVariables } from './operation.ts'

type Variables = Readonly<Record<string, unknown>>

/** A field that an operation asks for. */
export interface SelectedField {
  /** The type that it is selected on. */
  readonly parent: GraphQLNamedType
  readonly name: string
  /** The type that it leads to. */
  readonly leadsTo: GraphQLNamedType
  /** The field whose selection it stands in; null at the root. */
  readonly within: SelectedField | null
}

interface Walk {
  readonly schema: GraphQLSchema
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly isIncluded: (selection: SelectionNode) => boolean
  readonly onField: (field: SelectedField) => void
  /** Fragments that were walked, by what they stand in: many that name each other would else be walked for ever. */
  readonly walked: Map<string, Set<string>>
}

/**
 * Tells every field that an operation asks for with these variables, in fragments of any kind too: a field that would
 * be executed is always told. A condition that cannot be decided holds.
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
  const isIncluded = decidedBy(valuesOf(definition, variables ?? {}))
  walk({ schema, fragments, isIncluded, onField, walked: new Map() }, definition.selectionSet, root, null)
}

function walk(
  of: Walk,
  { selections }: SelectionSetNode,
  parent: GraphQLNamedType,
  within: SelectedField | null,
): void {
  for (const selection of selections) {
    if (!of.isIncluded(selection)) continue
    if (selection.kind === Kind.FIELD) {
      const field = fieldOf(parent, selection.name.value, within)
      if (!field) continue
      of.onField(field)
      if (selection.selectionSet) walk(of, selection.selectionSet, field.leadsTo, field)
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const named = selection.typeCondition?.name.value
      walk(of, selection.selectionSet, typeNamed(of, named) ?? parent, within)
    } else walkFragment(of, selection.name.value, within)
  }
}

function walkFragment(of: Walk, name: string, within: SelectedField | null): void {
  const place = within === null ? '' : `${within.parent.name}.${within.name}`
  const walked = of.walked.get(name) ?? new Set()
  if (walked.has(place)) return
  of.walked.set(name, walked.add(place))
  const fragment = of.fragments.get(name)
  const type = fragment && typeNamed(of, fragment.typeCondition.name.value)
  if (type) walk(of, fragment.selectionSet, type, within)
}

const typeNamed = ({ schema }: Walk, name: string | undefined): GraphQLNamedType | undefined =>
  name === undefined ? undefined : schema.getType(name)

/** None for what asks about the schema, nor for what there is not. */
function fieldOf(parent: GraphQLNamedType, name: string, within: SelectedField | null): SelectedField | null {
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined
  return field ? { parent, name, leadsTo: getNamedType(field.type), within } : null
}

/** The variables that conditions depend on. */
export function conditionsIn(directives: readonly DirectiveNode[] = []): string[] {
  return directives
    .filter(isCondition)
    .flatMap(({ arguments: given = [] }) => given)
    .flatMap(({ value }) => (value.kind === Kind.VARIABLE ? [value.name.value] : []))
}

const isCondition = ({ name }: DirectiveNode): boolean => name.value === 'skip' || name.value === 'include'

const decidedBy =
  (values: Variables) =>
  ({ directives = [] }: SelectionNode): boolean =>
    directives.filter(isCondition).every(({ name, arguments: given = [] }) => {
      const condition = given.find((argument) => argument.name.value === 'if')
      const value = condition && booleanOf(condition.value, values)
      return name.value === 'skip' ? value !== true : value !== false
    })

const booleanOf = (value: ValueNode, values: Variables): unknown => {
  if (value.kind === Kind.BOOLEAN) return value.value
  return value.kind === Kind.VARIABLE ? values[value.name.value] : undefined
}

/** The variables with their presets. */
export function valuesOf(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): Variables {
  const presets = variableDefinitions.flatMap(({ variable: { name }, defaultValue }) =>
    defaultValue?.kind === Kind.BOOLEAN && variables[name.value] === undefined
      ? [[name.value, defaultValue.value] as const]
      : [],
  )
  return { ...variables, ...Object.fromEntries(presets) }
}

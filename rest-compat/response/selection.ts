import {
  type DocumentNode,
  type FieldNode,
  getNamedType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'

// Selections of operations, from which both the serializer and the OpenAPI document derive the bodies.

/** A selected field with its type. */
export interface Selected {
  readonly field: FieldNode
  readonly type: GraphQLOutputType
}

/** Member of a body. */
export interface Member {
  readonly name: string
  /** Selections that can fill the member. A reference that `expand` can name has two: its id and its record. */
  readonly variants: readonly Selected[]
}

/** Selected fields of one object type. An interface has a shape for each of its types. */
export interface Shape {
  readonly type: GraphQLObjectType
  readonly fields: readonly Selected[]
}

type Composite = GraphQLObjectType | GraphQLInterfaceType

/** Returns the member of the GraphQL result that has the field's value. */
export const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value

/** Returns a lookup of an operation's selections by path, such as `['vehicles', 'nodes']`. */
export function selectedAt(
  document: DocumentNode,
  schema: GraphQLSchema,
): (path: readonly string[]) => Selected {
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)
  const root = operation && schema.getRootType(operation.operation)
  if (!root) throw new Error('the document has no operation')
  return (path) => fieldAt(root, operation.selectionSet, path)
}

function fieldAt(
  type: GraphQLOutputType,
  set: SelectionSetNode | undefined,
  path: readonly string[],
): Selected {
  const [name, ...rest] = path
  const found = fieldsOf(compositeOf(type), set).find(({ field }) => keyOf(field) === name)
  if (!found) throw new Error(`the operation does not select ${name}`)
  return rest.length === 0 ? found : fieldAt(found.type, found.field.selectionSet, rest)
}

/** Returns the selected fields of each possible object type of a value. */
export function shapesOf({ type, field }: Selected, schema: GraphQLSchema): Shape[] {
  const named = compositeOf(type)
  const types = isInterfaceType(named) ? schema.getPossibleTypes(named) : [named]
  if (isInterfaceType(named) && !selectsTypeName(field.selectionSet))
    throw new Error(`${named.name}: the operation of a route must select __typename of an interface`)
  return types.map((objectType) => ({
    type: objectType,
    fields: fieldsOf(objectType, field.selectionSet),
  }))
}

const selectsTypeName = (set: SelectionSetNode | undefined): boolean =>
  set?.selections.some((selection) => selection.kind === Kind.FIELD && keyOf(selection) === '__typename') ??
  false

function fieldsOf(type: Composite, set: SelectionSetNode | undefined): Selected[] {
  return (set?.selections ?? []).flatMap((selection) => selectedBy(selection, type))
}

function selectedBy(selection: SelectionNode, type: Composite): Selected[] {
  if (selection.kind === Kind.INLINE_FRAGMENT && (selection.directives ?? []).length === 0) {
    const condition = selection.typeCondition?.name.value
    return condition === undefined || condition === type.name ? fieldsOf(type, selection.selectionSet) : []
  }
  if (selection.kind !== Kind.FIELD)
    throw new Error(
      `${type.name}: the operation of a route may only select fields and plain inline fragments`,
    )
  if (selection.name.value === '__typename') return []
  const definition = type.getFields()[selection.name.value]
  if (!definition) throw new Error(`${type.name} has no field ${selection.name.value}`)
  return [{ field: selection, type: definition.type }]
}

function compositeOf(type: GraphQLOutputType): Composite {
  const named = getNamedType(type)
  if (!isObjectType(named) && !isInterfaceType(named)) throw new Error(`${named.name} has no fields`)
  return named
}

/** Groups the fields of an object by member name. */
export function membersOf(fields: readonly Selected[]): Member[] {
  const members = new Map<string, Selected[]>()
  for (const selected of fields) {
    const name = selected.field.name.value
    members.set(name, [...(members.get(name) ?? []), selected])
  }
  return [...members].map(([name, variants]) => ({ name, variants }))
}

/** Whether only the id of a record is selected. The body then has the id instead of an object. */
export const isReference = ({ field }: Selected): boolean => {
  const [first, ...rest] = field.selectionSet?.selections ?? []
  return rest.length === 0 && first?.kind === Kind.FIELD && keyOf(first) === 'id'
}

/** Whether the field has no directive that can omit it. */
export const isUnconditional = ({ field }: Selected): boolean => (field.directives ?? []).length === 0

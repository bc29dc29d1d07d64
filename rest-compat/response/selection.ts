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

/** What an operation selects, as the writer of bodies and the published document read it. */

export interface Selected {
  readonly field: FieldNode
  readonly type: GraphQLOutputType
}

/** Fields that give one member of a body: more than one where a reference may be written as a whole record. */
export interface Member {
  readonly name: string
  readonly ways: readonly Selected[]
}

/** The fields of one object type; of an interface, those of each type that implements it. */
export interface Shape {
  readonly type: GraphQLObjectType
  readonly fields: readonly Selected[]
}

type Composite = GraphQLObjectType | GraphQLInterfaceType

export const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value

/** Finds what an operation selects at a path, such as `['vehicles', 'nodes']`. */
export function selectedAt(
  document: DocumentNode,
  schema: GraphQLSchema,
): (path: readonly string[]) => Selected {
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)
  const root = operation && schema.getRootType(operation.operation)
  if (!root) throw new Error('there is no operation')
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

/** What is selected of each object type that a value may be of. */
export function shapesOf({ type, field }: Selected, schema: GraphQLSchema): Shape[] {
  const named = compositeOf(type)
  const types = isInterfaceType(named) ? schema.getPossibleTypes(named) : [named]
  if (isInterfaceType(named) && !selectsTypeName(field.selectionSet))
    throw new Error(`${named.name}: an operation of a route selects __typename of what has several types`)
  return types.map((one) => ({ type: one, fields: fieldsOf(one, field.selectionSet) }))
}

const selectsTypeName = (set: SelectionSetNode | undefined): boolean =>
  set?.selections.some((one) => one.kind === Kind.FIELD && keyOf(one) === '__typename') ?? false

function fieldsOf(type: Composite, set: SelectionSetNode | undefined): Selected[] {
  return (set?.selections ?? []).flatMap((selection) => selectedBy(selection, type))
}

function selectedBy(selection: SelectionNode, type: Composite): Selected[] {
  if (selection.kind === Kind.INLINE_FRAGMENT && (selection.directives ?? []).length === 0) {
    const condition = selection.typeCondition?.name.value
    return condition === undefined || condition === type.name ? fieldsOf(type, selection.selectionSet) : []
  }
  if (selection.kind !== Kind.FIELD)
    throw new Error(`${type.name}: an operation of a route selects fields and plain inline fragments only`)
  if (selection.name.value === '__typename') return []
  const definition = type.getFields()[selection.name.value]
  if (!definition) throw new Error(`${type.name} has no field ${selection.name.value}`)
  return [{ field: selection, type: definition.type }]
}

function compositeOf(type: GraphQLOutputType): Composite {
  const named = getNamedType(type)
  if (!isObjectType(named) && !isInterfaceType(named)) throw new Error(`${named.name} is no type with fields`)
  return named
}

/** The members of an object by their names, each with the ways in which it may be written. */
export function membersOf(fields: readonly Selected[]): Member[] {
  const members = new Map<string, Selected[]>()
  for (const one of fields) {
    const name = one.field.name.value
    members.set(name, [...(members.get(name) ?? []), one])
  }
  return [...members].map(([name, ways]) => ({ name, ways }))
}

/** Whether a record is selected by its id alone: it is written as that id. */
export const isReference = ({ field }: Selected): boolean => {
  const [first, ...rest] = field.selectionSet?.selections ?? []
  return rest.length === 0 && first?.kind === Kind.FIELD && keyOf(first) === 'id'
}

/** No condition of the operation leaves it out. */
export const isUnconditional = ({ field }: Selected): boolean => (field.directives ?? []).length === 0

import {
  type DocumentNode,
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  Kind,
  type SelectionSetNode,
} from 'graphql'

/** Writes a value of the graph as JSON in the specification's form. */
export type Write = (value: unknown) => string

/** Makes the writer of what an operation selects at a path, such as `['vehicles', 'nodes']`. */
export type WriterAt = (path: readonly string[]) => Write

/**
 * Members that are null are left out, enums are in lower case, and a reference of which only the id is selected is
 * that id. A field that is selected again under an alias is written once, as the last selection that is not null.
 *
 * The writers are generated code: one that is read from the operation at each value takes a third longer than
 * `JSON.stringify`, and this is where a list spends its time.
 */
export function writers(document: DocumentNode, schema: GraphQLSchema): WriterAt {
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)
  const root = operation && schema.getRootType(operation.operation)
  if (!root) throw new Error('there is no operation')
  return (path) => {
    const { type, field } = fieldAt(root, operation.selectionSet, path)
    const program: string[] = []
    const write = valueCode(type, field, program)('value')
    return new Function('quote', 'lower', `${program.join('\n')}\nreturn (value) => ${write}`)(
      quote,
      lower,
    ) as Write
  }
}

interface Selected {
  readonly field: FieldNode
  readonly type: GraphQLOutputType
}

function fieldAt(
  type: GraphQLOutputType,
  set: SelectionSetNode | undefined,
  path: readonly string[],
): Selected {
  const [name, ...rest] = path
  const found = selectedIn(objectOf(type), set).find(({ field }) => keyOf(field) === name)
  if (!found) throw new Error(`the operation does not select ${name}`)
  return rest.length === 0 ? found : fieldAt(found.type, found.field.selectionSet, rest)
}

function selectedIn(type: GraphQLObjectType, set: SelectionSetNode | undefined): Selected[] {
  return (set?.selections ?? []).map((field) => {
    const definition = field.kind === Kind.FIELD ? type.getFields()[field.name.value] : undefined
    if (field.kind !== Kind.FIELD || !definition)
      throw new Error(`${type.name}: an operation of a route selects fields only`)
    return { field, type: definition.type }
  })
}

function objectOf(type: GraphQLOutputType): GraphQLObjectType {
  const named = getNamedType(type)
  if (!isObjectType(named)) throw new Error(`${named.name} is no object type`)
  return named
}

const keyOf = ({ alias, name }: FieldNode): string => (alias ?? name).value

/** The code that writes what an expression gives. It is never null. */
type Code = (expression: string) => string

function valueCode(type: GraphQLOutputType, field: FieldNode, program: string[]): Code {
  const value = getNullableType(type)
  if (isListType(value)) return listCode(valueCode(value.ofType, field, program), program)
  if (isEnumType(value)) return (expression) => `lower(${expression})`
  if (isScalarType(value)) return scalarCode(value.name)
  const selected = selectedIn(objectOf(value), field.selectionSet)
  return isReference(selected) ? (expression) => `quote(${expression}.id)` : objectCode(selected, program)
}

const isReference = ([first, ...rest]: readonly Selected[]): boolean =>
  rest.length === 0 && first !== undefined && keyOf(first.field) === 'id'

function scalarCode(name: string): Code {
  switch (name) {
    case 'Int':
    case 'Float':
    case 'Boolean':
      return (expression) => expression
    case 'DateTime':
      return (expression) => `'"' + ${expression} + '"'`
    case 'String':
    case 'ID':
      return (expression) => `quote(${expression})`
    default:
      return (expression) => `JSON.stringify(${expression})`
  }
}

function listCode(item: Code, program: string[]): Code {
  const name = `list${program.length}`
  program.push(`function ${name}(list) {
    let out = '['
    for (let at = 0; at < list.length; at++) out += (at === 0 ? '' : ',') + ${item('list[at]')}
    return out + ']'
  }`)
  return (expression) => `${name}(${expression})`
}

function objectCode(selected: readonly Selected[], program: string[]): Code {
  const members = new Map<string, Selected[]>()
  for (const one of selected) {
    const name = one.field.name.value
    members.set(name, [...(members.get(name) ?? []), one])
  }
  const [first] = members.values()
  // Where the first member is always there, the others follow it with a comma each and nothing is cut off.
  const head = first?.length === 1 ? first.find(isAlwaysThere) : undefined
  const opening = head
    ? `'"${head.field.name.value}":' + ${valueCode(head.type, head.field, program)(`of.${keyOf(head.field)}`)}`
    : `''`
  const others = [...members].slice(head ? 1 : 0).map(([name, ways]) => memberCode(name, ways, program))
  const name = `object${program.length}`
  program.push(`function ${name}(of) {
    let it, out = ${opening}
    ${others.join('\n')}
    return '{' + ${head ? 'out' : 'out.slice(1)'} + '}'
  }`)
  return (expression) => `${name}(${expression})`
}

const isAlwaysThere = ({ field, type }: Selected): boolean =>
  isNonNullType(type) && (field.directives ?? []).length === 0

/** Writes one member after others, from the last of its selections that gives anything. */
const memberCode = (name: string, ways: readonly Selected[], program: string[]): string =>
  ways
    .toReversed()
    .map(({ field, type }) => {
      const write = valueCode(type, field, program)('it')
      return `if ((it = of.${keyOf(field)}) != null) out += ',"${name}":' + ${write}`
    })
    .join('\nelse ')

// oxlint-disable-next-line no-control-regex -- these are what JSON escapes
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

const quote = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`)

const lowered = new Map<string, string>()

function lower(name: string): string {
  let word = lowered.get(name)
  if (word === undefined) lowered.set(name, (word = `"${name.toLowerCase()}"`))
  return word
}

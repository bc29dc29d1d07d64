import {
  type DocumentNode,
  getNamedType,
  getNullableType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql'
import { omittedMembers } from './omitted-members.ts'
import {
  isReference,
  isUnconditional,
  keyOf,
  type Member,
  membersOf,
  type Selected,
  selectedAt,
  type Shape,
  shapesOf,
} from './selection.ts'

/** Writes a GraphQL value as JSON of the REST interface. */
export type Serialize = (value: unknown) => string

/** Creates the serializer of an operation's selection at a path, such as `['vehicles', 'nodes']`. */
export type SerializerAt = (path: readonly string[]) => Serialize

/**
 * Creates the serializers of an operation. They omit null members and write enums in lower case. A reference
 * with only its id selected is written as that id. If an alias selects a field again, the last selection that
 * is not null counts.
 *
 * The serializers are generated code, because lists spend most of their time here. Interpreting the operation
 * for each value takes a third longer than `JSON.stringify`.
 */
export function createSerializers(document: DocumentNode, schema: GraphQLSchema): SerializerAt {
  const at = selectedAt(document, schema)
  return (path) => {
    const selected = at(path)
    const program: Program = { schema, functions: [] }
    const write = valueCode(selected.type, selected, program)('value')
    const code = `${program.functions.join('\n')}\nreturn (value) => ${write}`
    return new Function('quote', 'lower', code)(quote, lower) as Serialize
  }
}

interface Program {
  readonly schema: GraphQLSchema
  readonly functions: string[]
}

/** Returns code that writes the value of an expression. The value is never null. */
type Code = (expression: string) => string

function valueCode(type: GraphQLOutputType, selected: Selected, program: Program): Code {
  const value = getNullableType(type)
  if (isListType(value)) return listCode(valueCode(value.ofType, selected, program), program)
  if (isEnumType(value)) return (expression) => `lower(${expression})`
  if (isScalarType(value)) return scalarCode(value.name)
  if (isReference(selected)) return (expression) => `quote(${expression}.id)`
  const [shape, ...others] = shapesOf(selected, program.schema)
  return shape && others.length === 0
    ? objectCode(shape, program)
    : choiceCode(shape ? [shape, ...others] : [], program)
}

function scalarCode(name: string): Code {
  switch (name) {
    case 'Int':
    case 'Float':
    case 'Boolean':
      return (expression) => expression
    case 'DateTime':
    case 'Date':
    case 'Month':
      return (expression) => `'"' + ${expression} + '"'`
    case 'String':
    case 'ID':
      return (expression) => `quote(${expression})`
    default:
      return (expression) => `JSON.stringify(${expression})`
  }
}

/** Adds a function with a unique name to the program and returns the code of its call. */
function named(kind: string, parameter: string, body: string, program: Program): Code {
  const name = `${kind}${program.functions.length}`
  program.functions.push(`function ${name}(${parameter}) { ${body} }`)
  return (expression) => `${name}(${expression})`
}

const listCode = (item: Code, program: Program): Code =>
  named(
    'list',
    'list',
    `let out = '['
    for (let at = 0; at < list.length; at++) out += (at === 0 ? '' : ',') + ${item('list[at]')}
    return out + ']'`,
    program,
  )

/** Writes a value of an interface with the function of its type. */
function choiceCode(shapes: readonly Shape[], program: Program): Code {
  const cases = shapes.map((shape) => `case '${shape.type.name}': return ${objectCode(shape, program)('of')}`)
  const none = `default: throw new Error('no serializer for ' + of.__typename)`
  return named('choice', 'of', `switch (of.__typename) { ${[...cases, none].join('\n')} }`, program)
}

function objectCode({ type, fields }: Shape, program: Program): Code {
  const members = membersOf(fields)
  const [first, ...rest] = members
  // If the first member is always present, each other member adds a comma. Otherwise the first comma is cut
  // off.
  const head = first?.variants.length === 1 ? first.variants.find(isAlwaysPresent) : undefined
  const opening = head
    ? `'"${head.field.name.value}":' + ${valueCode(head.type, head, program)(`of.${keyOf(head.field)}`)}`
    : `''`
  const others = (head ? rest : members).map((member) => {
    const condition = omittedMembers[`${type.name}.${member.name}`]
    const code = memberCode(member, program)
    return condition === undefined ? code : `if (!(${condition})) { ${code} }`
  })
  return named(
    'object',
    'of',
    `let it, out = ${opening}
    ${others.join('\n')}
    return '{' + ${head ? 'out' : 'out.slice(1)'} + '}'`,
    program,
  )
}

const isAlwaysPresent = (selected: Selected): boolean =>
  isNonNullType(selected.type) && isUnconditional(selected)

/** Writes a member after others. The last variant that is not null counts. */
function memberCode({ name, variants }: Member, program: Program): string {
  const [ids, whole] = variants
  if (ids && whole && isListOfNullable(whole.type))
    return `if ((it = of.${keyOf(ids.field)}) != null) out += ',"${name}":' + ${zippedCode(ids, whole, program)}`
  return variants
    .toReversed()
    .map((variant) => {
      const write = valueCode(variant.type, variant, program)('it')
      return `if ((it = of.${keyOf(variant.field)}) != null) out += ',"${name}":' + ${write}`
    })
    .join('\nelse ')
}

const isListOfNullable = (type: GraphQLOutputType): boolean => {
  const list = getNullableType(type)
  return isListType(list) && !isNonNullType(list.ofType)
}

/** Writes a list of records. The id replaces a record that is null. */
function zippedCode(ids: Selected, whole: Selected, program: Program): string {
  const item = (selected: Selected) => valueCode(getNamedType(selected.type), selected, program)
  const [id, record] = [item(ids)('ids[at]'), item(whole)('records[at]')]
  const zipped = named(
    'zipped',
    'ids, records',
    `let out = '['
    for (let at = 0; at < ids.length; at++)
      out += (at === 0 ? '' : ',') + (records?.[at] == null ? ${id} : ${record})
    return out + ']'`,
    program,
  )
  return zipped(`it, of.${keyOf(whole.field)}`)
}

// oxlint-disable-next-line no-control-regex -- JSON escapes these characters
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

const quote = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`)

const lowered = new Map<string, string>()

function lower(name: string): string {
  let word = lowered.get(name)
  if (word === undefined) lowered.set(name, (word = `"${name.toLowerCase()}"`))
  return word
}

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

/** Writes a GraphQL value as JSON for a REST response. */
export type Serialize = (value: unknown) => string

/** Creates the serializer of an operation's selection at a path, such as `['vehicles', 'nodes']`. */
export type SerializerAt = (path: readonly string[]) => Serialize

/**
 * Creates the serializers of an operation. They omit null members and write enums in lower case. If only the id
 * of a record is selected, they write the id instead of an object. If an alias selects a field again, they write
 * the last selection that is not null.
 *
 * The serializers are generated code, because requests for lists spend most of their time here. An
 * interpreter of the operation takes a third longer than `JSON.stringify`.
 */
export function createSerializers(document: DocumentNode, schema: GraphQLSchema): SerializerAt {
  const selectionAt = selectedAt(document, schema)
  return (path) => {
    const selected = selectionAt(path)
    const program: Program = { schema, functions: [] }
    const write = valueCode(selected.type, selected, program)('value')
    const code = `${program.functions.join('\n')}\nreturn (value) => ${write}`
    return new Function('quote', 'lower', code)(quote, lower) as Serialize
  }
}

/** Generated code of one serializer. */
interface Program {
  readonly schema: GraphQLSchema
  /** Declarations of its functions. */
  readonly functions: string[]
}

/** Returns code that writes the value of an expression, which is never null. */
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

/** Adds a function with a unique name to the program. Returns the code that calls it. */
function addFunction(kind: string, parameter: string, body: string, program: Program): Code {
  const name = `${kind}${program.functions.length}`
  program.functions.push(`function ${name}(${parameter}) { ${body} }`)
  return (expression) => `${name}(${expression})`
}

const listCode = (item: Code, program: Program): Code =>
  addFunction(
    'list',
    'list',
    `let out = '['
    for (let i = 0; i < list.length; i++) out += (i === 0 ? '' : ',') + ${item('list[i]')}
    return out + ']'`,
    program,
  )

/** Returns code that writes a value of an interface with the function for the value's type. */
function choiceCode(shapes: readonly Shape[], program: Program): Code {
  const cases = shapes.map((shape) => `case '${shape.type.name}': return ${objectCode(shape, program)('of')}`)
  const none = `default: throw new Error('no serializer for ' + of.__typename)`
  return addFunction('choice', 'of', `switch (of.__typename) { ${[...cases, none].join('\n')} }`, program)
}

function objectCode({ type, fields }: Shape, program: Program): Code {
  const members = membersOf(fields)
  const [first, ...rest] = members
  // Each member writes a comma before itself, except a first member that is always present. Without such a
  // member, the first comma is cut off.
  const head = first?.variants.length === 1 ? first.variants.find(isAlwaysPresent) : undefined
  const opening = head
    ? `'"${head.field.name.value}":' + ${valueCode(head.type, head, program)(`of.${keyOf(head.field)}`)}`
    : `''`
  const others = (head ? rest : members).map((member) => {
    const condition = omittedMembers[`${type.name}.${member.name}`]
    const code = memberCode(member, program)
    return condition === undefined ? code : `if (!(${condition})) { ${code} }`
  })
  return addFunction(
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

/** Returns a statement that writes a member after a comma. Of two variants, it writes the last that is not null. */
function memberCode({ name, variants }: Member, program: Program): string {
  const [ids, whole] = variants
  if (ids && whole && isListOfNullable(whole.type))
    return `if ((it = of.${keyOf(ids.field)}) != null) out += ',"${name}":' + ${recordsOrIdsCode(ids, whole, program)}`
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

/** Returns code that writes a list of records. The id takes the place of a record that is null. */
function recordsOrIdsCode(ids: Selected, whole: Selected, program: Program): string {
  const item = (selected: Selected) => valueCode(getNamedType(selected.type), selected, program)
  const [id, record] = [item(ids)('ids[i]'), item(whole)('records[i]')]
  const zipped = addFunction(
    'zipped',
    'ids, records',
    `let out = '['
    for (let i = 0; i < ids.length; i++)
      out += (i === 0 ? '' : ',') + (records?.[i] == null ? ${id} : ${record})
    return out + ']'`,
    program,
  )
  return zipped(`it, of.${keyOf(whole.field)}`)
}

// oxlint-disable-next-line no-control-regex -- JSON escapes these characters
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/

const quote = (text: string): string => (NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`)

const lowercaseTexts = new Map<string, string>()

/** Writes an enum value as a JSON text in lower case. */
function lower(name: string): string {
  let word = lowercaseTexts.get(name)
  if (word === undefined) lowercaseTexts.set(name, (word = `"${name.toLowerCase()}"`))
  return word
}

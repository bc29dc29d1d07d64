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

/** Writes a value of the graph as JSON in the specification's form. */
export type Serialize = (value: unknown) => string

/** Makes the writer of what an operation selects at a path, such as `['vehicles', 'nodes']`. */
export type SerializerAt = (path: readonly string[]) => Serialize

/**
 * Members that are null are left out, enums are in lower case, and a reference of which only the id is selected is
 * that id. A field that is selected again under an alias is written once, as the last selection that is not null.
 *
 * The writers are generated code: one that is read from the operation at each value takes a third longer than
 * `JSON.stringify`, and this is where a list spends its time.
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

/** The code that writes what an expression gives. It is never null. */
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

/** A function of the program, by a name that no other has. */
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

/** What may be of several types is written by the function of the one that it is of. */
function choiceCode(shapes: readonly Shape[], program: Program): Code {
  const cases = shapes.map((shape) => `case '${shape.type.name}': return ${objectCode(shape, program)('of')}`)
  const none = `default: throw new Error('there is no way to write a ' + of.__typename)`
  return named('choice', 'of', `switch (of.__typename) { ${[...cases, none].join('\n')} }`, program)
}

function objectCode({ type, fields }: Shape, program: Program): Code {
  const members = membersOf(fields)
  const [first, ...rest] = members
  // Where the first member is always there, the others follow it with a comma each and nothing is cut off.
  const head = first?.ways.length === 1 ? first.ways.find(isAlwaysThere) : undefined
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

const isAlwaysThere = (selected: Selected): boolean =>
  isNonNullType(selected.type) && isUnconditional(selected)

/** Writes one member after others, from the last of its selections that gives anything. */
function memberCode({ name, ways }: Member, program: Program): string {
  const [ids, whole] = ways
  if (ids && whole && isListOfNullable(whole.type))
    return `if ((it = of.${keyOf(ids.field)}) != null) out += ',"${name}":' + ${zippedCode(ids, whole, program)}`
  return ways
    .toReversed()
    .map((way) => {
      const write = valueCode(way.type, way, program)('it')
      return `if ((it = of.${keyOf(way.field)}) != null) out += ',"${name}":' + ${write}`
    })
    .join('\nelse ')
}

const isListOfNullable = (type: GraphQLOutputType): boolean => {
  const list = getNullableType(type)
  return isListType(list) && !isNonNullType(list.ofType)
}

/** Whole records in the places of their ids; where there is no such record, the id stays. */
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

// oxlint-disable-next-line no-control-regex -- these are what JSON escapes
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

const quote = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`)

const lowered = new Map<string, string>()

function lower(name: string): string {
  let word = lowered.get(name)
  if (word === undefined) lowered.set(name, (word = `"${name.toLowerCase()}"`))
  return word
}

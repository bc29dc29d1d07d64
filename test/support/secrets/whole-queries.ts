import {
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import type { Kind } from '../../../src/domain/ids.ts'

/** Depth of a query: a list, its nodes, their records, and the references of these. */
const MAX_DEPTH = 2

/** Known ids of a caller, by kind. */
export type Known = Readonly<Partial<Record<Kind, string>>>

/** Returns a query for each root field, with every field that takes no argument, a few levels deep. */
export function wholeQueries(schema: GraphQLSchema, known: Known): [string, string][] {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {})
  return fields.map((field) => [field.name, `{ ${requested(field, known)}${selection(schema, field, 0)} }`])
}

type Field = GraphQLField<unknown, unknown>

/** Returns the required arguments of a field, and a record id if the field takes one. */
function requested({ name, args }: Field, known: Known): string {
  const given = args.filter(isRequiredArgument).map(({ name: argument, type }) => {
    const id = known[(argument === 'safetyEventId' ? 'safetyEvent' : name) as Kind] ?? known.connection
    const text = WORDS[argument] ?? id
    return `${argument}: ${String(type).startsWith('[') ? JSON.stringify(Object.values(known)) : JSON.stringify(text)}`
  })
  return given.length === 0 ? name : `${name}(${given.join(', ')})`
}

const WORDS: Readonly<Record<string, string>> = {
  code: 'sandbox',
  startMonth: '2026-01',
  endMonth: '2026-01',
}

function selection(schema: GraphQLSchema, { type }: Field, depth: number): string {
  const named = getNamedType(type)
  return isLeafType(named) ? '' : ` { ${membersOf(schema, named, depth).join(' ')} }`
}

function membersOf(schema: GraphQLSchema, type: GraphQLNamedType, depth: number): string[] {
  if (isAbstractType(type))
    return [
      '__typename',
      ...schema
        .getPossibleTypes(type)
        .map((one) => `... on ${one.name} { ${leavesOf(one).join(' ') || '__typename'} }`),
    ]
  const deeper = depth < MAX_DEPTH && isObjectType(type) ? nestedOf(schema, type, depth) : []
  return ['__typename', ...leavesOf(type), ...deeper]
}

const leavesOf = (type: GraphQLNamedType): string[] =>
  isObjectType(type)
    ? freely(Object.values(type.getFields()))
        .filter((field) => isLeafType(getNamedType(field.type)))
        .map(({ name }) => `${type.name}_${name}: ${name}`)
    : []

function nestedOf(schema: GraphQLSchema, type: GraphQLNamedType, depth: number): string[] {
  if (!isObjectType(type)) return []
  return freely(Object.values(type.getFields()))
    .filter((field) => !isLeafType(getNamedType(field.type)) && !LISTS.test(field.name + String(field.type)))
    .map((field) => `${type.name}_${field.name}: ${field.name}${selection(schema, field, depth + 1)}`)
}

/** Nested lists multiply the response; each has a root field of its own. */
const LISTS = /Page!?$/

const freely = (fields: readonly Field[]): Field[] =>
  fields.filter(({ args }) => !args.some(isRequiredArgument))

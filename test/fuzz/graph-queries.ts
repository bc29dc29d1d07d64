import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { Pool } from './pool.ts'
import type { Random } from './random.ts'
import { altered, strangeIds, strangeText, strangeTimes } from './strange.ts'

/** An operation that is valid for the schema, with any argument values. */
export interface Operation {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

interface Bounds {
  /** Nesting depth of selections. */
  readonly depth: number
  /** Number of fields in a selection. */
  readonly breadth: number
  /** Probability of an invalid argument. */
  readonly invalid: number
}

/** Small page sizes, because large ones take long. */
const PAGE_SIZES = [1, 1, 2, 2, 3]

/** Generates operations over a whole schema, one for each drawn number. */
export class Writer {
  private variables: { name: string; type: string; value: unknown }[] = []
  private fragments: string[] = []
  private count = 0

  constructor(
    private readonly random: Random,
    private readonly schema: GraphQLSchema,
    private readonly pool: Pool,
    private readonly bounds: Bounds = { depth: 5, breadth: 4, invalid: 0.08 },
  ) {}

  query(): Operation {
    return this.operation('query', () => this.selection(this.rootType('Query'), this.bounds.depth))
  }

  /** Returns one mutation, with any input that the schema allows. */
  mutation(name: string): Operation {
    const field = this.rootType('Mutation').getFields()[name]
    if (!field) throw new Error(`unknown mutation ${name}`)
    return this.operation('mutation', () => `{ ${this.field(field, 3)} }`)
  }

  private rootType(name: 'Query' | 'Mutation') {
    const type = name === 'Query' ? this.schema.getQueryType() : this.schema.getMutationType()
    if (!type) throw new Error(`the schema has no ${name}`)
    return type
  }

  private operation(kind: string, select: () => string): Operation {
    this.variables = []
    this.fragments = []
    this.count = 0
    const selection = select()
    const declared = this.variables.map(({ name, type }) => `$${name}: ${type}`).join(', ')
    return {
      query: `${kind} Fuzz${declared === '' ? '' : `(${declared})`} ${selection}\n${this.fragments.join('\n')}`,
      variables: Object.fromEntries(
        this.variables.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]),
      ),
    }
  }

  private next(prefix: string): string {
    return `${prefix}${this.count++}`
  }

  private selection(type: GraphQLNamedType, depth: number): string {
    const fields = 'getFields' in type && !isInputObjectType(type) ? Object.values(type.getFields()) : []
    const open = fields.filter((field) => depth > 1 || isLeafType(getNamedType(field.type)))
    const chosen =
      open.length === 0
        ? []
        : Array.from({ length: 1 + this.random.below(this.bounds.breadth) }, () => this.random.pick(open))
    const parts = chosen.map((field) => this.field(field as GraphQLField<unknown, unknown>, depth))
    if (parts.length === 0 || this.random.chance(0.15)) parts.push(`__typename${this.directive()}`)
    if (isAbstractType(type)) parts.push(...this.inlineFragments(type, depth))
    return this.random.chance(0.08) ? `{ ...${this.fragment(type, parts)} }` : `{ ${parts.join(' ')} }`
  }

  private inlineFragments(type: GraphQLNamedType, depth: number): string[] {
    if (!isAbstractType(type)) return []
    return this.random
      .some(this.schema.getPossibleTypes(type), 0.3)
      .slice(0, 3)
      .map((possible) => `... on ${possible.name}${this.directive()} ${this.selection(possible, depth - 1)}`)
  }

  private fragment(type: GraphQLNamedType, parts: readonly string[]): string {
    const name = this.next('Part')
    this.fragments.push(`fragment ${name} on ${type.name} { ${parts.join(' ')} }`)
    return `${name}${this.directive()}`
  }

  /** Every field has an alias: two uses of a field with different arguments would conflict. */
  private field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const type = getNamedType(field.type)
    const head = `${this.next('f')}: ${field.name}${this.args(field)}${this.directive()}`
    return isLeafType(type) ? head : `${head} ${this.selection(type, depth - 1)}`
  }

  private directive(): string {
    if (!this.random.chance(0.07)) return ''
    const name = this.random.pick(['include', 'skip'])
    const on = this.random.chance(0.6)
    return ` @${name}(if: ${this.random.chance(0.5) ? String(on) : this.variable('Boolean!', on)})`
  }

  private args(field: GraphQLField<unknown, unknown>): string {
    const given = field.args.flatMap((arg) => this.arg(arg))
    return given.length === 0 ? '' : `(${given.join(', ')})`
  }

  private arg(arg: GraphQLArgument): string[] {
    const needed = isNonNullType(arg.type) && arg.defaultValue === undefined
    // A page without a size has a hundred records, and each may have a hundred more.
    const sized = arg.name === 'first'
    if (!needed && !this.random.chance(sized ? 0.97 : 0.25)) return []
    const value = this.value(arg.type, arg.name)
    const text = this.random.chance(0.4) ? this.variable(String(arg.type), value) : literal(value, arg.type)
    return [`${arg.name}: ${text}`]
  }

  private variable(type: string, value: unknown): string {
    const name = this.next('v')
    this.variables.push({ name, type, value })
    return `$${name}`
  }

  /** Returns a value of the type, usually a meaningful one. */
  private value(type: GraphQLInputType, name: string): unknown {
    if (!isNonNullType(type) && this.random.chance(0.05)) return null
    const inner = getNullableType(type)
    if (isListType(inner)) return this.list(inner.ofType as GraphQLInputType, name)
    if (isEnumType(inner)) return this.random.pick(inner.getValues()).name
    if (isInputObjectType(inner)) {
      const fields = Object.values(inner.getFields()).filter(
        (field) => (isNonNullType(field.type) && field.defaultValue === undefined) || this.random.chance(0.4),
      )
      return Object.fromEntries(fields.map((field) => [field.name, this.value(field.type, field.name)]))
    }
    return this.scalar(String(inner), name)
  }

  private list(item: GraphQLInputType, name: string): unknown {
    const length = this.random.chance(this.bounds.invalid) ? 51 : this.random.below(4)
    return Array.from({ length }, () => this.value(item, name))
  }

  private scalar(type: string, name: string): unknown {
    const { random, pool } = this
    const strange = random.chance(this.bounds.invalid)
    switch (type) {
      case 'Int':
        return strange ? random.pick([-1, 0, 2_147_483_647, -2_147_483_648]) : random.pick(PAGE_SIZES)
      case 'Float':
        return strange ? random.pick([-1, 1e308, 0.1]) : random.below(100)
      case 'Boolean':
        return random.chance(0.5)
      case 'ID':
        return strange ? random.pick([...strangeIds, strangeText(random)]) : random.pick(pool.ids)
      case 'DateTime':
        return strange
          ? random.pick(strangeTimes)
          : random.pick(['2026-01-01T00:00:00Z', new Date().toISOString()])
      case 'Date':
        return strange ? random.pick(strangeTimes) : new Date().toISOString().slice(0, 10)
      case 'Month':
        return strange ? random.pick(strangeTimes) : new Date().toISOString().slice(0, 7)
      case 'JSON':
        return random.pick([{}, [], 'x', 7, null, { apiKey: 'revoked-fuzz' }, { a: { b: [1, null] } }])
      default:
        return this.string(name, strange)
    }
  }

  private string(name: string, strange: boolean): string {
    const { random, pool } = this
    if (strange) return strangeText(random)
    if ((name === 'after' || name === 'before') && pool.cursors.length > 0)
      return random.chance(0.7) ? random.pick(pool.cursors) : altered(random, random.pick(pool.cursors))
    return random.pick(pool.texts)
  }
}

/** Returns a value as a GraphQL literal: enums have no quotes. */
function literal(value: unknown, type: GraphQLInputType): string {
  const inner = getNullableType(type)
  if (value === null || value === undefined) return 'null'
  if (isListType(inner) && Array.isArray(value))
    return `[${value.map((each) => literal(each, inner.ofType as GraphQLInputType)).join(', ')}]`
  if (isInputObjectType(inner)) {
    const fields = inner.getFields()
    const members = Object.entries(value as object).map(
      ([name, each]) => `${name}: ${literal(each, fields[name]!.type)}`,
    )
    return `{ ${members.join(', ')} }`
  }
  return isEnumType(inner) ? String(value) : jsonLiteral(value)
}

function jsonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonLiteral).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${name}: ${jsonLiteral(each)}`)
    .join(', ')} }`
}

/** Returns the types that `node(id:)` supports. */
export const nodeTypes = (schema: GraphQLSchema): string[] => {
  const node = schema.getType('Node')
  return isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : []
}

export const mutationNames = (schema: GraphQLSchema): string[] => {
  const type = schema.getMutationType()
  return isObjectType(type) ? Object.keys(type.getFields()) : []
}

import { toIso } from '../../domain/time.ts'
import { Node } from './node-interface.ts'
import { DateTime } from './scalars.ts'

/** A record as JSON of the REST API `/tsp/v1`. */
export type RestJson = Readonly<Record<string, unknown>>

type Type<Row = object> = abstract new () => Row

/**
 * Serializes a row for `/tsp/v1` by the fields of its GraphQL type, so REST and GraphQL have the same members.
 * `overrides` adds and replaces members. Null and undefined values are omitted, so an undefined override removes a
 * member. Fields that need the request context, such as `raw`, are left out.
 */
export function toRestJson<Row extends object>(type: Type<Row>, row: Row, overrides: RestJson = {}): RestJson {
  const json: Record<string, unknown> = {}
  for (const { name, valueOf, toRestValue } of membersOf(type)) {
    if (name in overrides) continue
    const value = valueOf(row)
    if (value != null) json[name] = toRestValue(value)
  }
  for (const [name, value] of Object.entries(overrides)) if (value != null) json[name] = value
  return json
}

interface Member {
  readonly name: string
  valueOf(row: object): unknown
  toRestValue(value: unknown): unknown
}

const membersByType = new Map<Type, readonly Member[]>()

function membersOf(type: Type): readonly Member[] {
  let members = membersByType.get(type)
  if (!members) membersByType.set(type, (members = lineage(type).flatMap(ownMembers)))
  return members
}

/** Parts of the private metadata of type-graphql, whose version is pinned for this reason. */
interface Metadata {
  readonly fields: readonly Field[]
  readonly objectTypes: readonly { readonly target: unknown }[]
  readonly fieldExtensions: readonly {
    readonly target: unknown
    readonly fieldName: string
    readonly extensions: { readonly derive?: (row: object) => unknown; readonly needsContext?: boolean }
  }[]
}

interface Field {
  readonly target: unknown
  readonly name: string
  getType(): unknown
}

const metadata = () =>
  (globalThis as unknown as { TypeGraphQLMetadataStorage: Metadata }).TypeGraphQLMetadataStorage

function ownMembers(type: unknown): Member[] {
  const { fields, fieldExtensions } = metadata()
  const members = new Map<string, Member>()
  for (const field of fields.filter(({ target }) => target === type)) {
    const { name } = field
    const extension = fieldExtensions.find(({ target, fieldName }) => target === type && fieldName === name)
    if (extension?.extensions.needsContext) continue
    const valueOf = extension?.extensions.derive ?? ((row: object) => (row as RestJson)[name])
    members.set(name, { name, valueOf, toRestValue: serializerOf(field.getType()) })
  }
  return [...members.values()]
}

/** Returns the serializer of a type's values. Enums need none: their stored values are the values of `/tsp/v1`. */
function serializerOf(type: unknown): Member['toRestValue'] {
  if (type === DateTime) return (value) => toIso(value as number)
  if (!isObjectType(type)) return (value) => value
  const serializeItem: (value: object) => unknown = isNode(type)
    ? (value) => (value as Node).id
    : (value) => toRestJson(type, value)
  return (value) => (Array.isArray(value) ? value.map(serializeItem) : serializeItem(value as object))
}

const isObjectType = (type: unknown): type is Type =>
  metadata().objectTypes.some(({ target }) => target === type)

/** Whether the type is a node. Other records then contain its id instead of the record. */
const isNode = (type: Type): boolean => type.prototype instanceof Node

/** Returns the class and everything that it inherits from, the topmost first. */
function lineage(type: Type): unknown[] {
  const chain: unknown[] = []
  for (let current: unknown = type; typeof current === 'function'; current = Object.getPrototypeOf(current))
    chain.unshift(current)
  return chain
}

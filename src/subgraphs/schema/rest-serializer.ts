import { toIso } from '../../domain/time.ts'
import { Node } from './node-interface.ts'
import { DateTime } from './scalars.ts'

/** A record in the words of `/tsp/v1`. */
export type RestJson = Readonly<Record<string, unknown>>

type Type<Row = object> = abstract new () => Row

/**
 * A row in the words of `/tsp/v1`, by the fields of its GraphQL type: there is no second list of a record's members
 * that could say something else. What a row does not answer by itself is `given`, and wins. A member that is not known
 * is left out, and what is given as undefined is too.
 */
export function toRestJson<Row extends object>(type: Type<Row>, row: Row, given: RestJson = {}): RestJson {
  const words: Record<string, unknown> = {}
  for (const { name, valueOf, restNameOf } of membersOf(type)) {
    if (name in given) continue
    const value = valueOf(row)
    if (value != null) words[name] = restNameOf(value)
  }
  for (const [name, value] of Object.entries(given)) if (value != null) words[name] = value
  return words
}

interface Member {
  readonly name: string
  valueOf(row: object): unknown
  restNameOf(value: unknown): unknown
}

const known = new Map<Type, readonly Member[]>()

function membersOf(type: Type): readonly Member[] {
  let members = known.get(type)
  if (!members) known.set(type, (members = lineage(type).flatMap(ownMembers)))
  return members
}

/** What type-graphql keeps of the fields that stand in classes; its version is pinned. */
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
    const told = fieldExtensions.find(({ target, fieldName }) => target === type && fieldName === name)
    if (told?.extensions.needsContext) continue
    const valueOf = told?.extensions.derive ?? ((row: object) => (row as RestJson)[name])
    members.set(name, { name, valueOf, restNameOf: serializerOf(field.getType()) })
  }
  return [...members.values()]
}

/** How values of a type are said; enums are by their values what `/tsp/v1` calls them. */
function serializerOf(type: unknown): Member['restNameOf'] {
  if (type === DateTime) return (value) => toIso(value as number)
  if (!isObjectType(type)) return (value) => value
  const one: (value: object) => unknown = isNode(type)
    ? (value) => (value as Node).id
    : (value) => toRestJson(type, value)
  return (value) => (Array.isArray(value) ? value.map(one) : one(value as object))
}

const isObjectType = (type: unknown): type is Type =>
  metadata().objectTypes.some(({ target }) => target === type)

/** A record of its own: others refer to it by its id. */
const isNode = (type: Type): boolean => type.prototype instanceof Node

/** The class and those it extends, the first of them first. */
function lineage(type: Type): unknown[] {
  const chain: unknown[] = []
  for (let at: unknown = type; typeof at === 'function'; at = Object.getPrototypeOf(at)) chain.unshift(at)
  return chain
}

import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { Route } from '../route.ts'

type Composite = GraphQLObjectType | GraphQLInterfaceType
type Field = GraphQLField<unknown, unknown>

/** Boolean variables of an operation: `raw`, and each field that the parameter `expand` can name. */
type Flags = ReadonlySet<string>

/**
 * Completes the operation of a route. Replaces each `...Type`, such as `...Trip`, by the fields of the type that its
 * REST record contains. `raw` and whole referenced records depend on the boolean variables of the operation.
 */
export function completeRoute(route: Route, schema: GraphQLSchema): Route {
  const flags = new Set(route.operation.match(/(?<=\$)\w+(?=: Boolean!)/g))
  const operation = route.operation.replaceAll(/\.\.\.(\w+)/g, (_, name: string) =>
    selectionOf(compositeNamed(name, schema), schema, flags),
  )
  return { ...route, operation }
}

/** Selects the fields of the type's REST record. Its references are ids, and it has no `raw`. */
export const selectionWithIds = (typeName: string, schema: GraphQLSchema): string =>
  selectionOf(compositeNamed(typeName, schema), schema, NO_FLAGS)

function compositeNamed(name: string, schema: GraphQLSchema): Composite {
  const type = schema.getType(name)
  if (!isObjectType(type) && !isInterfaceType(type))
    throw new Error(`\`...${name}\` in a route: the schema has no object type or interface of this name`)
  return type
}

/** Selects the fields of a type. For an interface, also the further fields of each of its types. */
function selectionOf(type: Composite, schema: GraphQLSchema, flags: Flags): string {
  const own = restFieldsOf(type)
  const select = (fields: readonly Field[]) =>
    fields.map((field) => fieldSelection(field, schema, flags)).join(' ')
  if (!isInterfaceType(type)) return select(Object.values(own))
  const others = schema.getPossibleTypes(type).map((possible) => {
    const fields = Object.values(restFieldsOf(possible)).filter(({ name }) => !(name in own))
    return `... on ${possible.name} { ${select(fields)} }`
  })
  return `__typename ${select(Object.values(own))} ${others.join(' ')}`
}

/** Types whose ids are for the caches of GraphQL clients. */
const TYPES_WITH_CACHE_ID = new Set([
  'LatestVehicleLocation',
  'LatestTrailerLocation',
  'HosAvailableTime',
  'VehicleUtilization',
])

/** Fields that have a route of their own. */
const FIELDS_WITH_ROUTE = new Set(['Vehicle.ownFacts'])

/** Returns the fields of a type that REST has. */
const restFieldsOf = (type: Composite): Readonly<Record<string, Field>> =>
  Object.fromEntries(Object.entries(type.getFields()).filter(([name]) => !isGraphOnly(type, name)))

/** Whether a field is not in REST. Provider records do not contain their connection, because a request is about one. */
const isGraphOnly = (type: Composite, name: string): boolean =>
  (name === 'connection' && hasRawData(type)) ||
  (name === 'id' && TYPES_WITH_CACHE_ID.has(type.name)) ||
  FIELDS_WITH_ROUTE.has(`${type.name}.${name}`)

/**
 * Selects a field. A record with an id becomes a reference. Selects nothing for what has a REST route of its own: a
 * list with arguments, or a record without an id, such as a location.
 */
function fieldSelection(field: Field, schema: GraphQLSchema, flags: Flags): string {
  const { name, args } = field
  const named = getNamedType(field.type)
  if (args.length > 0) return ''
  if (isLeafType(named)) return name
  const type = named as Composite
  if (hasId(type)) return referenceSelection(field, type, schema, flags)
  if (hasRawData(type) || (name === 'raw' && !flags.has(name))) return ''
  const condition = name === 'raw' ? ' @include(if: $raw)' : ''
  return `${name}${condition} { ${selectionOf(type, schema, NO_FLAGS)} }`
}

const NO_FLAGS: Flags = new Set()

/** Whether records of the type have an id of their own. */
const hasId = (type: Composite): boolean => type.getInterfaces().some(({ name }) => name === 'Node')

/** Whether the type is a record of a provider, which has what the provider sent as `raw`. */
const hasRawData = (type: Composite): boolean => 'raw' in type.getFields()

/**
 * Selects the id of a referenced record. With `expand`, an alias also selects the whole record, whose own references
 * are ids. The id is the fallback for a record that does not exist; a list of non-null items needs none. The alias
 * contains no `_`: the gateway's compiler, graphql-jit, does not support such aliases.
 */
function referenceSelection(field: Field, type: Composite, schema: GraphQLSchema, flags: Flags): string {
  const { name } = field
  if (!flags.has(name)) return `${name} { id }`
  const id = isListOfExisting(field) ? `${name} @skip(if: $${name}) { id }` : `${name} { id }`
  return `${id} whole${name[0]?.toUpperCase()}${name.slice(1)}: ${name} @include(if: $${name}) {
    ${selectionOf(type, schema, NO_FLAGS)}
  }`
}

function isListOfExisting({ type }: Field): boolean {
  const list = getNullableType(type)
  return isListType(list) && isNonNullType(list.ofType)
}

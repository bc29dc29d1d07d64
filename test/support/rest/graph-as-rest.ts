import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql'
import { expect } from 'vitest'

/**
 * Rules for the REST form of GraphQL data, derived from the schema alone. Nothing here knows the operations
 * of the routes.
 */

type Composite = GraphQLObjectType | GraphQLInterfaceType

/** Fields that REST omits: they have separate paths, or REST does not support them. */
const graphOnly = new Set([
  'LatestVehicleLocation.id',
  'LatestTrailerLocation.id',
  'HosAvailableTime.id',
  'VehicleUtilization.id',
  'Vehicle.latestLocation',
  'Vehicle.ownFacts',
  'Trailer.latestLocation',
  'Driver.hosAvailableTime',
  'Connection.timeZone',
  'Connection.lastSuccessfulSyncAt',
  'Connection.disconnectedAt',
  'Connection.deletionScheduledAt',
  'Connection.agreements',
  'Agreement.type',
  'Connection.heldRemovals',
  'Connection.lastSync',
  'Sync.connection',
])

export interface RestFields {
  /** Names of the references that REST expands to records. */
  readonly expanded: readonly string[]
  readonly raw: boolean
  /** Fields that only the body of this route has. */
  readonly extraFields?: readonly string[]
}

const asReference: RestFields = { expanded: [], raw: false }

/** Selects every field of a type that REST shows. */
export function selectionOf(type: GraphQLNamedType, restFields: RestFields, schema: GraphQLSchema): string {
  if (isInterfaceType(type)) {
    const common = Object.keys(type.getFields())
    const own = schema
      .getPossibleTypes(type)
      .map((one) => `... on ${one.name} { ${selected(one, restFields, schema, common) || '__typename'} }`)
    return `__typename ${selected(type, restFields, schema)} ${own.join(' ')}`
  }
  return isObjectType(type) ? selected(type, restFields, schema) : ''
}

const selected = (
  type: Composite,
  restFields: RestFields,
  schema: GraphQLSchema,
  without: readonly string[] = [],
): string =>
  fieldsOf(type, restFields)
    .filter(({ name }) => !without.includes(name))
    .map((field) => {
      const of = getNamedType(field.type)
      if (isLeafType(of)) return field.name
      if (of.name === 'Provider') return `${field.name} { code name }`
      if (!isEntity(of)) return `${field.name} { ${selectionOf(of, asReference, schema)} }`
      return restFields.expanded.includes(field.name)
        ? `${field.name} { ${selectionOf(of, asReference, schema)} }`
        : `${field.name} { id }`
    })
    .join(' ')

const fieldsOf = (type: Composite, { raw, extraFields = [] }: RestFields): GraphQLField<unknown, unknown>[] =>
  Object.values(type.getFields()).filter(
    ({ name, args }) =>
      args.length === 0 &&
      (raw || name !== 'raw') &&
      !(name === 'connection' && isProviderRecord(type)) &&
      (extraFields.includes(name) || !graphOnly.has(`${type.name}.${name}`)),
  )

/** Returns whether a type is a record of a provider. REST omits its connection, because a request is about one. */
const isProviderRecord = (type: Composite): boolean => 'raw' in type.getFields()

/** Returns whether a type is a record of its own; other types are parts of records. */
const isEntity = (type: GraphQLNamedType): boolean =>
  isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node')

type Row = Readonly<Record<string, unknown>>

/** Converts GraphQL data to its REST form. */
export function asRest(value: unknown, type: GraphQLOutputType, schema: GraphQLSchema): unknown {
  const nullable = getNullableType(type)
  if (isListType(nullable))
    return (value as unknown[]).map((item) =>
      // REST keeps the id of a reference to a missing record.
      item === null ? expect.any(String) : asRest(item, nullable.ofType, schema),
    )
  if (isEnumType(nullable)) return String(value).toLowerCase()
  if (isLeafType(nullable)) return value
  const row = value as Row
  if (Object.keys(row).join() === 'id') return row['id']
  const of = isInterfaceType(nullable) ? schema.getType(String(row['__typename'])) : nullable
  const fields = (of as GraphQLObjectType).getFields()
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name, member]) => member !== null && name !== '__typename')
      .map(([name, member]) => [name, asRest(member, fields[name]!.type, schema)]),
  )
}

import {
  type GraphQLCompositeType,
  type GraphQLSchema,
  isAbstractType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { Subgraph } from '../../subgraphs/schema/build-subgraph.ts'
import { owningSubgraph } from './in-process-schema.ts'
import type { Operation } from '../operation.ts'

/**
 * Returns a predicate: whether an operation needs local subgraphs only. This depends on where the
 * fields of root types and entities are. Fields of any other type come from the subgraph that returned the object.
 */
export function createOperationRouter(
  schema: GraphQLSchema,
  ownSubgraphs: readonly Subgraph[],
  remote: ReadonlySet<string>,
): (operation: Operation) => boolean {
  const cache = new WeakMap<Operation, boolean>()
  const isLocalField = (typeName: string, fieldName: string) => {
    const owner = owningSubgraph(ownSubgraphs, typeName, fieldName)
    return owner !== undefined && !remote.has(owner.name)
  }
  const rootAndEntityTypes = new Set([
    ...[schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].map(
      (type) => type?.name,
    ),
    ...ownSubgraphs.flatMap(({ owned }) => Object.keys(owned)),
  ])
  const isLocal = (parent: GraphQLCompositeType, fieldName: string): boolean => {
    if (fieldName === '__typename') return true
    // Introspection: the in-process schema lacks the types of custom subgraphs.
    if (fieldName.startsWith('__')) return false
    // For an interface, a field of this service returns only types of this service. Types with which custom
    // subgraphs implement it do not matter.
    if (isAbstractType(parent))
      return schema
        .getPossibleTypes(parent)
        .filter(({ name }) => ownSubgraphs.some((subgraph) => subgraph.schema.getType(name)))
        .every((type) => isLocal(type, fieldName))
    return rootAndEntityTypes.has(parent.name)
      ? fieldName === 'id' || isLocalField(parent.name, fieldName)
      : owningSubgraph(ownSubgraphs, parent.name, fieldName) !== undefined
  }
  return (operation) => {
    const cached = cache.get(operation)
    if (cached !== undefined) return cached
    const local = fieldsOf(operation, schema).every(([parent, field]) => isLocal(parent, field))
    cache.set(operation, local)
    return local
  }
}

function fieldsOf({ document }: Operation, schema: GraphQLSchema): [GraphQLCompositeType, string][] {
  const fields: [GraphQLCompositeType, string][] = []
  const types = new TypeInfo(schema)
  visit(
    document,
    visitWithTypeInfo(types, {
      Field({ name }) {
        const parent = types.getParentType()
        if (parent) fields.push([parent, name.value])
      },
    }),
  )
  return fields
}

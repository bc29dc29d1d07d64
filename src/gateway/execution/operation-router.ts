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
 * Returns a predicate for operations that the local subgraphs can answer alone. The location of the fields
 * of root types and entities decides. The fields of any other type come from the subgraph that returned it.
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
  const ownTypes = new Set([
    ...[schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].map(
      (type) => type?.name,
    ),
    ...ownSubgraphs.flatMap(({ owned }) => Object.keys(owned)),
  ])
  const isLocal = (parent: GraphQLCompositeType, fieldName: string): boolean => {
    if (fieldName === '__typename') return true
    if (fieldName.startsWith('__')) return false
    // A field of an own subgraph returns only own types for an interface, even if a custom subgraph
    // implements it.
    if (isAbstractType(parent))
      return schema
        .getPossibleTypes(parent)
        .filter(({ name }) => ownSubgraphs.some((subgraph) => subgraph.schema.getType(name)))
        .every((type) => isLocal(type, fieldName))
    return ownTypes.has(parent.name)
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

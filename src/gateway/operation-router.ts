import {
  type GraphQLCompositeType,
  type GraphQLSchema,
  isAbstractType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { Subgraph } from '../subgraphs/schema/build-subgraph.ts'
import { owningSubgraph } from './in-process-schema.ts'
import type { Operation } from './operation.ts'

/**
 * Tells which operations the subgraphs of this process answer alone, however many others there are: what counts is
 * where the fields of root types and entities live. The fields of any other type come with the field that leads there.
 */
export function createOperationRouter(
  schema: GraphQLSchema,
  ours: readonly Subgraph[],
  remote: ReadonlySet<string>,
): (operation: Operation) => boolean {
  const known = new WeakMap<Operation, boolean>()
  const isHere = (typeName: string, fieldName: string) => {
    const home = owningSubgraph(ours, typeName, fieldName)
    return home !== undefined && !remote.has(home.name)
  }
  const ownTypes = new Set([
    ...[schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].map(
      (type) => type?.name,
    ),
    ...ours.flatMap(({ owned }) => Object.keys(owned)),
  ])
  const isLocal = (parent: GraphQLCompositeType, fieldName: string): boolean => {
    if (fieldName === '__typename') return true
    if (fieldName.startsWith('__')) return false
    // What our fields answer with an interface is of a type of ours, whoever else implements it.
    if (isAbstractType(parent))
      return schema
        .getPossibleTypes(parent)
        .filter(({ name }) => ours.some((subgraph) => subgraph.schema.getType(name)))
        .every((type) => isLocal(type, fieldName))
    return ownTypes.has(parent.name)
      ? fieldName === 'id' || isHere(parent.name, fieldName)
      : owningSubgraph(ours, parent.name, fieldName) !== undefined
  }
  return (operation) => {
    const before = known.get(operation)
    if (before !== undefined) return before
    const local = fieldsOf(operation, schema).every(([parent, field]) => isLocal(parent, field))
    known.set(operation, local)
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

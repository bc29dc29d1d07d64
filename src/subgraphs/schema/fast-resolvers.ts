import { type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql'

/**
 * Binds fields directly to the methods of their resolver classes, without the wrapper of type-graphql. The wrapper
 * copies arguments into instances on each call, which is slow for a field of each row of a page.
 * Methods therefore receive arguments as plain objects, as graphql-js coerced them.
 */
export function bindFastResolvers(schema: GraphQLSchema, resolvers: readonly unknown[]): void {
  const methods = methodsOf(resolvers)
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type === schema.getSubscriptionType()) continue
    for (const field of Object.values(type.getFields())) {
      const method = methods.get(`${type.name}.${field.name}`)
      if (method) field.resolve = method
    }
  }
}

type Resolver = GraphQLFieldResolver<unknown, Record<string, unknown>>
type Method = (...values: unknown[]) => unknown

// The following types are parts of the private metadata of type-graphql. Its version is pinned for this reason.

interface Parameter {
  readonly kind: 'root' | 'context' | 'info' | 'args' | 'arg' | 'custom'
  readonly index: number
  readonly name?: string
  readonly propertyName?: string
}

interface Handler {
  readonly target: new () => Record<string, Method>
  readonly methodName: string
  readonly schemaName: string
  readonly params: readonly Parameter[]
  readonly getObjectType?: () => unknown
}

interface Metadata {
  readonly queries: readonly Handler[]
  readonly mutations: readonly Handler[]
  readonly fieldResolvers: readonly Handler[]
  readonly objectTypes: readonly { readonly target: unknown; readonly name: string }[]
}

function methodsOf(resolvers: readonly unknown[]): ReadonlyMap<string, Resolver> {
  const { queries, mutations, fieldResolvers, objectTypes } = (
    globalThis as unknown as { TypeGraphQLMetadataStorage: Metadata }
  ).TypeGraphQLMetadataStorage
  // The metadata is global: it also contains the handlers of the other subgraphs.
  const isOfSubgraph = ({ target }: Handler) => resolvers.includes(target)
  const typeName = ({ getObjectType }: Handler) =>
    objectTypes.find(({ target }) => target === getObjectType?.())?.name
  return new Map([
    ...queries
      .filter(isOfSubgraph)
      .map((handler): [string, Resolver] => [`Query.${handler.schemaName}`, toResolver(handler)]),
    ...mutations
      .filter(isOfSubgraph)
      .map((handler): [string, Resolver] => [`Mutation.${handler.schemaName}`, toResolver(handler)]),
    ...fieldResolvers
      .filter(isOfSubgraph)
      .map((handler): [string, Resolver] => [`${typeName(handler)}.${handler.schemaName}`, toResolver(handler)]),
  ])
}

function toResolver({ target: ResolverClass, methodName, params }: Handler): Resolver {
  const resolver = new ResolverClass()
  const method = resolver[methodName]
  if (!method) throw new Error(`${ResolverClass.name} has no method ${methodName}`)
  const readers = [...params].sort((a, b) => a.index - b.index).map(parameterReader)
  return (root, args, context, info) =>
    method.apply(
      resolver,
      readers.map((read) => read(root, args, context, info)),
    )
}

function parameterReader({ kind, name, propertyName }: Parameter): Resolver {
  if (propertyName !== undefined || kind === 'custom')
    throw new Error(`A resolver parameter of kind ${kind} is not supported`)
  if (kind === 'root') return (root) => root
  if (kind === 'args') return (_root, args) => args
  if (kind === 'arg') return (_root, args) => args[String(name)]
  return kind === 'context' ? (_root, _args, context) => context : (_root, _args, _context, info) => info
}

import 'reflect-metadata'
import { printSchemaWithDirectives } from '@graphql-tools/utils'
import {
  getNamedType,
  type GraphQLFieldConfigMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isInterfaceType,
  isObjectType,
  specifiedDirectives,
} from 'graphql'
import { buildSchemaSync, Extensions } from 'type-graphql'
import { type NodeRow, nodeTypeOf } from '../../domain/record-models.ts'
import { bindFastResolvers } from './fast-resolvers.ts'
import { selectsOnlyId } from './selection.ts'

// Builds subgraph schemas. Only this file depends on both type-graphql and federation.

export type SubgraphName = 'connections' | 'fleet' | 'records' | 'telemetry' | 'events' | 'purchases'

export interface Representation {
  readonly __typename: string
  readonly id: string
}

/** Loads the entity with the id of a reference. Null if it does not exist, or the caller has no access to it. */
export type ReferenceResolver = (ref: { id: string }, context: never) => Promise<object | null>

export interface Subgraph {
  readonly name: SubgraphName
  /** Schema of this subgraph alone, with `_service` and `_entities`. A standalone subgraph process serves it. */
  readonly schema: GraphQLSchema
  /** Schema without federation fields, from which the composition builds the supergraph. */
  readonly sdl: string
  /** Reference resolvers of the entities that this subgraph owns. Other subgraphs may add fields to them. */
  readonly owned: Readonly<Record<string, ReferenceResolver>>
}

// oxlint-disable-next-line typescript/no-unsafe-function-type -- type-graphql takes classes as functions
type Class = Function

interface Definition {
  readonly name: SubgraphName
  readonly resolvers: readonly Class[]
  /** Reference resolvers by the names of the entities that the subgraph owns. */
  readonly owned: Readonly<Record<string, ReferenceResolver>>
  /** Functions that return the type name of a row, by the names of the interfaces other than Node. */
  readonly interfaces?: Readonly<Record<string, (row: never) => string>>
  /** Types to add even if no field returns them: implementations of interfaces, and entities of other subgraphs. */
  readonly orphanedTypes?: readonly Class[]
}

const FEDERATION_LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])'

/**
 * Decorator of a field that a pure function derives from the row, such as a point from two columns. The function
 * is synchronous, so no promise is created, and must not throw.
 */
export const Computed = <Row>(derive: (row: Row) => unknown): PropertyDecorator & MethodDecorator =>
  Extensions({ derive }) as PropertyDecorator & MethodDecorator

/** Decorator of a field that is loaded through the repositories in the request context. */
export const Loaded = <Row, Context>(
  load: (row: Row, context: Context) => unknown,
): PropertyDecorator & MethodDecorator =>
  Extensions({
    derive: (row: Row, _args: unknown, context: Context) => load(row, context),
    needsContext: true,
  }) as PropertyDecorator & MethodDecorator

export function buildSubgraph({
  name,
  resolvers,
  owned,
  interfaces = {},
  orphanedTypes = [],
}: Definition): Subgraph {
  const schema = buildSchemaSync({
    resolvers: resolvers as unknown as [Class, ...Class[]],
    orphanedTypes: [...orphanedTypes],
    validate: false,
    skipCheck: true,
    pubSub: noPubSub,
  })
  bindFastResolvers(schema, resolvers)
  bindComputedFields(schema)
  bindInterfaces(schema, interfaces)
  bindNodeFields(schema, owned)
  const sdl = `${FEDERATION_LINK}\n\n${printSchemaWithDirectives(schema)}\n`
  return { name, sdl, owned, schema: withFederationFields(schema, sdl, owned) }
}

/** type-graphql requires a `pubSub`, but no subscription uses it: each has its own `subscribe` function. */
const noPubSub = {
  publish: (): never => {
    throw new Error('Subscriptions do not use the pubSub of type-graphql')
  },
  subscribe: (): never => {
    throw new Error('Subscriptions do not use the pubSub of type-graphql')
  },
}

function bindComputedFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const derive = field.extensions['derive'] as ((row: unknown) => unknown) | undefined
      if (derive) field.resolve = derive
    }
  }
}

/** Replaces the async `resolveType` of type-graphql: compiled operations need the type name synchronously. */
function bindInterfaces(schema: GraphQLSchema, interfaces: NonNullable<Definition['interfaces']>): void {
  const typeResolvers = { ...interfaces, Node: nodeTypeOf } as Record<
    string,
    (row: unknown) => string | undefined
  >
  for (const type of Object.values(schema.getTypeMap()).filter(isInterfaceType)) {
    const typeNameOf = typeResolvers[type.name]
    if (!typeNameOf) throw new Error(`The interface ${type.name} has no type resolver`)
    type.resolveType = (row) => typeNameOf(row)
  }
}

/**
 * Completes fields of the type Node, which return references. If the operation selects more than ids, the nodes of this
 * subgraph are loaded here. The gateway loads the nodes of other subgraphs.
 */
function bindNodeFields(schema: GraphQLSchema, owned: Readonly<Record<string, ReferenceResolver>>): void {
  const loadEntity = (ref: unknown, context: unknown): unknown => {
    if (Array.isArray(ref)) return Promise.all(ref.map((item) => loadEntity(item, context)))
    const node = (ref ?? null) as NodeRow | null
    const reference = node && owned[nodeTypeOf(node) ?? '']
    return reference ? reference({ id: node.id }, context as never) : ref
  }
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType))
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field
      if (!resolve || getNamedType(field.type).name !== 'Node') continue
      field.resolve = async (source, args, context, info) => {
        const ref: unknown = await resolve(source, args, context, info)
        return selectsOnlyId(info) ? ref : loadEntity(ref, context)
      }
    }
}

/** Adds `_service` and `_entities`, through which any federation router queries a subgraph. */
function withFederationFields(
  schema: GraphQLSchema,
  sdl: string,
  owned: Readonly<Record<string, ReferenceResolver>>,
): GraphQLSchema {
  const query = schema.getQueryType()
  if (!query) throw new Error('The subgraph has no query type: give it at least one query')
  const service = new GraphQLObjectType({
    name: '_Service',
    fields: { sdl: { type: new GraphQLNonNull(GraphQLString) } },
  })
  const config = query.toConfig()
  const federatedQuery = new GraphQLObjectType({
    ...config,
    fields: {
      ...config.fields,
      _service: { type: new GraphQLNonNull(service), resolve: () => ({ sdl }) },
      ...entitiesField(entityTypes(schema), owned),
    },
  })
  return new GraphQLSchema({
    ...schema.toConfig(),
    query: federatedQuery,
    directives: specifiedDirectives,
    types: Object.values(schema.getTypeMap()).filter((type) => type !== query && !type.name.startsWith('__')),
  })
}

/** Returns no field if the subgraph has no resolvable entities: an empty union makes a schema invalid. */
function entitiesField(
  types: readonly GraphQLObjectType[],
  owned: Readonly<Record<string, ReferenceResolver>>,
): GraphQLFieldConfigMap<unknown, unknown> {
  if (types.length === 0) return {}
  const anyScalar = new GraphQLScalarType({ name: '_Any' })
  const entity = new GraphQLUnionType({
    name: '_Entity',
    types,
    resolveType: (value: Representation) => value.__typename,
  })
  return {
    _entities: {
      type: new GraphQLNonNull(new GraphQLList(entity)),
      args: { representations: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(anyScalar))) } },
      resolve: (_, { representations }, context) =>
        (representations as readonly Representation[]).map((ref) => resolveEntity(ref, owned, context)),
    },
  }
}

/**
 * Resolves a representation. The id of a foreign entity is not checked: the fields that this subgraph adds to it
 * read their rows within the caller's tenant scope.
 */
async function resolveEntity(
  ref: Representation,
  owned: Readonly<Record<string, ReferenceResolver>>,
  context: unknown,
) {
  const { __typename, id } = ref
  const entity = await (owned[__typename]?.({ id }, context as never) ?? { id })
  return entity && { ...entity, __typename }
}

const entityTypes = (schema: GraphQLSchema): GraphQLObjectType[] =>
  Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => entityKeysOf(type).some((key) => key.resolvable))

export interface EntityKey {
  readonly fields: string
  readonly resolvable: boolean
}

/** Returns the `@key` directives of a type. */
export function entityKeysOf(type: GraphQLObjectType): EntityKey[] {
  const directives = type.astNode?.directives ?? []
  return directives
    .filter(({ name }) => name.value === 'key')
    .map(({ arguments: args = [] }) => {
      const value = (name: string) => args.find((argument) => argument.name.value === name)?.value
      const fields = value('fields')
      const resolvable = value('resolvable')
      return {
        fields: fields?.kind === 'StringValue' ? fields.value : '',
        resolvable: !(resolvable?.kind === 'BooleanValue' && !resolvable.value),
      }
    })
}

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

/** The only file that knows both type-graphql and federation. */

export type SubgraphName = 'connections' | 'fleet' | 'records' | 'telemetry' | 'events'

export interface Representation {
  readonly __typename: string
  readonly id: string
}

/** Turns another subgraph's mention of an entity into the whole of it; null where the caller has none such. */
export type ReferenceResolver = (ref: { id: string }, context: never) => Promise<object | null>

export interface Subgraph {
  readonly name: SubgraphName
  /** The schema of this subgraph alone, with `_service` and `_entities`: what a process of its own serves. */
  readonly schema: GraphQLSchema
  /** What composition reads. */
  readonly sdl: string
  /** The entities that this subgraph owns: it alone can answer for all their fields but those others add. */
  readonly owned: Readonly<Record<string, ReferenceResolver>>
}

// oxlint-disable-next-line typescript/no-unsafe-function-type -- type-graphql takes classes as functions
type Class = Function

interface Definition {
  readonly name: SubgraphName
  readonly resolvers: readonly Class[]
  /** Entities owned here, each with its reference resolver. */
  readonly owned: Readonly<Record<string, ReferenceResolver>>
  /** How a row tells its type, by the names of the interfaces other than Node. */
  readonly interfaces?: Readonly<Record<string, (row: never) => string>>
  /** Types that no field of this subgraph leads to: stubs of other subgraphs' entities that it adds fields to. */
  readonly orphans?: readonly Class[]
}

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])'

/**
 * A field that a row answers by a pure function instead of a property of its own: `metadata` of the row itself,
 * a point of two columns. It costs no promise, and must not throw.
 */
export const Computed = <Row>(derive: (row: Row) => unknown): PropertyDecorator & MethodDecorator =>
  Extensions({ derive }) as PropertyDecorator & MethodDecorator

/** A field that is loaded by a property of the row, through the reads of the caller's context. */
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
  orphans = [],
}: Definition): Subgraph {
  const schema = buildSchemaSync({
    resolvers: resolvers as unknown as [Class, ...Class[]],
    orphanedTypes: [...orphans],
    validate: false,
    skipCheck: true,
    pubSub: noTopics,
  })
  bindFastResolvers(schema, resolvers)
  bindComputedFields(schema)
  bindInterfaces(schema, interfaces)
  bindFieldsOfNodes(schema, owned)
  const sdl = `${LINK}\n\n${printSchemaWithDirectives(schema)}\n`
  return { name, sdl, owned, schema: withFederationFields(schema, sdl, owned) }
}

/** Every subscription here follows a table; type-graphql insists on a hub of topics all the same. */
const noTopics = {
  publish: (): never => {
    throw new Error('no subscription listens to topics')
  },
  subscribe: (): never => {
    throw new Error('no subscription listens to topics')
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

/** type-graphql tells a row's type by a promise, which a compiled operation does not wait for: here is the word itself. */
function bindInterfaces(schema: GraphQLSchema, interfaces: NonNullable<Definition['interfaces']>): void {
  const taggers = { ...interfaces, Node: nodeTypeOf } as Record<string, (row: unknown) => string | undefined>
  for (const type of Object.values(schema.getTypeMap()).filter(isInterfaceType)) {
    const tag = taggers[type.name]
    if (!tag) throw new Error(`nothing tells which ${type.name} a row is`)
    type.resolveType = (row) => tag(row)
  }
}

/** A field may answer with mentions of nodes. Of those that are owned here the whole is made, if more is asked for. */
function bindFieldsOfNodes(schema: GraphQLSchema, owned: Readonly<Record<string, ReferenceResolver>>): void {
  const whole = (ref: unknown, context: unknown): unknown => {
    if (Array.isArray(ref)) return Promise.all(ref.map((item) => whole(item, context)))
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
        return selectsOnlyId(info) ? ref : whole(ref, context)
      }
    }
}

/** `_service` and `_entities`, by which a router of any make reads a subgraph. */
function withFederationFields(
  schema: GraphQLSchema,
  sdl: string,
  owned: Readonly<Record<string, ReferenceResolver>>,
): GraphQLSchema {
  const query = schema.getQueryType()
  if (!query) throw new Error('a subgraph has a query type')
  const service = new GraphQLObjectType({
    name: '_Service',
    fields: { sdl: { type: new GraphQLNonNull(GraphQLString) } },
  })
  const config = query.toConfig()
  const federated = new GraphQLObjectType({
    ...config,
    fields: {
      ...config.fields,
      _service: { type: new GraphQLNonNull(service), resolve: () => ({ sdl }) },
      ...entitiesField(entityTypes(schema), owned),
    },
  })
  return new GraphQLSchema({
    ...schema.toConfig(),
    query: federated,
    directives: specifiedDirectives,
    types: Object.values(schema.getTypeMap()).filter((type) => type !== query && !type.name.startsWith('__')),
  })
}

/** None for a subgraph to which no entity leads back: a union of nothing makes a schema invalid. */
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
        (representations as readonly Representation[]).map((ref) => entityOf(ref, owned, context)),
    },
  }
}

/** An entity owned elsewhere is taken at its word: the fields added here ask for its rows as the caller. */
async function entityOf(
  ref: Representation,
  owned: Readonly<Record<string, ReferenceResolver>>,
  context: unknown,
) {
  const { __typename, id } = ref
  const whole = await (owned[__typename]?.({ id }, context as never) ?? { id })
  return whole && { ...whole, __typename }
}

const entityTypes = (schema: GraphQLSchema): GraphQLObjectType[] =>
  Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => keysOf(type).some((key) => key.resolvable))

export interface Key {
  readonly fields: string
  readonly resolvable: boolean
}

/** The `@key` directives of a type. */
export function keysOf(type: GraphQLObjectType): Key[] {
  const directives = type.astNode?.directives ?? []
  return directives
    .filter(({ name }) => name.value === 'key')
    .map(({ arguments: given = [] }) => {
      const value = (name: string) => given.find((argument) => argument.name.value === name)?.value
      const fields = value('fields')
      const resolvable = value('resolvable')
      return {
        fields: fields?.kind === 'StringValue' ? fields.value : '',
        resolvable: !(resolvable?.kind === 'BooleanValue' && !resolvable.value),
      }
    })
}

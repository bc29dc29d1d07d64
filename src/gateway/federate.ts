import { setImmediate } from 'node:timers/promises'
import { getStitchedSchemaFromSupergraphSdl } from '@graphql-tools/federation'
import { type ExecutionRequest, type Executor, relocatedError } from '@graphql-tools/utils'
import {
  type ASTNode,
  type DirectiveNode,
  type FieldNode,
  getDirectiveValues,
  GraphQLError,
  type GraphQLFieldResolver,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLScalarType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  isNonNullType,
  isObjectType,
  Kind,
  responsePathAsArray,
  type SelectionNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import type { Subgraph } from '../subgraphs/define.ts'
import { CalendarDate, DateTime, Month } from '../subgraphs/scalars.ts'
import { interpretedEngine } from './engine.ts'
import { remoteExecutor, type RemotePlace } from './remote/executor.ts'

/** Where a subgraph is: in another process, or in this one. */
export type Placement = RemotePlace | { readonly local: Subgraph }

/** A context that can be made anew, for each event of a subscription. */
export interface Renewed {
  renewed(): Renewed
}

/** Refuses what is no value of a scalar before a subgraph is asked, and passes on what is one as it came. */
const checked = (scalar: GraphQLScalarType) =>
  new GraphQLScalarType({
    ...scalar.toConfig(),
    parseValue(value) {
      scalar.parseValue(value)
      return value
    },
    parseLiteral(node) {
      scalar.parseLiteral(node)
      return valueFromASTUntyped(node)
    },
    serialize: (value) => value,
  })

/** The scalars that refuse some values, by their names. */
const checkedScalars = Object.fromEntries(
  [DateTime, CalendarDate, Month].map((scalar) => [scalar.name, checked(scalar)]),
)

/** The supergraph over subgraphs of which at least one is in another process. */
export function federate(supergraphSdl: string, places: ReadonlyMap<string, Placement>): GraphQLSchema {
  const executors = new Map([...places].map(([name, place]) => [name, executorOf(place)]))
  const schema = getStitchedSchemaFromSupergraphSdl({
    supergraphSdl,
    batch: true,
    onStitchingOptions: (options) => Object.assign(options, { resolvers: checkedScalars }),
    onSubschemaConfig(config) {
      const executor = executors.get(config.name.toLowerCase())
      if (!executor) throw new Error(`nothing is known of where subgraph ${config.name} is`)
      config.executor = executor
    },
  })
  noteFates(schema)
  settleFields(schema)
  return schema
}

const executorOf = (place: Placement): Executor =>
  'line' in place ? remoteExecutor(place) : localExecutor(place.local.schema)

function localExecutor(schema: GraphQLSchema): Executor {
  const engine = interpretedEngine(schema)
  return (({ document, variables, context, operationName, operationType }: ExecutionRequest) => {
    const request = { document, variables, context, operationName }
    return operationType === 'subscription'
      ? engine.subscribe(request, () => (context as Renewed).renewed())
      : engine.execute(request)
  }) as Executor
}

/** What became of a mention: its owner has no such row (null), or an error in one of its fields took the whole away. */
const FATE = Symbol('fate')

interface Mention {
  [FATE]?: Error | null
}

type Resolver = GraphQLFieldResolver<unknown, unknown>
type Path = readonly (string | number)[]
type MergedTypes = Readonly<
  Record<string, { readonly resolvers: Map<unknown, (...given: unknown[]) => unknown> }>
>

/** Marks mentions that come to nothing; stitching would answer with a null, or with the error, in each of the fields. */
function noteFates({ extensions }: GraphQLSchema): void {
  const { mergedTypes } = extensions['stitchingInfo'] as { mergedTypes: MergedTypes }
  for (const { resolvers } of Object.values(mergedTypes))
    for (const [subschema, resolve] of resolvers)
      resolvers.set(subschema, async (mention, ...given) => {
        const whole = await resolve(mention, ...given)
        if (whole === null || isOfEntity(whole)) meet(mention as Mention, whole)
        return whole
      })
}

/** Where there is no row, nothing else is asked of it in the fused schema: that comes before any error. */
function meet(mention: Mention, fate: Error | null): void {
  if (mention[FATE] !== null) Object.defineProperty(mention, FATE, { value: fate, configurable: true })
}

/** Makes each field answer as in the fused schema: what came to nothing is null, an error stands where it happened. */
function settleFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType))
    for (const field of Object.values(type.getFields())) {
      if (field.resolve) field.resolve = settling(field.resolve)
      if (field.subscribe) field.subscribe = preparing(field.subscribe)
    }
}

const settling =
  (resolve: Resolver): Resolver =>
  async (source, args, context, info) => {
    const value = settled(
      await resolve(source, args, context, prepared(info)),
      responsePathAsArray(info.path),
    )
    if (value === null && isNonNullType(info.returnType)) await lastWord()
    return value
  }

const preparing =
  (subscribe: Resolver): Resolver =>
  (source, args, context, info) =>
    subscribe(source, args, context, prepared(info))

function settled(value: unknown, place: Path): unknown {
  if (value instanceof Promise) return value.then((known: unknown) => settled(known, place))
  if (Array.isArray(value)) return value.map((item, at) => settled(item, [...place, at]))
  if (value instanceof GraphQLError) return isBelow(place, value) ? value : relocatedError(value, place)
  if (typeof value !== 'object' || value === null || !(FATE in value)) return value
  return value[FATE] instanceof GraphQLError ? belowEntity(value[FATE], place) : value[FATE]
}

const isBelow = (place: Path, { path }: GraphQLError): boolean => place.every((key, at) => path?.[at] === key)

/** Entities are fetched in batches, so the path of an error in one starts with its place there. */
const belowEntity = (error: GraphQLError, place: Path): GraphQLError =>
  relocatedError(error, [...place, ...(batchPath(error)?.slice(2) ?? [])])

/** An error in an entity; without a place in the batch it is one of the whole request, and other subgraphs' fields survive. */
const isOfEntity = (value: unknown): value is GraphQLError =>
  value instanceof GraphQLError && batchPath(value) !== undefined

const batchPath = ({ path, originalError }: GraphQLError): Path | undefined =>
  path?.[0] === '_entities' && path.length > 1
    ? path
    : originalError instanceof GraphQLError
      ? batchPath(originalError)
      : undefined

/**
 * What may not be null and is, was taken along by an error in a field that its subgraph was asked for together with
 * it: that error is told, not what it led to.
 */
const lastWord = (): Promise<void> => setImmediate()

type Variables = GraphQLResolveInfo['variableValues']

/** An operation as stitching can read it. It asks for a field that is selected twice under the conditions of the first
 * selection, so conditions are decided before. */
const prepared = (info: GraphQLResolveInfo): GraphQLResolveInfo => ({
  ...info,
  fieldNodes: info.fieldNodes.map((node) => preparedNode(node, info.variableValues)),
  fragments: preparedFragments(info.fragments, info.variableValues),
})

const preparedNode = remembered((node: FieldNode, variables) => forStitching(node, variables))

const preparedFragments = remembered((fragments: GraphQLResolveInfo['fragments'], variables) =>
  Object.fromEntries(Object.entries(fragments).map(([name, node]) => [name, forStitching(node, variables)])),
)

const TYPENAME: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }

function forStitching<Node extends ASTNode>(root: Node, variables: Variables): Node {
  const decide = (node: SelectionNode) =>
    node === (root as ASTNode) || included(node, variables) ? undefined : null
  return visit(root, {
    Field: { enter: decide, leave: outOfTheWay },
    FragmentSpread: { enter: decide },
    InlineFragment: { enter: decide },
    Directive: { leave: (node) => (isCondition(node) ? null : undefined) },
    SelectionSet: {
      leave: (set) => (set.selections.length > 0 ? undefined : { ...set, selections: [TYPENAME] }),
    },
  })
}

/** Stitching selects `id` and `__typename` of every entity for itself: another field may not go by these names. */
function outOfTheWay(node: FieldNode): FieldNode | undefined {
  const alias = node.alias?.value
  if ((alias !== 'id' && alias !== '__typename') || alias === node.name.value) return undefined
  return { ...node, alias: { kind: Kind.NAME, value: `${alias}_for_${node.name.value}` } }
}

const isCondition = ({ name }: DirectiveNode): boolean => name.value === 'skip' || name.value === 'include'

/** A condition that has no value is left to fail where it stands. */
function included(node: SelectionNode, variables: Variables): boolean {
  try {
    const skip = getDirectiveValues(GraphQLSkipDirective, node, variables)
    const include = getDirectiveValues(GraphQLIncludeDirective, node, variables)
    return skip?.['if'] !== true && include?.['if'] !== false
  } catch {
    return true
  }
}

/** Stitching's own memory is of nodes and fragments by identity: for the same variables they stay the same. */
function remembered<Given extends object, Result>(work: (given: Given, variables: Variables) => Result) {
  const results = new WeakMap<Variables, WeakMap<Given, Result>>()
  return (given: Given, variables: Variables): Result => {
    const known = results.get(variables) ?? new WeakMap<Given, Result>()
    results.set(variables, known)
    const result = known.get(given) ?? work(given, variables)
    known.set(given, result)
    return result
  }
}

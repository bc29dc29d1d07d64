import { buildHTTPExecutor } from '@graphql-tools/executor-http'
import { getStitchedSchemaFromSupergraphSdl } from '@graphql-tools/federation'
import { type ExecutionRequest, type Executor, relocatedError } from '@graphql-tools/utils'
import {
  type ASTNode,
  type DirectiveNode,
  execute,
  type FieldNode,
  getDirectiveValues,
  GraphQLError,
  type GraphQLFieldResolver,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLScalarType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  isObjectType,
  Kind,
  responsePathAsArray,
  type SelectionNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import type { Subgraph } from '../subgraphs/define.ts'
import { CalendarDate, DateTime, Month } from '../subgraphs/scalars.ts'

/** What is sent along to a subgraph in another process, so that it knows the caller by itself. */
export interface Forwarded {
  readonly forwarded: Readonly<Record<string, string>>
}

/** Where a subgraph is: at an address, or in this process. */
export type Placement = { readonly url: string } | { readonly local: Subgraph }

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

const TIMEOUT_MS = 10_000

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

function executorOf(place: Placement): Executor {
  if ('url' in place)
    return buildHTTPExecutor({
      endpoint: place.url,
      fetch: fetchInTime,
      headers: (request) => ({ ...(request?.context as Forwarded | undefined)?.forwarded }),
    })
  return localExecutor(place.local.schema)
}

/** The executor's own `timeout` leaves a listener behind for each request. */
const fetchInTime = (url: string, options: RequestInit = {}) =>
  fetch(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) })

const localExecutor = (schema: GraphQLSchema): Executor =>
  (async ({ document, variables, context, operationName }: ExecutionRequest) =>
    execute({
      schema,
      document,
      variableValues: variables,
      contextValue: context,
      operationName,
    })) as Executor

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
    for (const field of Object.values(type.getFields()))
      if (field.resolve) field.resolve = settling(field.resolve)
}

const settling =
  (resolve: Resolver): Resolver =>
  async (source, args, context, info) =>
    settled(await resolve(source, args, context, prepared(info)), responsePathAsArray(info.path))

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

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
import type { Subgraph } from '../subgraphs/schema/build-subgraph.ts'
import { CalendarDate, DateTime, Month } from '../subgraphs/schema/scalars.ts'
import { createInterpretedExecutor } from './executor.ts'
import { chooseOperation } from './operation.ts'
import { createRemoteExecutor, type RemoteSubgraph } from './remote/remote-executor.ts'

/** Where a subgraph is: in another process, or in this one. */
export type SubgraphLocation = RemoteSubgraph | { readonly local: Subgraph }

/** A context that can be made anew, for each event of a subscription. */
export interface RenewableContext {
  fresh(): RenewableContext
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
export function createFederatedSchema(
  supergraphSdl: string,
  locations: ReadonlyMap<string, SubgraphLocation>,
): GraphQLSchema {
  const executors = new Map([...locations].map(([name, location]) => [name, executorOf(location)]))
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
  markReferenceOutcomes(schema)
  applyReferenceOutcomes(schema)
  return schema
}

const executorOf = (location: SubgraphLocation): Executor =>
  'client' in location ? createRemoteExecutor(location) : localExecutor(location.local.schema)

function localExecutor(schema: GraphQLSchema): Executor {
  const engine = createInterpretedExecutor(schema)
  return (({ document, variables, context, operationName }: ExecutionRequest) => {
    const operation = chooseOperation(document, operationName)
    if (operation instanceof GraphQLError) throw operation
    const request = { operation, variables, context }
    return operation.type === 'subscription'
      ? engine.subscribe(request, () => (context as RenewableContext).fresh())
      : engine.execute(request)
  }) as Executor
}

/** What became of a mention: its owner has no such row (null), or an error in one of its fields took the whole away. */
const REFERENCE_OUTCOME = Symbol('fate')

interface EntityReference {
  [REFERENCE_OUTCOME]?: Error | null
}

type Resolver = GraphQLFieldResolver<unknown, unknown>
type Path = readonly (string | number)[]
type MergedTypes = Readonly<
  Record<string, { readonly resolvers: Map<unknown, (...given: unknown[]) => unknown> }>
>

/** Marks mentions that come to nothing; stitching would answer with a null, or with the error, in each of the fields. */
function markReferenceOutcomes({ extensions }: GraphQLSchema): void {
  const { mergedTypes } = extensions['stitchingInfo'] as { mergedTypes: MergedTypes }
  for (const { resolvers } of Object.values(mergedTypes))
    for (const [subschema, resolve] of resolvers)
      resolvers.set(subschema, async (ref, ...given) => {
        const whole = await resolve(ref, ...given)
        if (whole === null || isOfEntity(whole)) setReferenceOutcome(ref as EntityReference, whole)
        return whole
      })
}

/** Where there is no row, nothing else is asked of it in the fused schema: that comes before any error. */
function setReferenceOutcome(ref: EntityReference, outcome: Error | null): void {
  if (ref[REFERENCE_OUTCOME] !== null)
    Object.defineProperty(ref, REFERENCE_OUTCOME, { value: outcome, configurable: true })
}

/** Makes each field answer as in the fused schema: what came to nothing is null, an error stands where it happened. */
function applyReferenceOutcomes(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType))
    for (const field of Object.values(type.getFields())) {
      if (field.resolve) field.resolve = withReferenceOutcome(field.resolve)
      if (field.subscribe) field.subscribe = withPreparedInfo(field.subscribe)
    }
}

const withReferenceOutcome =
  (resolve: Resolver): Resolver =>
  async (source, args, context, info) => {
    const value = outcomeOf(
      await resolve(source, args, context, prepareInfo(info)),
      responsePathAsArray(info.path),
    )
    if (value === null && isNonNullType(info.returnType)) await waitForPendingErrors()
    return value
  }

const withPreparedInfo =
  (subscribe: Resolver): Resolver =>
  (source, args, context, info) =>
    subscribe(source, args, context, prepareInfo(info))

function outcomeOf(value: unknown, place: Path): unknown {
  if (value instanceof Promise) return value.then((known: unknown) => outcomeOf(known, place))
  if (Array.isArray(value)) return value.map((item, at) => outcomeOf(item, [...place, at]))
  if (value instanceof GraphQLError) return isBelow(place, value) ? value : relocatedError(value, place)
  if (typeof value !== 'object' || value === null || !(REFERENCE_OUTCOME in value)) return value
  return value[REFERENCE_OUTCOME] instanceof GraphQLError
    ? belowEntity(value[REFERENCE_OUTCOME], place)
    : value[REFERENCE_OUTCOME]
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
const waitForPendingErrors = (): Promise<void> => setImmediate()

type Variables = GraphQLResolveInfo['variableValues']

/** An operation as stitching can read it. It asks for a field that is selected twice under the conditions of the first
 * selection, so conditions are decided before. */
const prepareInfo = (info: GraphQLResolveInfo): GraphQLResolveInfo => ({
  ...info,
  fieldNodes: info.fieldNodes.map((node) => prepareNode(node, info.variableValues)),
  fragments: prepareFragments(info.fragments, info.variableValues),
})

const prepareNode = memoize((node: FieldNode, variables) => prepareForStitching(node, variables))

const prepareFragments = memoize((fragments: GraphQLResolveInfo['fragments'], variables) =>
  Object.fromEntries(
    Object.entries(fragments).map(([name, node]) => [name, prepareForStitching(node, variables)]),
  ),
)

const TYPENAME: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }

function prepareForStitching<Node extends ASTNode>(root: Node, variables: Variables): Node {
  const decide = (node: SelectionNode) =>
    node === (root as ASTNode) || included(node, variables) ? undefined : null
  return visit(root, {
    Field: { enter: decide, leave: aliasReservedField },
    FragmentSpread: { enter: decide },
    InlineFragment: { enter: decide },
    Directive: { leave: (node) => (isCondition(node) ? null : undefined) },
    SelectionSet: {
      leave: (set) => (set.selections.length > 0 ? undefined : { ...set, selections: [TYPENAME] }),
    },
  })
}

/** Stitching selects `id` and `__typename` of every entity for itself: another field may not go by these names. */
function aliasReservedField(node: FieldNode): FieldNode | undefined {
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
function memoize<Given extends object, Result>(work: (given: Given, variables: Variables) => Result) {
  const results = new WeakMap<Variables, WeakMap<Given, Result>>()
  return (given: Given, variables: Variables): Result => {
    const known = results.get(variables) ?? new WeakMap<Given, Result>()
    results.set(variables, known)
    const result = known.get(given) ?? work(given, variables)
    known.set(given, result)
    return result
  }
}

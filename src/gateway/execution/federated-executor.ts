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
  type GraphQLSchema,
  GraphQLSkipDirective,
  isNonNullType,
  isObjectType,
  Kind,
  responsePathAsArray,
  type SelectionNode,
  visit,
} from 'graphql'
import type { Subgraph } from '../../subgraphs/schema/build-subgraph.ts'
import { createInterpretedExecutor, mapEvents, type OperationRequest } from './executor.ts'
import { chooseOperation } from '../operation.ts'
import { createRemoteExecutor, type RemoteSubgraph } from '../remote/remote-executor.ts'
import { validatedScalars } from './validated-scalars.ts'

/** Location of a subgraph: another process, or this one. */
export type SubgraphLocation = RemoteSubgraph | { readonly local: Subgraph }

/** Context that can create a fresh copy of itself, for each event of a subscription. */
export interface RenewableContext {
  fresh(): RenewableContext
}

/** Creates the schema of the supergraph if at least one subgraph is remote. */
export function createFederatedSchema(
  supergraphSdl: string,
  locations: ReadonlyMap<string, SubgraphLocation>,
): GraphQLSchema {
  const executors = new Map([...locations].map(([name, location]) => [name, executorOf(location)]))
  const schema = getStitchedSchemaFromSupergraphSdl({
    supergraphSdl,
    batch: true,
    onStitchingOptions: (options) => Object.assign(options, { resolvers: validatedScalars }),
    onSubschemaConfig(config) {
      const executor = executors.get(config.name.toLowerCase())
      if (!executor) throw new Error(`subgraph ${config.name} has no location`)
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
  const executor = createInterpretedExecutor(schema)
  const subscribe = async (request: OperationRequest) => {
    const events = await executor.source(request)
    if (!(Symbol.asyncIterator in events)) return events
    // Each event gets a context of its own, because the loaders of an earlier event would return stale rows.
    const freshContext = () => (request.context as RenewableContext).fresh()
    return mapEvents(events, (rootValue) =>
      executor.execute({ ...request, rootValue, context: freshContext() }),
    )
  }
  return (({ document, variables, context, operationName }: ExecutionRequest) => {
    const operation = chooseOperation(document, operationName)
    if (operation instanceof GraphQLError) throw operation
    const request = { operation, variables, context }
    return operation.type === 'subscription' ? subscribe(request) : executor.execute(request)
  }) as Executor
}

/**
 * Outcome of an entity reference that did not resolve. Null: the owner has no such row. Error: an error in
 * one of its fields nulled the entity.
 */
const REFERENCE_OUTCOME = Symbol('referenceOutcome')

interface EntityReference {
  [REFERENCE_OUTCOME]?: Error | null
}

type Resolver = GraphQLFieldResolver<unknown, unknown>
type Path = readonly (string | number)[]
type MergedTypes = Readonly<
  Record<string, { readonly resolvers: Map<unknown, (...args: unknown[]) => unknown> }>
>

/**
 * Marks entity references that did not resolve. Without the mark, stitching would return null or the error for each
 * field of the entity, instead of once for the entity.
 */
function markReferenceOutcomes({ extensions }: GraphQLSchema): void {
  const { mergedTypes } = extensions['stitchingInfo'] as { mergedTypes: MergedTypes }
  for (const { resolvers } of Object.values(mergedTypes))
    for (const [subschema, resolve] of resolvers)
      resolvers.set(subschema, async (ref, ...args) => {
        const entity = await resolve(ref, ...args)
        if (entity === null || isEntityError(entity)) setReferenceOutcome(ref as EntityReference, entity)
        return entity
      })
}

/**
 * Sets the outcome of a reference. An error never replaces null. In the in-process schema, an entity without a row is
 * null, and no field of it can fail.
 */
function setReferenceOutcome(ref: EntityReference, outcome: Error | null): void {
  if (ref[REFERENCE_OUTCOME] !== null)
    Object.defineProperty(ref, REFERENCE_OUTCOME, { value: outcome, configurable: true })
}

/**
 * Makes each field answer as in the in-process schema. A reference that did not resolve becomes null, and an
 * error is reported at the path where it happened.
 */
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

function outcomeOf(value: unknown, fieldPath: Path): unknown {
  if (value instanceof Promise) return value.then((resolved: unknown) => outcomeOf(resolved, fieldPath))
  if (Array.isArray(value)) return value.map((item, index) => outcomeOf(item, [...fieldPath, index]))
  if (value instanceof GraphQLError) return isUnder(fieldPath, value) ? value : errorBelow(value, fieldPath)
  if (typeof value !== 'object' || value === null || !(REFERENCE_OUTCOME in value)) return value
  return value[REFERENCE_OUTCOME] instanceof GraphQLError
    ? errorUnder(value[REFERENCE_OUTCOME], fieldPath)
    : value[REFERENCE_OUTCOME]
}

const isUnder = (fieldPath: Path, { path }: GraphQLError): boolean =>
  fieldPath.every((key, index) => path?.[index] === key)

/**
 * Moves an error of an entity to the path of the field that returns the entity. Entities are fetched in batches. The
 * path of the error therefore begins with `_entities` and the index in the batch, which are cut off.
 */
const errorUnder = (error: GraphQLError, fieldPath: Path): GraphQLError =>
  relocatedError(error, [...fieldPath, ...(batchPath(error)?.slice(2) ?? [])])

/**
 * Moves an error that made a field of an entity null to the path of the field, and of the field below it that failed.
 * The path of the error in its batch begins with fields that the path of the field ends with.
 */
function errorBelow(error: GraphQLError, fieldPath: Path): GraphQLError {
  const entityPath = batchPath(error)?.slice(2) ?? []
  const endsWithFirst = (count: number) =>
    entityPath.slice(0, count).every((key, index) => fieldPath.at(index - count) === key)
  const shared = entityPath.map((_, index) => index + 1).findLast(endsWithFirst)
  return relocatedError(error, [...fieldPath, ...(shared === undefined ? [] : entityPath.slice(shared))])
}

/**
 * Whether an error belongs to one entity of a batch. Any other error belongs to the whole subgraph request,
 * and must not null the fields of other subgraphs.
 */
const isEntityError = (value: unknown): value is GraphQLError =>
  value instanceof GraphQLError && batchPath(value) !== undefined

const batchPath = ({ path, originalError }: GraphQLError): Path | undefined =>
  path?.[0] === '_entities' && path.length > 1
    ? path
    : originalError instanceof GraphQLError
      ? batchPath(originalError)
      : undefined

/**
 * Waits until pending errors are reported. A non-null field is null only because another field of the same
 * subgraph request failed. graphql-js must get that error before the null that follows from it.
 */
const waitForPendingErrors = (): Promise<void> => setImmediate()

type Variables = GraphQLResolveInfo['variableValues']

/**
 * Prepares the resolve info for stitching. If a field is selected twice, stitching requests it under the conditions
 * of its first selection only. Conditions are therefore evaluated and removed here.
 */
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
  const dropExcluded = (node: SelectionNode) =>
    node === (root as ASTNode) || isIncluded(node, variables) ? undefined : null
  return visit(root, {
    Field: { enter: dropExcluded, leave: aliasReservedField },
    FragmentSpread: { enter: dropExcluded },
    InlineFragment: { enter: dropExcluded },
    Directive: { leave: (node) => (isCondition(node) ? null : undefined) },
    SelectionSet: {
      leave: (set) => (set.selections.length > 0 ? undefined : { ...set, selections: [TYPENAME] }),
    },
  })
}

/**
 * Gives a field with the alias `id` or `__typename` another alias: stitching selects these two names of every
 * entity itself.
 */
function aliasReservedField(node: FieldNode): FieldNode | undefined {
  const alias = node.alias?.value
  if ((alias !== 'id' && alias !== '__typename') || alias === node.name.value) return undefined
  return { ...node, alias: { kind: Kind.NAME, value: `${alias}_for_${node.name.value}` } }
}

const isCondition = ({ name }: DirectiveNode): boolean => name.value === 'skip' || name.value === 'include'

/**
 * Whether the conditions of a selection include it. A condition whose variable has no value includes it. graphql-js
 * then reports the missing value.
 */
function isIncluded(node: SelectionNode, variables: Variables): boolean {
  try {
    const skip = getDirectiveValues(GraphQLSkipDirective, node, variables)
    const include = getDirectiveValues(GraphQLIncludeDirective, node, variables)
    return skip?.['if'] !== true && include?.['if'] !== false
  } catch {
    return true
  }
}

/**
 * Memoizes by variables and node. Stitching caches by the identity of nodes and fragments, which must
 * therefore stay the same for the same variables.
 */
function memoize<Key extends object, Result>(compute: (key: Key, variables: Variables) => Result) {
  const results = new WeakMap<Variables, WeakMap<Key, Result>>()
  return (key: Key, variables: Variables): Result => {
    const cached = results.get(variables) ?? new WeakMap<Key, Result>()
    results.set(variables, cached)
    const result = cached.get(key) ?? compute(key, variables)
    cached.set(key, result)
    return result
  }
}

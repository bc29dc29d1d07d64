import {
  createSourceEventStream,
  type DirectiveNode,
  type DocumentNode,
  execute,
  type ExecutionResult,
  type GraphQLSchema,
  isInputObjectType,
  Kind,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import type { Operation, OperationWithVariables } from '../operation.ts'

/** Validated operation with the context of its caller. */
export interface OperationRequest extends OperationWithVariables {
  readonly context: unknown
  readonly rootValue?: unknown
}

/** Runs operations over the supergraph; its subgraphs may be local or remote. */
export interface Executor {
  readonly schema: GraphQLSchema
  execute(request: OperationRequest): ExecutionResult | Promise<ExecutionResult>
  /**
   * Returns the source events of a subscription, or an error result. `execute` with an event as `rootValue` then
   * returns the result for that event.
   */
  source(request: OperationRequest): Promise<AsyncIterable<unknown> | ExecutionResult>
}

/** Returns an executor that runs any executable schema on graphql-js. */
export function createInterpretedExecutor(schema: GraphQLSchema): Executor {
  const run = ({ operation, variables, context, rootValue }: OperationRequest) =>
    execute({
      schema,
      document: operation.document,
      variableValues: variables ?? null,
      contextValue: context,
      rootValue,
    })
  return { schema, execute: run, source: sourceOf(schema) }
}

type CompiledRun = (
  rootValue: unknown,
  context: unknown,
  variables: object,
) => ExecutionResult | Promise<ExecutionResult>

/** Use at which an operation is compiled. Compiling for a single use would cost as much as several runs. */
const COMPILED_FROM_USE = 2

/**
 * Returns an executor that runs the in-process schema on graphql-jit. graphql-js runs what graphql-jit
 * cannot compile.
 */
export function createCompiledExecutor(schema: GraphQLSchema): Executor {
  const interpreted = createInterpretedExecutor(schema)
  const compiledRunOf = compiledRuns(schema)
  const run = async (request: OperationRequest): Promise<ExecutionResult> => {
    const compiledRun = compiledRunOf(request.operation)
    if (!compiledRun) return interpreted.execute(request)
    const result = await compiledRun(request.rootValue, request.context, request.variables ?? {})
    // A result without `data` means that nothing ran: the variables are invalid. graphql-js reports that
    // with the same text in every executor.
    return 'data' in result ? result : interpreted.execute(request)
  }
  return { schema, execute: run, source: interpreted.source }
}

function compiledRuns(schema: GraphQLSchema) {
  const entries = new WeakMap<Operation, { uses: number; run: CompiledRun | null }>()
  return (operation: Operation): CompiledRun | null => {
    const entry = entries.get(operation) ?? { uses: 0, run: null }
    entries.set(operation, entry)
    entry.uses += 1
    if (entry.uses === COMPILED_FROM_USE) entry.run = compile(schema, operation)
    return entry.run
  }
}

function compile(schema: GraphQLSchema, { document }: Operation): CompiledRun | null {
  if (!isCompilable(document, schema)) return null
  const compiled = compileQuery(schema, document)
  return isCompiledQuery(compiled) ? compiled.query : null
}

/**
 * Whether graphql-jit gives the same result as graphql-js. It does not in these cases:
 * - An operation has conditions, and it spreads a fragment or selects an object twice. graphql-jit stores
 *   `@skip` and `@include` with the field of the document. If that field occurs at several paths of the result,
 *   or a path has several fields, the conditions mix.
 * - An alias contains `_`. graphql-jit identifies a path by its response names joined with `_`, so two paths can
 *   look equal.
 * - A condition has a nullable variable. For null, graphql-js reports an error and graphql-jit omits the field.
 * - An argument is an input object. For an absent variable in it, graphql-jit passes null instead of nothing. It never
 *   finishes to compile a variable whose type contains itself.
 * Mutations are excluded too: they gain nothing, and must never run twice.
 */
function isCompilable(document: DocumentNode, schema: GraphQLSchema): boolean {
  const features = {
    writes: false,
    conditions: false,
    nullableCondition: false,
    spreads: false,
    repeats: false,
    underscores: false,
    inputObjects: false,
  }
  const nullable = new Set<string>()
  visit(document, {
    OperationDefinition: ({ operation }) =>
      void (features.writes ||= operation === OperationTypeNode.MUTATION),
    VariableDefinition({ variable, type }) {
      if (type.kind !== Kind.NON_NULL_TYPE) nullable.add(variable.name.value)
    },
    NamedType: ({ name }) => void (features.inputObjects ||= isInputObjectType(schema.getType(name.value))),
    ObjectValue: () => void (features.inputObjects = true),
    Directive(directive) {
      features.conditions ||= isCondition(directive)
      features.nullableCondition ||=
        isCondition(directive) && variablesIn(directive).some((name) => nullable.has(name))
    },
    FragmentSpread: () => void (features.spreads = true),
    SelectionSet: (set) => void (features.repeats ||= selectsObjectTwice(set)),
    Field: ({ alias }) => void (features.underscores ||= alias?.value.includes('_') ?? false),
  })
  if (features.writes || features.underscores || features.nullableCondition || features.inputObjects)
    return false
  return !features.conditions || !(features.spreads || features.repeats)
}

const isCondition = ({ name }: DirectiveNode): boolean => name.value === 'skip' || name.value === 'include'

const variablesIn = ({ arguments: args = [] }: DirectiveNode): string[] =>
  args.flatMap(({ value }) => (value.kind === Kind.VARIABLE ? [value.name.value] : []))

/** Whether two selections of a set, also in inline fragments, select the same object field. */
function selectsObjectTwice(set: SelectionSetNode): boolean {
  const keys = set.selections.flatMap(objectFieldKeys)
  return new Set(keys).size < keys.length
}

/** Returns the response names of the object fields in a selection, also in inline fragments. */
function objectFieldKeys(selection: SelectionNode): string[] {
  if (selection.kind === Kind.INLINE_FRAGMENT)
    return selection.selectionSet.selections.flatMap(objectFieldKeys)
  return selection.kind === Kind.FIELD && selection.selectionSet
    ? [(selection.alias ?? selection.name).value]
    : []
}

const sourceOf =
  (schema: GraphQLSchema): Executor['source'] =>
  ({ operation, variables, context }) =>
    createSourceEventStream({
      schema,
      document: operation.document,
      variableValues: variables ?? null,
      contextValue: context,
    })

/** Maps the events in order. `return` ends the source at once, even while the source waits for an event. */
export function mapEvents<Event, Result>(
  events: AsyncIterable<Event>,
  map: (event: Event) => Result | Promise<Result>,
): AsyncIterableIterator<Result> {
  const source = events[Symbol.asyncIterator]()
  const end = async () => {
    await source.return?.()
    return { done: true as const, value: undefined }
  }
  return {
    async next() {
      const { done, value } = await source.next()
      return done ? { done, value: undefined } : { done: false, value: await map(value) }
    },
    return: end,
    async throw(error) {
      await end()
      throw error
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

import {
  createSourceEventStream,
  type DirectiveNode,
  type DocumentNode,
  execute,
  type ExecutionResult,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import type { Operation, OperationWithVariables } from './operation.ts'

/** A valid operation with the context of its caller. */
export interface OperationRequest extends OperationWithVariables {
  readonly context: unknown
  readonly rootValue?: unknown
}

/** Runs operations over the supergraph, wherever its subgraphs are. */
export interface Executor {
  readonly schema: GraphQLSchema
  execute(request: OperationRequest): ExecutionResult | Promise<ExecutionResult>
  /** The events of a subscription, each of which is answered by executing it with the event as its root value. */
  source(request: OperationRequest): Promise<AsyncIterable<unknown> | ExecutionResult>
  /** Each event is answered with a context of its own: loaders that outlived one would serve what was. */
  subscribe(
    request: OperationRequest,
    freshContext: () => unknown,
  ): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult>
}

/** graphql-js over any executable schema. */
export function createInterpretedExecutor(schema: GraphQLSchema): Executor {
  const run = ({ operation, variables, context, rootValue }: OperationRequest) =>
    execute({
      schema,
      document: operation.document,
      variableValues: variables ?? null,
      contextValue: context,
      rootValue,
    })
  return { schema, execute: run, ...subscribing(schema, run) }
}

type CompiledRun = (
  rootValue: unknown,
  context: unknown,
  variables: object,
) => ExecutionResult | Promise<ExecutionResult>

/** Compiling costs as much as some runs do, so an operation is compiled when it comes again. */
const COMPILED_FROM_USE = 2

/** graphql-jit over the fused schema; what it cannot compile runs on graphql-js. */
export function createCompiledExecutor(schema: GraphQLSchema): Executor {
  const interpreted = createInterpretedExecutor(schema)
  const compiled = compiledRuns(schema)
  const run = async (request: OperationRequest): Promise<ExecutionResult> => {
    const jit = compiled(request.operation)
    if (!jit) return interpreted.execute(request)
    const result = await jit(request.rootValue, request.context, request.variables ?? {})
    // Without data nothing has run: the variables did not fit, and graphql-js words that for all engines alike.
    return 'data' in result ? result : interpreted.execute(request)
  }
  return { schema, execute: run, ...subscribing(schema, run) }
}

function compiledRuns(schema: GraphQLSchema) {
  const known = new WeakMap<Operation, { uses: number; run: CompiledRun | null }>()
  return (operation: Operation): CompiledRun | null => {
    const entry = known.get(operation) ?? { uses: 0, run: null }
    known.set(operation, entry)
    entry.uses += 1
    if (entry.uses === COMPILED_FROM_USE) entry.run = compile(schema, operation)
    return entry.run
  }
}

function compile(schema: GraphQLSchema, { document }: Operation): CompiledRun | null {
  if (!isCompilable(document)) return null
  const compiled = compileQuery(schema, document)
  return isCompiledQuery(compiled) ? compiled.query : null
}

/**
 * Whether graphql-jit answers a document like graphql-js. It keeps conditions (`@skip`, `@include`) with the fields
 * of the document and not with the places where they are selected, so it goes wrong where one field stands in
 * several places or one place is selected several times. And it knows a place by its names joined with `_`. A
 * mutation gains nothing by it, and must never be run for a second time.
 */
function isCompilable(document: DocumentNode): boolean {
  const found = {
    writes: false,
    conditions: false,
    nullableCondition: false,
    spreads: false,
    repeats: false,
    underscores: false,
  }
  const nullable = new Set<string>()
  visit(document, {
    OperationDefinition: ({ operation }) => void (found.writes ||= operation === OperationTypeNode.MUTATION),
    VariableDefinition({ variable, type }) {
      if (type.kind !== Kind.NON_NULL_TYPE) nullable.add(variable.name.value)
    },
    Directive(directive) {
      found.conditions ||= isCondition(directive)
      found.nullableCondition ||=
        isCondition(directive) && variablesIn(directive).some((name) => nullable.has(name))
    },
    FragmentSpread: () => void (found.spreads = true),
    SelectionSet: (set) => void (found.repeats ||= repeatsAnObject(set)),
    Field: ({ alias }) => void (found.underscores ||= alias?.value.includes('_') ?? false),
  })
  if (found.writes || found.underscores || found.nullableCondition) return false
  return !found.conditions || !(found.spreads || found.repeats)
}

const isCondition = ({ name }: DirectiveNode): boolean => name.value === 'skip' || name.value === 'include'

const variablesIn = ({ arguments: given = [] }: DirectiveNode): string[] =>
  given.flatMap(({ value }) => (value.kind === Kind.VARIABLE ? [value.name.value] : []))

/** Whether two selections of a set, also through inline fragments, ask for fields of the same object. */
function repeatsAnObject(set: SelectionSetNode): boolean {
  const keys = set.selections.flatMap(objectKeys)
  return new Set(keys).size < keys.length
}

function objectKeys(selection: SelectionNode): string[] {
  if (selection.kind === Kind.INLINE_FRAGMENT) return selection.selectionSet.selections.flatMap(objectKeys)
  return selection.kind === Kind.FIELD && selection.selectionSet
    ? [(selection.alias ?? selection.name).value]
    : []
}

function subscribing(
  schema: GraphQLSchema,
  run: Executor['execute'],
): Pick<Executor, 'source' | 'subscribe'> {
  const source: Executor['source'] = ({ operation, variables, context }) =>
    createSourceEventStream({
      schema,
      document: operation.document,
      variableValues: variables ?? null,
      contextValue: context,
    })
  return {
    source,
    async subscribe(request, freshContext) {
      const events = await source(request)
      if (!(Symbol.asyncIterator in events)) return events
      return mapEvents(events, (rootValue) => run({ ...request, rootValue, context: freshContext() }))
    },
  }
}

/** Answers each event in turn; leaving ends the source at once, also while it waits for one. */
export function mapEvents<Event, Answer>(
  events: AsyncIterable<Event>,
  answer: (event: Event) => Answer | Promise<Answer>,
): AsyncIterableIterator<Answer> {
  const source = events[Symbol.asyncIterator]()
  const end = async () => {
    await source.return?.()
    return { done: true as const, value: undefined }
  }
  return {
    async next() {
      const { done, value } = await source.next()
      return done ? { done, value: undefined } : { done: false, value: await answer(value) }
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

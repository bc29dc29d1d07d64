import {
  type DocumentNode,
  type ExecutionResult,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql'
import type { Authenticate, Caller, Credentials } from '../auth/caller.ts'
import type { Logger } from '../log.ts'
import { note, type Scope } from '../scope.ts'
import type { Subgraph } from '../subgraphs/define.ts'
import { operations, type OperationWork } from '../watched.ts'
import { publicAnswer, publicError } from './answer.ts'
import { compose, type ComposedSubgraph, type Supergraph } from './compose.ts'
import type { ContextFor } from './context.ts'
import { compiledEngine, type Engine, interpretedEngine, mapped, type OperationRequest } from './engine.ts'
import { federate, type Placement } from './federate.ts'
import { fuse } from './fuse.ts'
import { localOperations } from './local-operations.ts'
import type { RemotePlace } from './remote/executor.ts'
import { checkSchemaRules } from './rules.ts'
import { refuseBeyondSession } from './session-access.ts'
import { subgraphs } from './subgraphs.ts'

/** An operation of ours, parsed and checked when the service starts. */
export type PreparedOperation = (
  caller: Caller,
  credentials: Credentials,
  variables: Readonly<Record<string, unknown>>,
  scope?: Scope,
) => Promise<ExecutionResult>

/** The one door to the graph, for GraphQL over HTTP and websockets and for REST alike. */
export interface Gateway {
  readonly supergraph: Supergraph
  readonly authenticate: Authenticate
  readonly contextFor: ContextFor
  execute(request: OperationRequest): Promise<ExecutionResult>
  subscribe: Engine['subscribe']
  prepare(operation: string): PreparedOperation
}

interface GatewayOptions {
  readonly authenticate: Authenticate
  readonly contextFor: ContextFor
  readonly log: Logger
  /** Subgraphs in other processes, by name: ours and an operator's own. */
  readonly remote?: ReadonlyMap<string, RemotePlace>
  /** What an operator's own subgraphs add to ours. */
  readonly foreign?: readonly ComposedSubgraph[]
}

export function createGateway(options: GatewayOptions): Gateway {
  const { authenticate, contextFor, log, remote = new Map(), foreign = [] } = options
  checkSchemaRules(subgraphs)
  const supergraph = compose([...subgraphs, ...foreign])
  const engine = engineOf(supergraph, remote, foreign)
  const execute = (request: OperationRequest, ours = false): Promise<ExecutionResult> => {
    const work = workOf(request, ours, engine.kindFor(request))
    const { scope } = request.context as Scoped
    note(scope, { operation: work.name ?? 'anonymous' })
    return operations.run(work, async () => {
      const answer = publicAnswer(refusalOf(request) ?? (await engine.execute(request)), log, scope)
      if (answer.errors) work.codes = answer.errors.map(({ extensions }) => String(extensions['code']))
      return answer
    })
  }
  return {
    supergraph,
    authenticate,
    contextFor,
    execute: (request) => execute(request),
    async subscribe(request, freshContext) {
      const { scope } = request.context as Scoped
      note(scope, { operation: nameOf(request) ?? 'anonymous' })
      const answers = refusalOf(request) ?? (await engine.subscribe(request, freshContext))
      return Symbol.asyncIterator in answers
        ? mapped(toldOf(answers, log, scope), (answer) => publicAnswer(answer, log, scope))
        : publicAnswer(answers, log, scope)
    },
    prepare(operation) {
      const document = checked(operation, supergraph.apiSchema)
      return (caller, credentials, variables, scope) =>
        execute({ document, variables, context: contextFor(caller, credentials, scope) }, true)
    },
  }
}

/** Fused, where every subgraph is here. Else each operation is: one that only asks subgraphs of this process is fused. */
function engineOf(
  supergraph: Supergraph,
  remote: ReadonlyMap<string, RemotePlace>,
  foreign: readonly ComposedSubgraph[],
): Engine & { kindFor(request: OperationRequest): OperationWork['engine'] } {
  if (remote.size === 0) return { ...fusedEngine(supergraph), kindFor: () => 'fused' }
  const fused = fusedEngine(foreign.length === 0 ? supergraph : compose(subgraphs))
  const federated = federatedEngine(supergraph, remote)
  const isLocal = localOperations(supergraph.apiSchema, subgraphs, new Set(remote.keys()))
  const engineFor = ({ document }: OperationRequest) => (isLocal(document) ? fused : federated)
  return {
    schema: federated.schema,
    kindFor: ({ document }) => (isLocal(document) ? 'fused' : 'federated'),
    execute: (request) => engineFor(request).execute(request),
    subscribe: (request, freshContext) => engineFor(request).subscribe(request, freshContext),
  }
}

/** Any context of ours. */
interface Scoped {
  readonly scope?: Scope
  readonly caller?: Caller
}

/** What a session is answered that asks for more than it was given. */
function refusalOf(request: OperationRequest): ExecutionResult | null {
  const { caller } = request.context as Scoped
  try {
    if (caller) refuseBeyondSession(caller, request)
    return null
  } catch (error) {
    return { data: null, errors: [asGraphql(error as Error)] }
  }
}

/** Names are callers' own words, of any length. */
const LONGEST_NAME = 100

const nameOf = ({ document, operationName }: OperationRequest): string | null =>
  getOperationAST(document, operationName)?.name?.value.slice(0, LONGEST_NAME) ?? null

function workOf(request: OperationRequest, ours: boolean, engine: OperationWork['engine']): OperationWork {
  const type = getOperationAST(request.document, request.operationName)?.operation ?? 'query'
  return { name: nameOf(request), ours, type, engine, codes: [] }
}

export const fusedEngine = ({ apiSchema }: Supergraph, parts: readonly Subgraph[] = subgraphs): Engine =>
  compiledEngine(fuse(apiSchema, parts))

export function federatedEngine({ sdl }: Supergraph, remote: ReadonlyMap<string, RemotePlace>): Engine {
  const local = subgraphs.map((subgraph): [string, Placement] => [subgraph.name, { local: subgraph }])
  return interpretedEngine(federate(sdl, new Map([...local, ...remote])))
}

/** What ends a subscription from within is told like any error. */
function toldOf(
  answers: AsyncIterableIterator<ExecutionResult>,
  log: Logger,
  scope: Scope | undefined,
): AsyncIterableIterator<ExecutionResult> {
  return {
    next: () =>
      answers.next().catch((error: Error) => {
        throw publicError(error instanceof GraphQLError ? error : asGraphql(error), log, scope)
      }),
    return: () => answers.return?.() ?? Promise.resolve({ done: true, value: undefined }),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const asGraphql = (originalError: Error) => new GraphQLError(originalError.message, { originalError })

function checked(operation: string, schema: GraphQLSchema): DocumentNode {
  const document = parse(operation, { noLocation: true })
  const errors = validate(schema, document)
  if (errors.length > 0)
    throw new Error(`an operation does not fit the schema: ${errors.join('; ')}\n${operation}`)
  return document
}

import {
  type DocumentNode,
  type ExecutionResult,
  getOperationAST,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql'
import type { Authenticate, Caller, Credentials } from '../auth/caller.ts'
import type { Logger } from '../log.ts'
import { note, type Scope } from '../scope.ts'
import type { Subgraph } from '../subgraphs/define.ts'
import { operations, type OperationWork } from '../watched.ts'
import { publicAnswer } from './answer.ts'
import { compose, type ComposedSubgraph, type Supergraph } from './compose.ts'
import type { ContextFor } from './context.ts'
import { compiledEngine, type Engine, interpretedEngine, type OperationRequest } from './engine.ts'
import { federate, type Placement } from './federate.ts'
import { type Follow, following, nameOf } from './follow.ts'
import { fuse } from './fuse.ts'
import { localOperations } from './local-operations.ts'
import type { RemotePlace } from './remote/executor.ts'
import { checkSchemaRules } from './rules.ts'
import { type Refusals, refusalsOver } from './refusals.ts'
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
  /** Begins a subscription. */
  follow: Follow
  prepare(operation: string): PreparedOperation
  /** The scopes of a key that an operation takes. */
  readonly scopesOf: Refusals['scopesOf']
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
  const refusals = refusalsOver(supergraph.apiSchema)
  const execute = (request: OperationRequest, ours = false): Promise<ExecutionResult> => {
    const work = workOf(request, ours, engine.kindFor(request))
    const { scope } = request.context as Scoped
    note(scope, { operation: work.name ?? 'anonymous' })
    return operations.run(work, async () => {
      const answer = publicAnswer(refusalOf(refusals, request) ?? (await engine.execute(request)), log, scope)
      if (answer.errors) work.codes = answer.errors.map(({ extensions }) => String(extensions['code']))
      return answer
    })
  }
  return {
    supergraph,
    authenticate,
    contextFor,
    execute: (request) => execute(request),
    follow: following({ engine, contextFor, refusals, log }),
    scopesOf: refusals.scopesOf,
    prepare(operation) {
      const document = checked(operation, supergraph.apiSchema)
      return (caller, credentials, variables, scope) =>
        execute({ document, variables, context: contextFor(caller, credentials, scope) }, true)
    },
  }
}

interface ChosenEngine extends Engine {
  kindFor(request: Pick<OperationRequest, 'document'>): OperationWork['engine']
}

/** Fused, where every subgraph is here. Else each operation is: one that only asks subgraphs of this process is fused. */
function engineOf(
  supergraph: Supergraph,
  remote: ReadonlyMap<string, RemotePlace>,
  foreign: readonly ComposedSubgraph[],
): ChosenEngine {
  if (remote.size === 0) return { ...fusedEngine(supergraph), kindFor: () => 'fused' }
  const fused = fusedEngine(foreign.length === 0 ? supergraph : compose(subgraphs))
  const federated = federatedEngine(supergraph, remote)
  const isLocal = localOperations(supergraph.apiSchema, subgraphs, new Set(remote.keys()))
  const engineFor = ({ document }: OperationRequest) => (isLocal(document) ? fused : federated)
  return {
    schema: federated.schema,
    kindFor: ({ document }) => (isLocal(document) ? 'fused' : 'federated'),
    execute: (request) => engineFor(request).execute(request),
    source: (request) => engineFor(request).source(request),
    subscribe: (request, freshContext) => engineFor(request).subscribe(request, freshContext),
  }
}

/** Any context of ours. */
interface Scoped {
  readonly scope?: Scope
  readonly caller?: Caller
}

/** What whoever asks for more than it was given is answered. */
function refusalOf(refusals: Refusals, request: OperationRequest): ExecutionResult | null {
  const { caller } = request.context as Scoped
  return caller ? refusals.answer(caller, request) : null
}

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

function checked(operation: string, schema: GraphQLSchema): DocumentNode {
  const document = parse(operation, { noLocation: true })
  const errors = validate(schema, document)
  if (errors.length > 0)
    throw new Error(`an operation does not fit the schema: ${errors.join('; ')}\n${operation}`)
  return document
}

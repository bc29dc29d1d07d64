import { type ExecutionResult, type GraphQLSchema, validate } from 'graphql'
import type { Authenticate, Caller, Credentials } from '../auth/caller.ts'
import type { KeyScope } from '../auth/key-scopes.ts'
import type { Logger } from '../platform/logging/log.ts'
import { addLogFields, type LogContext } from '../platform/logging/log-context.ts'
import type { Subgraph } from '../subgraphs/schema/build-subgraph.ts'
import { operations, type OperationWork } from '../platform/instrumentation.ts'
import { maskErrors } from './error-masking.ts'
import { compose, type ComposedSubgraph, type Supergraph } from './compose.ts'
import type { ContextFor } from './context.ts'
import {
  createCompiledExecutor,
  type Executor,
  createInterpretedExecutor,
  type OperationRequest,
} from './executor.ts'
import { createFederatedSchema, type SubgraphLocation } from './federated-executor.ts'
import { type Subscribe, createSubscribe } from './subscriptions.ts'
import { createInProcessSchema } from './in-process-schema.ts'
import { type Operation, soleOperation } from './operation.ts'
import { createOperationRouter } from './operation-router.ts'
import type { RemoteSubgraph } from './remote/remote-executor.ts'
import { assertSchemaInvariants } from './schema-invariants.ts'
import { type Authorizer, createAuthorizer } from './authorization/scope-authorization.ts'
import { subgraphs } from './subgraphs.ts'

/** An operation of ours, parsed and checked when the service starts. */
export type PreparedOperation = (
  caller: Caller,
  credentials: Credentials,
  variables: Readonly<Record<string, unknown>>,
  logContext?: LogContext,
) => Promise<ExecutionResult>

/** The one door to the graph, for GraphQL over HTTP and websockets and for REST alike. */
export interface Gateway {
  readonly supergraph: Supergraph
  readonly authenticate: Authenticate
  readonly contextFor: ContextFor
  execute(request: OperationRequest): Promise<ExecutionResult>
  /** Begins a subscription. */
  subscribe: Subscribe
  prepare(operation: string): PreparedOperation
  /** The scopes of a key that an operation takes. */
  scopesOf(operation: string, variables: Readonly<Record<string, unknown>>): readonly KeyScope[]
}

interface GatewayOptions {
  readonly authenticate: Authenticate
  readonly contextFor: ContextFor
  readonly log: Logger
  /** Subgraphs in other processes, by name: ours and an operator's own. */
  readonly remote?: ReadonlyMap<string, RemoteSubgraph>
  /** What an operator's own subgraphs add to ours. */
  readonly foreign?: readonly ComposedSubgraph[]
}

export function createGateway(options: GatewayOptions): Gateway {
  const { authenticate, contextFor, log, remote = new Map(), foreign = [] } = options
  assertSchemaInvariants(subgraphs)
  const supergraph = compose([...subgraphs, ...foreign])
  const executor = chooseExecutor(supergraph, remote, foreign)
  const authorizer = createAuthorizer(supergraph.apiSchema)
  const execute = (request: OperationRequest, ours = false): Promise<ExecutionResult> => {
    const work = workOf(request, ours, executor.executorKindOf(request))
    const { logContext } = request.context as ContextWithLog
    addLogFields(logContext, { operation: work.name ?? 'anonymous' })
    return operations.run(work, async () => {
      const answer = maskErrors(
        errorResultOf(authorizer, request) ?? (await executor.execute(request)),
        log,
        logContext,
      )
      if (answer.errors) work.codes = answer.errors.map(({ extensions }) => String(extensions['code']))
      return answer
    })
  }
  return {
    supergraph,
    authenticate,
    contextFor,
    execute: (request) => execute(request),
    subscribe: createSubscribe({ executor, contextFor, authorizer, log }),
    scopesOf: (text, variables) =>
      authorizer.scopesOf({ operation: checked(text, supergraph.apiSchema), variables }),
    prepare(text) {
      const operation = checked(text, supergraph.apiSchema)
      return (caller, credentials, variables, logContext) =>
        execute({ operation, variables, context: contextFor(caller, credentials, logContext) }, true)
    },
  }
}

interface ChosenExecutor extends Executor {
  executorKindOf(request: Pick<OperationRequest, 'operation'>): OperationWork['engine']
}

/** Fused, where every subgraph is here. Else each operation is: one that only asks subgraphs of this process is fused. */
function chooseExecutor(
  supergraph: Supergraph,
  remote: ReadonlyMap<string, RemoteSubgraph>,
  foreign: readonly ComposedSubgraph[],
): ChosenExecutor {
  if (remote.size === 0) return { ...createInProcessExecutor(supergraph), executorKindOf: () => 'fused' }
  const fused = createInProcessExecutor(foreign.length === 0 ? supergraph : compose(subgraphs))
  const federated = createFederatedExecutor(supergraph, remote)
  const isLocal = createOperationRouter(supergraph.apiSchema, subgraphs, new Set(remote.keys()))
  const engineFor = ({ operation }: OperationRequest) => (isLocal(operation) ? fused : federated)
  return {
    schema: federated.schema,
    executorKindOf: ({ operation }) => (isLocal(operation) ? 'fused' : 'federated'),
    execute: (request) => engineFor(request).execute(request),
    source: (request) => engineFor(request).source(request),
    subscribe: (request, freshContext) => engineFor(request).subscribe(request, freshContext),
  }
}

/** Any context of ours. */
interface ContextWithLog {
  readonly logContext?: LogContext
  readonly caller?: Caller
}

/** What whoever asks for more than it was given is answered. */
function errorResultOf(authorizer: Authorizer, request: OperationRequest): ExecutionResult | null {
  const { caller } = request.context as ContextWithLog
  return caller ? authorizer.denialOf(caller, request) : null
}

function workOf(
  { operation: { shortName, type } }: OperationRequest,
  isRestOperation: boolean,
  engine: OperationWork['engine'],
): OperationWork {
  return { name: shortName, isRestOperation, type, engine, codes: [] }
}

export const createInProcessExecutor = (
  { apiSchema }: Supergraph,
  parts: readonly Subgraph[] = subgraphs,
): Executor => createCompiledExecutor(createInProcessSchema(apiSchema, parts))

export function createFederatedExecutor(
  { sdl }: Supergraph,
  remote: ReadonlyMap<string, RemoteSubgraph>,
): Executor {
  const local = subgraphs.map((subgraph): [string, SubgraphLocation] => [subgraph.name, { local: subgraph }])
  return createInterpretedExecutor(createFederatedSchema(sdl, new Map([...local, ...remote])))
}

function checked(text: string, schema: GraphQLSchema): Operation {
  const operation = soleOperation(text)
  const errors = validate(schema, operation.document)
  if (errors.length > 0)
    throw new Error(`an operation does not fit the schema: ${errors.join('; ')}\n${text}`)
  return operation
}

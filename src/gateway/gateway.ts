import { type ExecutionResult, type GraphQLSchema, validate } from 'graphql'
import type { Authenticate } from '../auth/caller.ts'
import type { KeyScope } from '../auth/key-scopes.ts'
import type { Logger } from '../platform/logging/log.ts'
import { addLogFields, addRequestDetails } from '../platform/logging/log-context.ts'
import type { IdempotencyStore } from '../subgraphs/connections/requests/idempotency-store.ts'
import type { Subgraph } from '../subgraphs/schema/build-subgraph.ts'
import { operations, type OperationWork } from '../platform/instrumentation.ts'
import { maskErrors, addErrorCode } from './error-masking.ts'
import { compose, type ComposedSubgraph, type Supergraph } from './compose.ts'
import type { ContextFor } from './context.ts'
import {
  createCompiledExecutor,
  type Executor,
  createInterpretedExecutor,
  type OperationRequest,
} from './execution/executor.ts'
import { createFederatedSchema, type SubgraphLocation } from './execution/federated-executor.ts'
import { type Subscribe, createSubscribe } from './subscriptions.ts'
import { createInProcessSchema } from './execution/in-process-schema.ts'
import { type Operation, type OperationWithVariables, soleOperation } from './operation.ts'
import { createIdempotentRun } from './idempotency/idempotent-run.ts'
import { createOperationRouter } from './execution/operation-router.ts'
import type { RemoteSubgraph } from './remote/remote-executor.ts'
import { assertSchemaInvariants } from './schema-invariants.ts'
import { type Authorizer, createAuthorizer } from './authorization/scope-authorization.ts'
import { type CostLimits, costResultOf, DEFAULT_COST_LIMITS } from './cost/cost-limits.ts'
import { annotatedSdl } from './schema-sdl.ts'
import { createCostEstimate, type EstimateCost } from './cost/operation-cost.ts'
import { OperationLifetime } from './load/operation-lifetime.ts'
import { createOperationRunner, type GatewayContext } from './load/run-operation.ts'
import { admitRequest } from './rate-limit/admit-request.ts'
import type { RequestRateLimiter } from './rate-limit/request-rate-limiter.ts'
import type { Requester } from './requester.ts'
import { RequestedDocuments } from './requested-document.ts'
import { selectsSecret } from './secret-fields.ts'
import { textResultOf } from './text-check.ts'
import { subgraphs } from './subgraphs.ts'

type Variables = Readonly<Record<string, unknown>>

/** Operation of a REST route, parsed and validated at start. */
export interface PreparedOperation {
  run(requester: Requester, variables: Variables): Promise<ExecutionResult>
  selectsSecret(variables: Variables): boolean
}

/** Single entry point to the graph for GraphQL over HTTP, SSE and websockets, and for REST. */
export interface Gateway {
  readonly supergraph: Supergraph
  /** The supergraph without the custom subgraphs of the operator. REST serves only its fields. */
  readonly ownSupergraph: Supergraph
  /** Returns the SDL of the public schema, with the cost of each field. */
  schemaSdl(): string
  readonly authenticate: Authenticate
  readonly contextFor: ContextFor
  /** Finds the documents that requests name by an id. */
  readonly documents: Pick<RequestedDocuments, 'textOf'>
  execute(request: OperationRequest): Promise<ExecutionResult>
  subscribe: Subscribe
  /** Parses and validates an operation of a REST route. Throws if it is invalid. */
  prepare(operation: string): PreparedOperation
  /** Returns the key scopes that an operation requires. */
  scopesOf(operation: string, variables: Variables): readonly KeyScope[]
  /** Estimates the cost of a validated operation. */
  readonly costOf: EstimateCost
  /**
   * Whether the result of an operation contains a secret. Such a response is not compressed, because its size
   * could reveal the secret.
   */
  selectsSecret(request: OperationWithVariables): boolean
}

interface GatewayOptions {
  readonly authenticate: Authenticate
  readonly contextFor: ContextFor
  readonly log: Logger
  /** Remote subgraphs by name: those of this service and custom ones. */
  readonly remote?: ReadonlyMap<string, RemoteSubgraph>
  /** Schemas of the custom subgraphs, which the supergraph includes. */
  readonly customSubgraphs?: readonly ComposedSubgraph[]
  readonly costLimits?: CostLimits
  /** Limits the rate of the requests of each caller. Without it, rates have no limit. */
  readonly rateLimiter?: RequestRateLimiter | undefined
  /** Keys of mutations and their answers. Without it, idempotency keys are ignored. */
  readonly idempotencyStore?: IdempotencyStore | undefined
  /** Time limit of a query, with the time that it waits. Default: 30 seconds. */
  readonly operationTimeoutMs?: number | undefined
  /** Returns the share of the heap that is in use. */
  readonly heapUse?: (() => number) | undefined
}

export function createGateway(options: GatewayOptions): Gateway {
  const {
    authenticate,
    contextFor,
    log,
    remote = new Map(),
    customSubgraphs = [],
    costLimits = DEFAULT_COST_LIMITS,
    rateLimiter,
    operationTimeoutMs = 30_000,
  } = options
  assertSchemaInvariants(subgraphs)
  const supergraph = compose([...subgraphs, ...customSubgraphs])
  const ownSupergraph = customSubgraphs.length === 0 ? supergraph : compose(subgraphs)
  const executor = chooseExecutor(supergraph, ownSupergraph, remote)
  const run = createOperationRunner(executor, operationTimeoutMs, options.heapUse)
  const runOnce = createIdempotentRun(options.idempotencyStore, log)
  const authorizer = createAuthorizer(supergraph.apiSchema)
  const estimateCost = createCostEstimate(supergraph.apiSchema)
  const execute = (request: OperationRequest, isRestOperation = false): Promise<ExecutionResult> => {
    const work = workOf(request, isRestOperation, executor.executorKindOf(request))
    const {
      logContext,
      caller,
      share,
      lifetime = new OperationLifetime(),
    } = request.context as GatewayContext
    addLogFields(logContext, { operation: work.name ?? 'anonymous' })
    if (!isRestOperation) addRequestDetails(logContext, { documentHash: request.operation.documentHash })
    return operations.run(work, async () => {
      const cost = estimateCost(request)
      addLogFields(logContext, { cost: Math.ceil(cost.cost) })
      const refusal =
        denialResultOf(authorizer, request) ??
        textResultOf(request) ??
        // A REST route has a fixed operation and a largest page, which limit its cost.
        (isRestOperation ? null : costResultOf(cost, costLimits.operation))
      const denial =
        (await admitRequest(rateLimiter, { caller, logContext }, refusal ? 0 : cost.cost)) ?? refusal
      if (denial) await share?.refusal(lifetime)
      const result = denial
        ? maskErrors(denial, log, logContext)
        : await runOnce(request, isRestOperation ? 'rest' : 'graphql', () => run(request, cost.cost))
      if (result.errors) work.codes = result.errors.map(({ extensions }) => String(extensions['code']))
      addErrorCode(logContext, result)
      return result
    })
  }
  const isSecret = (request: OperationWithVariables) => selectsSecret(request, supergraph.apiSchema)
  return {
    supergraph,
    ownSupergraph,
    schemaSdl: () => annotatedSdl(supergraph.apiSchema),
    authenticate,
    contextFor,
    documents: new RequestedDocuments(contextFor),
    execute: (request) => execute(request),
    subscribe: createSubscribe({
      executor,
      contextFor,
      authorizer,
      log,
      estimateCost,
      maxEventCost: costLimits.event,
      rateLimiter,
    }),
    costOf: estimateCost,
    scopesOf: (text, variables) =>
      authorizer.scopesOf({ operation: parseValid(text, supergraph.apiSchema), variables }),
    selectsSecret: isSecret,
    prepare(text) {
      const operation = parseValid(text, supergraph.apiSchema)
      return {
        run: (requester, variables) =>
          execute({ operation, variables, context: contextFor(requester) }, true),
        selectsSecret: (variables) => isSecret({ operation, variables }),
      }
    },
  }
}

interface ChosenExecutor extends Executor {
  executorKindOf(request: Pick<OperationRequest, 'operation'>): OperationWork['engine']
}

/**
 * Chooses the executor. Without remote subgraphs, the in-process executor runs every operation. Otherwise
 * it runs the operations that need only local subgraphs, and the federated executor runs the rest.
 */
function chooseExecutor(
  supergraph: Supergraph,
  ownSupergraph: Supergraph,
  remote: ReadonlyMap<string, RemoteSubgraph>,
): ChosenExecutor {
  if (remote.size === 0) return { ...createInProcessExecutor(supergraph), executorKindOf: () => 'fused' }
  const inProcess = createInProcessExecutor(ownSupergraph)
  const federated = createFederatedExecutor(supergraph, remote)
  const isLocal = createOperationRouter(supergraph.apiSchema, subgraphs, new Set(remote.keys()))
  const executorFor = ({ operation }: OperationRequest) => (isLocal(operation) ? inProcess : federated)
  return {
    schema: federated.schema,
    executorKindOf: ({ operation }) => (isLocal(operation) ? 'fused' : 'federated'),
    execute: (request) => executorFor(request).execute(request),
    source: (request) => executorFor(request).source(request),
  }
}

/** Returns the error result if the caller lacks a required scope; else null. */
function denialResultOf(authorizer: Authorizer, request: OperationRequest): ExecutionResult | null {
  const { caller } = request.context as GatewayContext
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
  ownSubgraphs: readonly Subgraph[] = subgraphs,
): Executor => createCompiledExecutor(createInProcessSchema(apiSchema, ownSubgraphs))

export function createFederatedExecutor(
  { sdl }: Supergraph,
  remote: ReadonlyMap<string, RemoteSubgraph>,
): Executor {
  const local = subgraphs.map((subgraph): [string, SubgraphLocation] => [subgraph.name, { local: subgraph }])
  return createInterpretedExecutor(createFederatedSchema(sdl, new Map([...local, ...remote])))
}

function parseValid(text: string, schema: GraphQLSchema): Operation {
  const operation = soleOperation(text)
  const errors = validate(schema, operation.document)
  if (errors.length > 0) throw new Error(`invalid operation: ${errors.join('; ')}\n${text}`)
  return operation
}

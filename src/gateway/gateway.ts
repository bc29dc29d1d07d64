import { type DocumentNode, type ExecutionResult, type GraphQLSchema, parse, validate } from 'graphql'
import type { Authenticate, Caller, Credentials } from '../auth/caller.ts'
import type { Logger } from '../log.ts'
import type { Subgraph } from '../subgraphs/define.ts'
import { publicAnswer } from './answer.ts'
import { compose, type Supergraph } from './compose.ts'
import type { ContextFor } from './context.ts'
import { compiledEngine, type Engine, interpretedEngine, mapped, type OperationRequest } from './engine.ts'
import { federate, type Placement } from './federate.ts'
import { fuse } from './fuse.ts'
import { checkSchemaRules } from './rules.ts'
import { subgraphs } from './subgraphs.ts'

/** An operation of ours, parsed and checked when the service starts. */
export type PreparedOperation = (
  caller: Caller,
  credentials: Credentials,
  variables: Readonly<Record<string, unknown>>,
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
  /** Subgraphs in other processes, by name. Where there is none, the fused schema answers. */
  readonly remote?: ReadonlyMap<string, string>
}

export function createGateway({
  authenticate,
  contextFor,
  log,
  remote = new Map(),
}: GatewayOptions): Gateway {
  checkSchemaRules(subgraphs)
  const supergraph = compose(subgraphs)
  const engine = remote.size === 0 ? fusedEngine(supergraph) : federatedEngine(supergraph, remote)
  const execute = async (request: OperationRequest) => publicAnswer(await engine.execute(request), log)
  return {
    supergraph,
    authenticate,
    contextFor,
    execute,
    async subscribe(request, freshContext) {
      const answers = await engine.subscribe(request, freshContext)
      return Symbol.asyncIterator in answers
        ? mapped(answers, (answer) => publicAnswer(answer, log))
        : publicAnswer(answers, log)
    },
    prepare(operation) {
      const document = checked(operation, supergraph.apiSchema)
      return (caller, credentials, variables) =>
        execute({ document, variables, context: contextFor(caller, credentials) })
    },
  }
}

export const fusedEngine = ({ apiSchema }: Supergraph, parts: readonly Subgraph[] = subgraphs): Engine =>
  compiledEngine(fuse(apiSchema, parts))

export function federatedEngine({ sdl }: Supergraph, remote: ReadonlyMap<string, string>): Engine {
  const places = subgraphs.map((subgraph): [string, Placement] => {
    const url = remote.get(subgraph.name)
    return [subgraph.name, url === undefined ? { local: subgraph } : { url }]
  })
  return interpretedEngine(federate(sdl, new Map(places)))
}

function checked(operation: string, schema: GraphQLSchema): DocumentNode {
  const document = parse(operation, { noLocation: true })
  const errors = validate(schema, document)
  if (errors.length > 0)
    throw new Error(`an operation does not fit the schema: ${errors.join('; ')}\n${operation}`)
  return document
}

import { buildHTTPExecutor } from '@graphql-tools/executor-http'
import {
  type ExecutionRequest,
  type Executor,
  getOperationASTFromRequest,
  type MaybePromise,
} from '@graphql-tools/utils'
import { type ExecutionResult, GraphQLError, print } from 'graphql'
import type { LogContext } from '../../platform/logging/log-context.ts'
import { addSubgraphName } from '../error-masking.ts'
import type { SubgraphClient } from './subgraph-client.ts'
import { subscribeOverSse } from './sse-subscriptions.ts'

/** Members of an operation context that are sent to remote subgraphs. */
export interface ForwardedContext {
  /** The caller's own credentials, for subgraphs of this service. */
  readonly forwarded: Readonly<Record<string, string>>
  /** Identity of the caller without secrets, for custom subgraphs. */
  readonly identity: Readonly<Record<string, string>>
  /** Log context of the request, with its id. */
  readonly logContext?: LogContext | undefined
}

/** Returns the headers that identify the caller to a remote subgraph. */
export type IdentityHeaders = (context: ForwardedContext) => Readonly<Record<string, string>>

/** Subgraph in another process. */
export interface RemoteSubgraph {
  readonly client: SubgraphClient
  readonly identityHeaders: IdentityHeaders
  /** Whether the subgraph is custom. The subgraphs of this service mask their errors; custom ones do not. */
  readonly isCustom: boolean
}

/** Creates the executor of a remote subgraph. */
export function createRemoteExecutor({ client, identityHeaders, isCustom }: RemoteSubgraph): Executor {
  const headers = (request?: ExecutionRequest) => ({
    ...identityHeaders(request?.context as ForwardedContext),
  })
  const executorOver = (fetch: SubgraphClient['read']) =>
    buildHTTPExecutor({ endpoint: client.address.url, fetch, headers, deduplicateInflightRequests: false })
  const read = executorOver(client.read)
  const write = executorOver(client.write)
  return ((request: ExecutionRequest) => {
    const { operation } = getOperationASTFromRequest(request)
    if (operation === 'subscription') return subscribeRemote(client, request, headers(request))
    const result = (operation === 'mutation' ? write : read)(request) as MaybePromise<ExecutionResult>
    return isCustom ? withSubgraphName(result, client.name) : result
  }) as Executor
}

async function withSubgraphName(
  pending: MaybePromise<ExecutionResult>,
  name: string,
): Promise<ExecutionResult> {
  const result = await pending
  for (const error of result.errors ?? []) addSubgraphName(error, name)
  return result
}

function subscribeRemote(
  client: SubgraphClient,
  { document, variables, operationName }: ExecutionRequest,
  headers: Readonly<Record<string, string>>,
) {
  return subscribeOverSse(client, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: print(document), variables, operationName }),
  }).catch((error: unknown) => {
    if (error instanceof GraphQLError) return { errors: [error] }
    throw error
  })
}

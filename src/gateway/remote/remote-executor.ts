import { buildHTTPExecutor } from '@graphql-tools/executor-http'
import {
  type ExecutionRequest,
  type Executor,
  getOperationASTFromRequest,
  type MaybePromise,
} from '@graphql-tools/utils'
import { type ExecutionResult, GraphQLError, print } from 'graphql'
import type { LogContext } from '../../platform/logging/log-context.ts'
import { tagSubgraph } from '../error-masking.ts'
import type { SubgraphClient } from './subgraph-client.ts'
import { subscribeOverSse } from './sse-subscriptions.ts'

/** What the context of an operation brings for subgraphs in other processes. */
export interface ForwardedContext {
  /** The caller's own credentials, for a subgraph of this service. */
  readonly forwarded: Readonly<Record<string, string>>
  /** Who asks, without anything that is secret, for anybody else's. */
  readonly identity: Readonly<Record<string, string>>
  /** For whom it is asked. */
  readonly logContext?: LogContext | undefined
}

/** How a subgraph in another process learns who asks. */
export type IdentityHeaders = (context: ForwardedContext) => Readonly<Record<string, string>>

/** A subgraph in another process. */
export interface RemoteSubgraph {
  readonly client: SubgraphClient
  readonly identityHeaders: IdentityHeaders
  /** It is an operator's own: what it answers has passed no door of ours. */
  readonly isForeign: boolean
}

/** Runs what is asked of one subgraph in another process. */
export function createRemoteExecutor({ client, identityHeaders, isForeign }: RemoteSubgraph): Executor {
  const headers = (request?: ExecutionRequest) => ({
    ...identityHeaders(request?.context as ForwardedContext),
  })
  const over = (fetch: SubgraphClient['read']) =>
    buildHTTPExecutor({ endpoint: client.address.url, fetch, headers, deduplicateInflightRequests: false })
  const read = over(client.read)
  const write = over(client.write)
  return ((request: ExecutionRequest) => {
    const { operation } = getOperationASTFromRequest(request)
    if (operation === 'subscription') return subscribeRemote(client, request, headers(request))
    const answer = (operation === 'mutation' ? write : read)(request) as MaybePromise<ExecutionResult>
    return isForeign ? tagErrors(answer, client.name) : answer
  }) as Executor
}

async function tagErrors(answer: MaybePromise<ExecutionResult>, name: string): Promise<ExecutionResult> {
  const result = await answer
  for (const error of result.errors ?? []) tagSubgraph(error, name)
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

import { buildHTTPExecutor } from '@graphql-tools/executor-http'
import {
  type ExecutionRequest,
  type Executor,
  getOperationASTFromRequest,
  type MaybePromise,
} from '@graphql-tools/utils'
import { type ExecutionResult, GraphQLError, print } from 'graphql'
import type { Scope } from '../../scope.ts'
import { noteSubgraph } from '../answer.ts'
import type { Line } from './line.ts'
import { liveAnswers } from './live-answers.ts'

/** What the context of an operation brings for subgraphs in other processes. */
export interface Forwarded {
  /** The caller's own credentials, for a subgraph of this service. */
  readonly forwarded: Readonly<Record<string, string>>
  /** Who asks, without anything that is secret, for anybody else's. */
  readonly introduced: Readonly<Record<string, string>>
  /** For whom it is asked. */
  readonly scope?: Scope | undefined
}

/** How a subgraph in another process learns who asks. */
export type Introduce = (context: Forwarded) => Readonly<Record<string, string>>

/** A subgraph in another process. */
export interface RemotePlace {
  readonly line: Line
  readonly introduce: Introduce
  /** It is an operator's own: what it answers has passed no door of ours. */
  readonly isForeign: boolean
}

/** Runs what is asked of one subgraph in another process. */
export function remoteExecutor({ line, introduce, isForeign }: RemotePlace): Executor {
  const headers = (request?: ExecutionRequest) => ({
    ...introduce(request?.context as Forwarded),
  })
  const over = (fetch: Line['read']) =>
    buildHTTPExecutor({ endpoint: line.address.url, fetch, headers, deduplicateInflightRequests: false })
  const read = over(line.read)
  const write = over(line.write)
  return ((request: ExecutionRequest) => {
    const { operation } = getOperationASTFromRequest(request)
    if (operation === 'subscription') return follow(line, request, headers(request))
    const answer = (operation === 'mutation' ? write : read)(request) as MaybePromise<ExecutionResult>
    return isForeign ? noted(answer, line.name) : answer
  }) as Executor
}

async function noted(answer: MaybePromise<ExecutionResult>, name: string): Promise<ExecutionResult> {
  const result = await answer
  for (const error of result.errors ?? []) noteSubgraph(error, name)
  return result
}

function follow(
  line: Line,
  { document, variables, operationName }: ExecutionRequest,
  headers: Readonly<Record<string, string>>,
) {
  return liveAnswers(line, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: print(document), variables, operationName }),
  }).catch((error: unknown) => {
    if (error instanceof GraphQLError) return { errors: [error] }
    throw error
  })
}

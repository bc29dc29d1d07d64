import { buildHTTPExecutor } from '@graphql-tools/executor-http'
import { getStitchedSchemaFromSupergraphSdl } from '@graphql-tools/federation'
import type { ExecutionRequest, Executor } from '@graphql-tools/utils'
import { execute, type GraphQLSchema } from 'graphql'
import type { Subgraph } from '../subgraphs/define.ts'

/** What is sent along to a subgraph in another process, so that it knows the caller by itself. */
export interface Forwarded {
  readonly forwarded: Readonly<Record<string, string>>
}

/** Where a subgraph is: at an address, or in this process. */
export type Placement = { readonly url: string } | { readonly local: Subgraph }

const TIMEOUT_MS = 10_000

/** The supergraph over subgraphs of which at least one is in another process. */
export function federate(supergraphSdl: string, places: ReadonlyMap<string, Placement>): GraphQLSchema {
  const executors = new Map([...places].map(([name, place]) => [name, executorOf(place)]))
  return getStitchedSchemaFromSupergraphSdl({
    supergraphSdl,
    batch: true,
    onSubschemaConfig(config) {
      const executor = executors.get(config.name.toLowerCase())
      if (!executor) throw new Error(`nothing is known of where subgraph ${config.name} is`)
      config.executor = executor
    },
  })
}

function executorOf(place: Placement): Executor {
  if ('url' in place)
    return buildHTTPExecutor({
      endpoint: place.url,
      timeout: TIMEOUT_MS,
      headers: (request) => ({ ...(request?.context as Forwarded | undefined)?.forwarded }),
    })
  return localExecutor(place.local.schema)
}

const localExecutor =
  (schema: GraphQLSchema): Executor =>
  (async ({ document, variables, context, operationName }: ExecutionRequest) =>
    execute({ schema, document, variableValues: variables, contextValue: context, operationName })) as Executor

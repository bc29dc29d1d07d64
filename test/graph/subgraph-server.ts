import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { execute, type ExecutionResult, parse, validate } from 'graphql'
import type { Authenticate } from '../../src/auth/caller.ts'
import { publicAnswer } from '../../src/gateway/answer.ts'
import type { ContextFor } from '../../src/gateway/context.ts'
import type { Subgraph } from '../../src/subgraphs/define.ts'
import { silent } from './rig.ts'

interface ServerOptions {
  readonly authenticate: Authenticate
  readonly contextFor: ContextFor
}

export interface SubgraphServer extends AsyncDisposable {
  readonly url: string
}

/** Serves one subgraph on a port of its own, as a process of its own would: it knows the caller by the headers alone. */
export async function serveSubgraph(subgraph: Subgraph, options: ServerOptions): Promise<SubgraphServer> {
  const server = createServer((request, response) => {
    answer(subgraph, options, request).then(
      (result) => send(response, 200, result),
      (error: Error) => send(response, 500, { errors: [{ message: error.message }] }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url: `http://127.0.0.1:${port}/graphql`, [Symbol.asyncDispose]: close }
}

interface Body {
  readonly query: string
  readonly variables?: Record<string, unknown>
  readonly operationName?: string
}

async function answer(
  { schema }: Subgraph,
  { authenticate, contextFor }: ServerOptions,
  request: IncomingMessage,
): Promise<ExecutionResult> {
  const credentials = {
    authorization: header(request, 'authorization'),
    connectionToken: header(request, 'connection-token'),
  }
  const caller = await authenticate(credentials)
  const { query, variables, operationName } = JSON.parse(await text(request)) as Body
  const document = parse(query)
  const errors = validate(schema, document)
  if (errors.length > 0) return { errors }
  const contextValue = contextFor(caller, credentials)
  return publicAnswer(
    await execute({ schema, document, variableValues: variables, operationName, contextValue }),
    silent,
  )
}

const header = ({ headers }: IncomingMessage, name: string) => headers[name] as string | undefined

function send(response: ServerResponse, status: number, result: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(result))
}

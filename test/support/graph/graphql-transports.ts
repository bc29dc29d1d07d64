import { createHash } from 'node:crypto'
import { createClient as createStreamClient } from 'graphql-sse'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import type { GatewayClient } from '../federation/federation-harness.ts'

export type OperationType = 'query' | 'mutation' | 'subscription'

type Headers = Record<string, string>

interface Transport {
  readonly types: readonly OperationType[]
  readonly ask: Ask
}

interface GraphqlRequest {
  readonly query: string
  readonly operationName?: string | null | undefined
  readonly documentId?: string
}

/** Sends an operation. Returns the text of all responses. */
type Ask = (gateway: GatewayClient, headers: Headers, request: GraphqlRequest) => Promise<string>

async function readAll(
  answers: AsyncIterable<unknown>,
  dispose: () => void | Promise<void>,
): Promise<string> {
  const texts: string[] = []
  try {
    for await (const answer of answers) texts.push(JSON.stringify(answer))
  } catch (error) {
    texts.push(error instanceof Error ? error.message : JSON.stringify(error))
  } finally {
    await dispose()
  }
  return texts.join('\n')
}

const json = { 'content-type': 'application/json' }

export const postGraphql = async (
  gateway: GatewayClient,
  headers: Headers,
  request: object,
): Promise<string> => {
  const body = JSON.stringify(request)
  const answer = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { ...headers, ...json },
    body,
  })
  return answer.text()
}

/** Every transport for operations, with the operation types that it supports. */
export const transports: Readonly<Record<string, Transport>> = {
  'POST, the first time': { types: ['query', 'mutation'], ask: postGraphql },
  'POST, the second time': { types: ['query', 'mutation'], ask: postGraphql },
  'POST, the third time': { types: ['query', 'mutation'], ask: postGraphql },
  GET: {
    types: ['query'],
    async ask(gateway, headers, { query, operationName }) {
      const url = new URL(`${gateway.url}/graphql`)
      url.searchParams.set('query', query)
      if (operationName != null) url.searchParams.set('operationName', operationName)
      const answer = await fetch(url, { headers: { ...headers, 'apollo-require-preflight': 'yes' } })
      return answer.text()
    },
  },
  'POST of a persisted query': {
    types: ['query', 'mutation'],
    async ask(gateway, headers, { query, operationName }) {
      const sha256Hash = createHash('sha256').update(query).digest('hex')
      const extensions = { persistedQuery: { version: 1, sha256Hash } }
      const first = await postGraphql(gateway, headers, { query, operationName, extensions })
      return `${first}\n${await postGraphql(gateway, headers, { operationName, extensions })}`
    },
  },
  'POST of a batch': {
    types: [],
    ask: (gateway, headers, request) => postGraphql(gateway, headers, [request, request]),
  },
  'SSE on a reserved stream': {
    types: ['query', 'mutation', 'subscription'],
    async ask(gateway, headers, request) {
      const url = `${gateway.url}/graphql`
      const client = createStreamClient({
        url,
        headers: { ...headers },
        singleConnection: true,
        retryAttempts: 0,
      })
      return readAll(client.iterate(request as { query: string }), () => client.dispose())
    },
  },
  'SSE on a separate stream': {
    types: ['query', 'mutation', 'subscription'],
    async ask(gateway, headers, request) {
      const answer = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { ...headers, ...json, accept: 'text/event-stream' },
        body: JSON.stringify(request),
      })
      return answer.text()
    },
  },
  websocket: {
    types: ['query', 'mutation', 'subscription'],
    async ask(gateway, headers, request) {
      const client = createClient({
        url: `${gateway.url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: headers,
        retryAttempts: 0,
      })
      return readAll(client.iterate(request), () => client.dispose())
    },
  },
}

import { EventEmitter, once } from 'node:events'
import WebSocket from 'ws'
import type { RunningService } from '../../prove/support/service-process.ts'

export interface MadeSession {
  readonly token: string
  readonly session: {
    readonly id: string
    readonly connectionIds: readonly string[] | null
    readonly scopes: readonly string[]
    readonly createdAt: string
    readonly expiresAt: string
  }
}

export interface GraphQLReply<Data = Record<string, unknown>> {
  readonly data?: Data | null
  readonly errors?: readonly {
    readonly message: string
    readonly extensions?: { readonly code?: string; readonly detail?: string }
  }[]
}

const SESSION = 'id connectionIds scopes createdAt expiresAt'

export const CREATE = `mutation ($input: CreateSessionInput!) { createSession(input: $input) { token session { ${SESSION} } } }`
export const REVOKE = `mutation ($id: ID!) { revokeSession(input: { sessionId: $id }) { session { ${SESSION} } } }`

/** Sends a GraphQL request over HTTP with any bearer token. */
export async function ask<Data = Record<string, unknown>>(
  { ready }: Pick<RunningService, 'ready'>,
  bearer: string,
  query: string,
  variables: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<GraphQLReply<Data> & { readonly status: number }> {
  const response = await fetch(ready.graphqlUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  })
  return { status: response.status, ...((await response.json()) as GraphQLReply<Data>) }
}

/** Creates a session with the secret key alone. */
export async function createSession(
  service: Pick<RunningService, 'ready'>,
  input: object = {},
): Promise<MadeSession> {
  const { data, errors } = await ask<{ createSession: MadeSession }>(
    service,
    service.ready.secretKey,
    CREATE,
    { input },
  )
  if (!data) throw new Error(JSON.stringify(errors))
  return data.createSession
}

interface Message {
  readonly id?: string
  readonly type: string
  readonly payload?: unknown
}

/** A websocket connection of the graphql-transport-ws protocol. */
export class Conversation {
  private readonly heard: Message[] = []
  private readonly rings = new EventEmitter()
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>

  constructor(private readonly socket: WebSocket) {
    this.closed = new Promise((resolve) => {
      socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }))
    })
    socket.on('error', () => undefined)
    socket.on('message', (text) => {
      this.heard.push(JSON.parse(String(text)) as Message)
      this.rings.emit('message')
    })
  }

  static async open(
    { ready }: Pick<RunningService, 'ready'>,
    payload: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Conversation> {
    const socket = new WebSocket(ready.wsUrl, 'graphql-transport-ws', { headers })
    const conversation = new Conversation(socket)
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'connection_init', payload }))
    return conversation
  }

  say(message: Message): void {
    this.socket.send(JSON.stringify(message))
  }

  subscribe(id: string, query: string): void {
    this.say({ id, type: 'subscribe', payload: { query } })
  }

  /** Returns the next unread message of a type. */
  async next(type: string): Promise<Message> {
    for (;;) {
      const at = this.heard.findIndex((message) => message.type === type)
      const [message] = at < 0 ? [] : this.heard.splice(at, 1)
      if (message) return message
      await Promise.race([once(this.rings, 'message'), this.closed.then(refuseToWait)])
    }
  }

  end(): void {
    this.socket.terminate()
  }
}

const refuseToWait = ({ code, reason }: { code: number; reason: string }): never => {
  throw new Error(`the socket was closed: ${code} ${reason}`)
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OdographClient } from '@odograph/client'

/** Reaction of the server to a request: respond, never respond, or break the connection. */
export type Reaction =
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
    }
  | 'hang'
  | 'reset'

/** A server that plays a list of reactions, and then repeats the last one. */
export class ScriptedServer implements AsyncDisposable {
  readonly requested: {
    readonly method: string
    readonly url: string
    readonly headers: IncomingMessage['headers']
  }[] = []
  reactions: readonly Reaction[] = []
  private readonly server = createServer((request, response) => this.answer(request, response))

  static async start(): Promise<ScriptedServer> {
    const answers = new ScriptedServer()
    answers.server.listen(0, '127.0.0.1')
    await once(answers.server, 'listening')
    return answers
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** Sets the reactions from now on. */
  to(...reactions: readonly Reaction[]): void {
    this.reactions = reactions
    this.requested.length = 0
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', headers } = request
    const reaction = this.reactions[Math.min(this.requested.length, this.reactions.length - 1)]
    this.requested.push({ method, url, headers })
    request.resume()
    if (reaction === 'reset') request.socket.destroy()
    else if (reaction !== undefined && reaction !== 'hang')
      response
        .writeHead(reaction.status, { 'content-type': 'application/json', ...reaction.headers })
        .end(reaction.body === undefined ? '' : JSON.stringify(reaction.body))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((done) => this.server.close(done))
  }
}

/** Returns a client of the server that records its waits instead of waiting. */
export function clientOf(answers: ScriptedServer, options: { readonly timeoutMs?: number } = {}) {
  const waits: number[] = []
  const client = new OdographClient({
    baseUrl: `${answers.url}/`,
    secretKey: 'sk_of_nobody',
    wait: async (ms, signal) => {
      signal?.throwIfAborted()
      waits.push(ms)
    },
    ...options,
  })
  return { client, waits }
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'

/** Reaction of a receiver to a message: respond, never respond, or break the connection. */
export type Reaction =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | 'hang'
  | 'reset'

/** A received message. */
export interface Receipt {
  readonly id: string
  readonly path: string
  readonly body: string
  readonly event: { readonly id: string; readonly type: string; readonly detail: unknown }
  readonly headers: Readonly<Record<string, string>>
  readonly at: number
}

interface InboxOptions {
  /** A message is authentic if both libraries verify it with one of these secrets. */
  readonly secrets?: string[]
  readonly react?: (receipt: Receipt, inbox: WebhookInbox) => Reaction
  readonly port?: number
  readonly host?: string
}

/** A webhook receiver that verifies messages with two receiver libraries, and keeps them in order. */
export class WebhookInbox implements AsyncDisposable {
  readonly received: Receipt[] = []
  /** Reasons why messages were not authentic. */
  readonly forged: string[] = []
  secrets: string[]
  react: (receipt: Receipt, inbox: WebhookInbox) => Reaction
  private readonly open = new Set<Socket>()
  private readonly waiting = new Set<() => void>()
  private readonly hanging = new Set<ServerResponse>()

  private constructor(
    private readonly server: Server,
    { secrets = [], react = () => ({ status: 204 }) }: InboxOptions,
  ) {
    this.secrets = secrets
    this.react = react
  }

  static async start(options: InboxOptions = {}): Promise<WebhookInbox> {
    const server = createServer()
    const inbox = new WebhookInbox(server, options)
    server.on('connection', (socket: Socket) => {
      inbox.open.add(socket)
      socket.once('close', () => inbox.open.delete(socket))
    })
    server.on('request', (request, response) => void inbox.take(request, response))
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1')
    await once(server, 'listening')
    return inbox
  }

  get port(): number {
    return this.address.port
  }

  get url(): string {
    return `http://${this.address.address}:${this.port}/hooks`
  }

  /** Returns each event id once, in order of first arrival. */
  get firstReceipts(): string[] {
    return [...new Set(this.received.map(({ id }) => id))]
  }

  /** Returns the number of repeated messages. */
  get doubled(): number {
    return this.received.length - this.firstReceipts.length
  }

  /** Returns the number of requests that never get a response. */
  get unanswered(): number {
    return this.hanging.size
  }

  /** Waits until a condition holds; checks it after each message. */
  async until(holds: (inbox: WebhookInbox) => boolean): Promise<void> {
    while (!holds(this)) await new Promise<void>((resolve) => this.waiting.add(resolve))
  }

  /** Waits for a number of distinct events. */
  arrived(count: number): Promise<void> {
    return this.until(({ firstReceipts }) => firstReceipts.length >= count)
  }

  private get address(): AddressInfo {
    return this.server.address() as AddressInfo
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server, 'close')
    this.server.close()
    for (const socket of this.open) socket.destroy()
    await closed
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    const body = Buffer.concat(chunks).toString('utf8')
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const id = headers['webhook-id'] ?? ''
    const receipt: Receipt = {
      id,
      path: String(request.url),
      body,
      headers,
      event: parsed(body),
      at: Date.now(),
    }
    this.received.push(receipt)
    const fault = this.faultOf(receipt)
    if (fault !== null) this.forged.push(`${id}: ${fault}`)
    this.answer(response, fault === null ? this.react(receipt, this) : { status: 401 })
    for (const resolve of this.waiting) resolve()
    this.waiting.clear()
  }

  private answer(response: ServerResponse, reaction: Reaction): void {
    if (reaction === 'reset') response.socket?.resetAndDestroy()
    else if (reaction === 'hang') {
      this.hanging.add(response)
      response.once('close', () => this.hanging.delete(response))
    } else response.writeHead(reaction.status, reaction.headers).end(reaction.body)
  }

  private faultOf({ body, headers }: Receipt): string | null {
    if (this.secrets.length === 0) return null
    let fault = ''
    for (const secret of this.secrets) {
      try {
        new StandardWebhook(secret).verify(body, headers)
        new SvixWebhook(secret).verify(body, headers)
        return null
      } catch (error) {
        fault = String(error)
      }
    }
    return fault
  }
}

function parsed(body: string): Receipt['event'] {
  try {
    return JSON.parse(body) as Receipt['event']
  } catch {
    return { id: '', type: '', detail: null }
  }
}

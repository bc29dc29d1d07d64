import type { Client } from 'undici'

/** Maximum number of concurrent requests to one origin, so that a slow origin delays only itself. */
const MAX_CONNECTIONS = 256

/** Request that waits for a connection. */
export interface QueuedRequest {
  /** False once nobody waits for the response. */
  readonly isWanted: boolean
  /** True once the complete response has arrived, so that its connection can be reused. */
  readonly isComplete: boolean
  readonly answer: Promise<unknown>
  /**
   * Sends the request. Calls `onStale` instead of failing if the receiver had closed the connection before it
   * answered. A connection that was not used before cannot be stale, so it gets no `onStale`.
   */
  startOn(client: Client, onStale?: () => void): void
}

/**
 * Connections to one origin, and the requests that wait for one. Each connection is a client with one request
 * at a time. A connection with an incomplete response is destroyed, which affects no other request.
 */
export class OriginPool {
  private readonly waiting: QueuedRequest[] = []
  private readonly idle: Client[] = []
  private readonly busy = new Set<Client>()
  private isRetired = false

  constructor(
    private readonly connect: () => Client,
    private readonly onEnd: (pool: OriginPool) => void,
  ) {}

  add(request: QueuedRequest): void {
    this.waiting.push(request)
    this.startNext()
  }

  /** Accepts no more requests; the pool ends when its requests are done. */
  retire(): void {
    this.isRetired = true
    this.startNext()
  }

  /** Aborts the running requests and fails the waiting ones. */
  async destroy(): Promise<void> {
    const clients = [...this.idle, ...this.busy]
    const destroyed = clients.map((client) => client.destroy())
    const [client = this.connect()] = clients
    for (const request of this.waiting.splice(0)) request.startOn(client)
    await Promise.all([...destroyed, client.destroy()])
  }

  private startNext(): void {
    while (this.busy.size < MAX_CONNECTIONS && this.waiting.length > 0) {
      const request = this.waiting.shift()
      if (request?.isWanted) this.run(request)
    }
    if (this.isRetired && this.busy.size === 0) this.end()
  }

  /** Runs a request on an idle connection, and on a new one if the idle one proves stale. */
  private run(request: QueuedRequest): void {
    const idle = this.idle.pop()
    let client = idle ?? this.connect()
    const restart = () => {
      this.discard(client)
      client = this.connect()
      this.busy.add(client)
      request.startOn(client)
    }
    const onAnswer = () => {
      if (request.isComplete) {
        this.busy.delete(client)
        this.idle.push(client)
      } else this.discard(client)
      this.startNext()
    }
    this.busy.add(client)
    request.answer.then(onAnswer, onAnswer)
    request.startOn(client, idle && restart)
  }

  private discard(client: Client): void {
    this.busy.delete(client)
    void client.destroy()
  }

  private end(): void {
    for (const client of this.idle.splice(0)) void client.destroy()
    this.onEnd(this)
  }
}

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
  startOn(client: Client): void
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
      if (request?.isWanted) this.run(request, this.idle.pop() ?? this.connect())
    }
    if (this.isRetired && this.busy.size === 0) this.end()
  }

  private run(request: QueuedRequest, client: Client): void {
    const onAnswer = () => {
      this.busy.delete(client)
      if (request.isComplete) this.idle.push(client)
      else void client.destroy()
      this.startNext()
    }
    this.busy.add(client)
    request.answer.then(onAnswer, onAnswer)
    request.startOn(client)
  }

  private end(): void {
    for (const client of this.idle.splice(0)) void client.destroy()
    this.onEnd(this)
  }
}

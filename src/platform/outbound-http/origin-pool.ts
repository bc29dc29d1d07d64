import type { Client } from 'undici'

/** How many requests may be under way to one origin: one that is slow holds up itself. */
const MAX_CONNECTIONS = 256

/** A request to be sent. */
export interface QueuedRequest {
  /** False once nobody waits for its answer. */
  readonly wanted: boolean
  /** True once the whole answer has come, so that its connection is good for another. */
  readonly whole: boolean
  readonly answer: Promise<unknown>
  startOn(client: Client): void
}

/**
 * The connections to one origin for a while, and what waits for one of them. Each is a client of its own that has one
 * request at a time: a connection whose answer is not whole is thrown away, and nobody else notices.
 */
export class OriginPool {
  private readonly waiting: QueuedRequest[] = []
  private readonly idle: Client[] = []
  private readonly busy = new Set<Client>()
  private retired = false

  constructor(
    private readonly connect: () => Client,
    private readonly onEnd: (lane: OriginPool) => void,
  ) {}

  add(sending: QueuedRequest): void {
    this.waiting.push(sending)
    this.next()
  }

  /** Is given nothing more, and ends when it has finished what it was given. */
  retire(): void {
    this.retired = true
    this.next()
  }

  /** Breaks off what is under way; what waits is told so too. */
  async destroy(): Promise<void> {
    const clients = [...this.idle, ...this.busy]
    const destroyed = clients.map((client) => client.destroy())
    const [any = this.connect()] = clients
    for (const sending of this.waiting.splice(0)) sending.startOn(any)
    await Promise.all([...destroyed, any.destroy()])
  }

  private next(): void {
    while (this.busy.size < MAX_CONNECTIONS && this.waiting.length > 0) {
      const sending = this.waiting.shift()
      if (sending?.wanted) this.run(sending, this.idle.pop() ?? this.connect())
    }
    if (this.retired && this.busy.size === 0) this.end()
  }

  private run(sending: QueuedRequest, client: Client): void {
    const ended = () => {
      this.busy.delete(client)
      if (sending.whole) this.idle.push(client)
      else void client.destroy()
      this.next()
    }
    this.busy.add(client)
    sending.answer.then(ended, ended)
    sending.startOn(client)
  }

  private end(): void {
    for (const client of this.idle.splice(0)) void client.destroy()
    this.onEnd(this)
  }
}

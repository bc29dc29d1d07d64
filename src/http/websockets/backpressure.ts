import type { WebSocket } from 'ws'
import type { ActiveSubscription } from '../../gateway/subscriptions.ts'

/** What a client is told that does not read: it has what came before, and gets the rest by resuming. */
export const SLOW_CONSUMER = { code: 4413, reason: 'slow consumer: resume with `after`' } as const

/** Events that may wait for a client that does not read. */
export const MAX_QUEUED_EVENTS = 256
/** Above this a client is waited for. */
const MAX_BUFFERED_BYTES = 64 * 1024

/**
 * Sends the answers of a subscription on its socket, as graphql-ws would: it iterates over this, and gets nothing but
 * the end. The text of an answer is made once for all who get the same, and only the operation's id put before it.
 */
export class BackpressuredSender implements AsyncIterableIterator<never> {
  private open = true
  private readonly head: string

  constructor(
    private readonly socket: WebSocket,
    operationId: string,
    private readonly following: ActiveSubscription,
    private readonly left: () => void,
  ) {
    this.head = `{"id":${JSON.stringify(operationId)},"type":"next","payload":`
  }

  async next(): Promise<IteratorResult<never>> {
    try {
      await this.sendAll()
    } finally {
      await this.return()
    }
    return { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<never>> {
    if (this.open) {
      this.open = false
      this.left()
      await this.following.events.return?.()
    }
    return { done: true, value: undefined }
  }

  async throw(error: unknown): Promise<IteratorResult<never>> {
    await this.return()
    throw error
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  private get goesOn(): boolean {
    return this.open && this.socket.readyState === this.socket.OPEN
  }

  private async sendAll(): Promise<void> {
    const { events, answerTo } = this.following
    while (this.goesOn) {
      const { done, value } = await events.next()
      if (done) return
      const text = await answerTo(value)
      if (!this.goesOn) return
      const frame = `${this.head}${text}}`
      if (this.socket.bufferedAmount <= MAX_BUFFERED_BYTES) this.socket.send(frame)
      else await this.sendSlowly(frame)
    }
  }

  /** Waits until the client has taken this too, unless too much comes meanwhile. */
  private async sendSlowly(frame: string): Promise<void> {
    let stop: (() => void) | undefined
    await new Promise<void>((resolve) => {
      this.socket.send(frame, () => resolve())
      stop = this.following.log?.onStall(MAX_QUEUED_EVENTS, () => {
        this.socket.close(SLOW_CONSUMER.code, SLOW_CONSUMER.reason)
        resolve()
      })
    })
    stop?.()
  }
}

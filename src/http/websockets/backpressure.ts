import type { WebSocket } from 'ws'
import type { ActiveSubscription } from '../../gateway/subscriptions.ts'

/**
 * Close code and reason for a client that reads too slowly. The client can resume after the last event it received.
 */
export const SLOW_CONSUMER = { code: 4413, reason: 'slow consumer: resume with `after`' } as const

/** Number of events that may wait for a stalled client. Above it, the client is disconnected. */
export const MAX_QUEUED_EVENTS = 256
/** Number of buffered bytes above which the sender waits for the client. */
const MAX_BUFFERED_BYTES = 64 * 1024

/**
 * Sends the results of a subscription directly on its socket. The graphql-ws library only iterates over this
 * object, which yields no values and ends with the subscription. Subscribers with the same result share its
 * JSON. Only the operation ID in front of it differs.
 */
export class BackpressuredSender implements AsyncIterableIterator<never> {
  private open = true
  private readonly framePrefix: string

  constructor(
    private readonly socket: WebSocket,
    operationId: string,
    private readonly subscription: ActiveSubscription,
    private readonly release: () => void,
  ) {
    this.framePrefix = `{"id":${JSON.stringify(operationId)},"type":"next","payload":`
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
      this.release()
      await this.subscription.events.return?.()
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

  private get isActive(): boolean {
    return this.open && this.socket.readyState === this.socket.OPEN
  }

  private async sendAll(): Promise<void> {
    const { events, resultFor } = this.subscription
    while (this.isActive) {
      const { done, value } = await events.next()
      if (done) return
      const result = await resultFor(value)
      if (!this.isActive) return
      const frame = `${this.framePrefix}${result}}`
      if (this.socket.bufferedAmount <= MAX_BUFFERED_BYTES) this.socket.send(frame)
      else await this.sendSlowly(frame)
    }
  }

  /** Sends a frame and waits until it is written. Closes the socket if too many events wait meanwhile. */
  private async sendSlowly(frame: string): Promise<void> {
    let stopWatching: (() => void) | undefined
    await new Promise<void>((resolve) => {
      this.socket.send(frame, () => resolve())
      stopWatching = this.subscription.sharedStream?.watchStall(MAX_QUEUED_EVENTS, () => {
        this.socket.close(SLOW_CONSUMER.code, SLOW_CONSUMER.reason)
        resolve()
      })
    })
    stopWatching?.()
  }
}

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { SharedStream } from '../../subgraphs/streams/shared-stream.ts'
import { MAX_QUEUED_EVENTS, SLOW_CONSUMER } from '../websockets/backpressure.ts'
import type { StreamFormat } from './stream-format.ts'

/** Interval of keep-alive bytes, which prevent proxies from closing an idle stream. */
const KEEP_ALIVE_MS = 12_000
/** Time that a slow reader has to receive the final error, before its socket is destroyed. */
const CLOSE_TIMEOUT_MS = 30_000

const HEADERS = {
  'x-accel-buffering': 'no',
}

const SLOW_READER_RESULT = JSON.stringify({
  errors: [{ message: SLOW_CONSUMER.reason, extensions: { code: 'TOO_MANY_REQUESTS' } }],
})

export type WatchStall = SharedStream<unknown>['watchStall']

/** Open response to which results are written as they arrive. */
export class StreamConnection {
  private readonly raw: ServerResponse
  private keepAlive: NodeJS.Timeout | undefined
  private isOpen = true

  constructor(
    private readonly reply: FastifyReply,
    private readonly format: StreamFormat,
    private readonly keepAliveMs = KEEP_ALIVE_MS,
  ) {
    this.raw = reply.raw
    reply.hijack()
    this.raw.once('close', () => this.markClosed())
    if (this.raw.destroyed) this.markClosed()
  }

  get open(): boolean {
    return this.isOpen
  }

  begin(): void {
    const { contentType, opening, keepAlive } = this.format
    const own = this.reply.getHeaders() as Record<string, string>
    this.raw.writeHead(200, { ...own, ...HEADERS, 'content-type': contentType }).flushHeaders()
    this.raw.write(opening)
    if (this.isOpen) this.keepAlive = setInterval(() => this.raw.write(keepAlive), this.keepAliveMs)
  }

  /** Calls the listener when either side closes the stream, or at once if it is closed. */
  onceClosed(listener: () => void): void {
    if (this.raw.destroyed || this.raw.writableEnded) listener()
    else this.raw.once('close', listener)
  }

  /**
   * Writes text. If the reader is slow, waits until the buffer drains. If too many events wait meanwhile, sends
   * an error that asks the reader to reconnect after its last event, and ends the stream without a completion message.
   */
  async write(text: string, watchStall?: WatchStall): Promise<void> {
    if (!this.isOpen || this.raw.write(text)) return
    const waiting = new AbortController()
    const stopWaiting = () => waiting.abort()
    const stopWatching = watchStall?.(MAX_QUEUED_EVENTS, () => {
      this.disconnectSlow()
      stopWaiting()
    })
    this.raw.once('close', stopWaiting)
    await once(this.raw, 'drain', { signal: waiting.signal }).catch(() => undefined)
    this.raw.off('close', stopWaiting)
    stopWatching?.()
  }

  end(): void {
    this.markClosed()
    this.raw.end()
  }

  private markClosed(): void {
    this.isOpen = false
    clearInterval(this.keepAlive)
  }

  /** Sends the last error, and gives the reader some time to receive it. */
  private disconnectSlow(): void {
    if (!this.isOpen) return
    this.markClosed()
    this.raw.end(this.format.next(SLOW_READER_RESULT))
    const deadline = setTimeout(() => this.raw.destroy(), CLOSE_TIMEOUT_MS).unref()
    this.raw.once('close', () => clearTimeout(deadline))
  }
}
